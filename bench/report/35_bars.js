// Bars about a yardstick on a logarithmic axis: what is twice as fast reaches as far to one side as what is twice as slow
// to the other. rows: {label, value, low, high, text, note, colour}, all relative to the yardstick at 1.
const whiskers = {
  id: "whiskers",
  afterDatasetsDraw(chart) {
    const { ctx, scales: { x } } = chart;
    const { rows } = chart.options.plugins.whiskers;
    ctx.save();
    ctx.font = "11.5px " + Chart.defaults.font.family;
    ctx.textBaseline = "middle";
    chart.getDatasetMeta(0).data.forEach((bar, i) => {
      const [a, b] = [x.getPixelForValue(rows[i].low), x.getPixelForValue(rows[i].high)];
      ctx.strokeStyle = ink.ink;
      ctx.beginPath();
      ctx.moveTo(a, bar.y);
      ctx.lineTo(b, bar.y);
      for (const end of [a, b]) ctx.moveTo(end, bar.y - 3), ctx.lineTo(end, bar.y + 3);
      if (b - a > 1.5) ctx.stroke();  // closer than that they hide the bar's end and say nothing
      ctx.fillStyle = ink.ink;
      ctx.fillText(rows[i].text, chart.chartArea.right + 10, bar.y);
    });
    ctx.restore();
  },
};
// span: least and largest of all rows of all charts that are to be compared
const bars = (plot, rows, title, span) => {
  if (!haveCharts) return sayNoCharts(plot);
  plot.style.height = `${rows.length * 25 + 52}px`;
  const canvas = document.createElement("canvas");
  plot.append(canvas);
  const x = axis(title, { log: true, min: Math.min(1, span[0]) / 1.2, max: Math.max(1, span[1]) * 1.2 });
  const y = { grid: { display: false }, ticks: { autoSkip: false, color: ink.ink } };
  const chart = new Chart(canvas, {
    type: "bar",
    data: { labels: rows.map((r) => r.label), datasets: [{ data: rows.map((r) => r.value), backgroundColor: rows.map((r) => r.colour), base: 1, barPercentage: 0.86, categoryPercentage: 0.9, minBarLength: 2 }] },
    options: {
      indexAxis: "y", responsive: true, maintainAspectRatio: false, scales: { x, y }, layout: { padding: { right: 104 } },
      plugins: { legend: { display: false }, whiskers: { rows }, tooltip: { callbacks: { title: () => "", label: (item) => rows[item.dataIndex].note } } },
    },
    plugins: [whiskers],
  });
  const name = plot.parentElement.querySelector("h3").textContent;
  const drawing = () => ({ title: name, x: shownAxis(chart.scales.x, x), rows });
  savable(plot.parentElement, name, {
    svg: () => barsSvg(drawing()), tex: () => barsTex(drawing()),
    csv: () => csvText(["label", title, "low", "high", "note"], rows.map((r) => [r.label, r.value, r.low, r.high, r.note])),
  });
};
