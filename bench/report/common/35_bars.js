// Bars about a yardstick on a logarithmic axis: what is twice as fast reaches as far to one side as what is twice as slow
// to the other. rows: {label, value, low, high, text, short, note, colour}, all relative to the yardstick at 1; `short` takes
// the place of `text` on a narrow page, and may be left out.

// A whisker that reaches over an end of the axis stops there, without its own end.
const onAxis = ({ low, high }, { min, max }) => ({ low: Math.max(low, min), high: Math.min(high, max) });
const whiskers = {
  id: "whiskers",
  afterDatasetsDraw(chart) {
    const { ctx, scales: { x } } = chart;
    const { rows } = chart.options.plugins.whiskers;
    ctx.save();
    ctx.font = "11.5px " + Chart.defaults.font.family;
    ctx.textBaseline = "middle";
    chart.getDatasetMeta(0).data.forEach((bar, i) => {
      const { low, high } = onAxis(rows[i], x);
      const [a, b] = [x.getPixelForValue(low), x.getPixelForValue(high)];
      ctx.strokeStyle = ink.ink;
      ctx.beginPath();
      ctx.moveTo(a, bar.y);
      ctx.lineTo(b, bar.y);
      for (const end of [a, b].filter((_, k) => (k ? high === rows[i].high : low === rows[i].low))) ctx.moveTo(end, bar.y - 3), ctx.lineTo(end, bar.y + 3);
      if (b - a > 1.5) ctx.stroke();  // closer than that they hide the bar's end and say nothing
      ctx.fillStyle = ink.ink;
      ctx.fillText(chart.options.plugins.whiskers.texts[i], chart.chartArea.right + 10, bar.y);
    });
    ctx.restore();
  },
};
// Ticks between ratios that are close: steps of 1, 2 or 5, of which 1 is a multiple; few enough for their words.
const ratioTicks = (min, max, most) => {
  const least = (max - min) / most, power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= least);
  const ticks = [];
  for (let k = Math.ceil(min / step); k * step <= max; ++k) ticks.push({ value: Number((k * step).toPrecision(6)) });
  return ticks;
};
// span: least and largest that all charts are to show which are to be compared
const bars = (plot, rows, title, span) => {
  if (!haveCharts) return sayNoCharts(plot);
  plot.style.height = `${Math.max(102, rows.length * 25 + 56)}px`;
  const name = plot.parentElement.querySelector("h3").textContent;
  const canvas = element("canvas", { role: "img", "aria-label": `${name}: ${title}. ${rows.map((r) => `${r.label}: ${r.text}`).join("; ")}` });
  plot.append(canvas);
  const ends = [Math.min(1, span[0]), Math.max(1, span[1])], close = ends[1] / ends[0] < 4;
  const room = close ? (ends[1] / ends[0]) ** 0.1 : 1.2;
  const x = axis(title, { log: true, min: ends[0] / room, max: ends[1] * room });
  if (close) {
    x.afterBuildTicks = (scale) => { scale.ticks = ratioTicks(scale.min, scale.max, Math.max(2, scale.width / 40)); };
    x.ticks.callback = (value) => number(value, 4);
  }
  const texts = rows.map((r) => (plot.clientWidth < 460 && r.short) || r.text);
  const widest = (words, size) => Math.max(...words.map((w) => textWidth(w, size)));
  const y = { grid: { display: false }, ticks: { autoSkip: false, color: ink.ink }, afterFit: (scale) => { scale.width = 14 + widest(rows.map((r) => r.label)); } };
  const chart = new Chart(canvas, {
    type: "bar",
    data: { labels: rows.map((r) => r.label), datasets: [{ data: rows.map((r) => r.value), backgroundColor: rows.map((r) => r.colour), base: 1, barPercentage: 0.86, categoryPercentage: 0.9, minBarLength: 2 }] },
    options: {
      indexAxis: "y", responsive: true, maintainAspectRatio: false, scales: { x, y }, layout: { padding: { right: 14 + widest(texts, 11.5) } },
      plugins: { legend: { display: false }, whiskers: { rows, texts }, tooltip: { callbacks: { title: () => "", label: (item) => rows[item.dataIndex].note } } },
    },
    plugins: [whiskers],
  });
  const drawing = () => ({ title: name, x: shownAxis(chart.scales.x, x), rows });
  savable(plot.parentElement, name, {
    svg: () => barsSvg(drawing()), tex: () => barsTex(drawing()),
    csv: () => csvText(["label", title, "low", "high", "note"], rows.map((r) => [r.label, r.value, r.low, r.high, r.note])),
  });
};
