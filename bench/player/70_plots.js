// Plots beside the picture; a line in each is where the player is, and a click goes there.
if (moves && given.plots.length) {
  const plotTimes = decoded(Float32Array, given.plot_times);
  const smallest = 1e-17;  // zero has no logarithm
  const tidy = (value) => (Math.abs(value) >= 1e5 || (value !== 0 && Math.abs(value) < 1e-3) ? value.toExponential(1).replace("e-", "e−").replace("e+", "e") : String(Number(value.toPrecision(4))));
  const draw = (plot, place) => {
    const series = plot.curves.map((curve, k) => {
      const values = decoded(Float32Array, curve.values);
      const hue = Math.round((k * 360 * 0.381966 + 211) % 360);
      return {
        label: curve.name, borderWidth: 1.5, pointRadius: 0, pointHitRadius: 4, showLine: true,
        borderColor: `hsl(${hue}, 62%, ${dark ? 66 : 42}%)`, backgroundColor: `hsl(${hue}, 62%, ${dark ? 66 : 42}%)`,
        data: Array.from(plotTimes, (x, i) => ({ x, y: plot.logarithmic ? Math.max(Math.abs(values[i]), smallest) : values[i] })),
      };
    });
    const ends = {};
    if (plot.logarithmic) {  // whole decades
      const all = series.flatMap((s) => s.data.map((d) => d.y)).filter(isFinite);
      ends.min = 10 ** Math.floor(Math.log10(Math.min(...all)) + 1e-9);
      ends.max = Math.max(10 ** Math.ceil(Math.log10(Math.max(...all)) - 1e-9), 10 * ends.min);
    }
    const canvas = make("canvas"), cursor = make("div", { className: "cursor" });
    place.append(canvas, cursor);
    const axis = (title, type) => ({ type, title: { display: true, text: title }, grid: { color: colourOf("line") }, ticks: type === "linear"
      ? { maxTicksLimit: 7, callback: tidy, maxRotation: 0 }
      : { callback: (value) => (Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-6 ? tidy(value) : ""), maxRotation: 0 } });
    const chart = new Chart(canvas, {
      type: "scatter",
      data: { datasets: series },
      options: {
        animation: false, parsing: false, normalized: true, maintainAspectRatio: false, responsive: true,
        interaction: { mode: "nearest", axis: "x", intersect: false },
        onClick: (event) => goTo(chart.scales.x.getValueForPixel(event.x)),
        onResize: () => requestAnimationFrame(() => move(player.time)),
        scales: { x: { ...axis("time (s)", "linear"), min: start, max: end }, y: { ...axis("", plot.logarithmic ? "logarithmic" : "linear"), ...ends } },
        plugins: {
          legend: { display: series.length > 1 && series.length <= 12, labels: { boxWidth: 14, boxHeight: 2, padding: 6, font: { size: 11 } } },
          tooltip: { callbacks: { title: (items) => `${items[0].parsed.x.toPrecision(5)} s`, label: (item) => `${item.dataset.label}: ${item.parsed.y.toPrecision(6)}` } },
        },
      },
    });
    const move = (time) => {
      const { top, bottom } = chart.chartArea;
      Object.assign(cursor.style, { display: "block", left: `${chart.scales.x.getPixelForValue(time)}px`, top: `${top}px`, height: `${bottom - top}px` });
    };
    cursors.push(move);
    move(player.time);
  };
  if (typeof Chart !== "undefined") {
    Chart.defaults.font.family = 'system-ui, "Segoe UI", Roboto, sans-serif';
    Chart.defaults.font.size = 11;
    Chart.defaults.color = colourOf("soft");
  }
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries)
      if (entry.isIntersecting) {
        seen.unobserve(entry.target);
        draw(given.plots[entry.target.dataset.plot], entry.target);
      }
  }, { rootMargin: "300px" });
  given.plots.forEach((plot, k) => {
    const place = make("div", { className: "plot" });
    place.dataset.plot = k;
    element("plots").append(make("figure", {}, make("h3", { textContent: plot.title }), place));
    if (typeof Chart === "undefined") place.textContent = "Plots need Chart.js (Debian: libjs-chart.js) where kinetree is built.";
    else seen.observe(place);
  });
}
