// Charts: lines over a logarithmic or linear axis, with confidence bands.
// The page's colours, light or dark: a canvas has no style sheet.
const css = getComputedStyle(document.documentElement);
const ink = Object.fromEntries(["ink", "soft", "line", "back", "plain", "sheet", "bad", "good"].map((name) => [name, css.getPropertyValue(`--${name}`).trim()]));
const haveCharts = typeof Chart !== "undefined";
if (haveCharts) {
  Chart.defaults.font.family = 'system-ui, "Segoe UI", Roboto, sans-serif';
  Chart.defaults.font.size = 12;
  Chart.defaults.color = ink.soft;
  Chart.defaults.animation = false;
}
const sayNoCharts = (plot) => { plot.textContent = "Charts need Chart.js (Debian: libjs-chart.js) when the report is written."; };
// Ticks of a logarithmic axis: powers of ten, and 2 and 5 times them where there are few.
function logTick(value) {
  const p = Math.floor(Math.log10(value) + 1e-9);
  const digit = Math.round(value / 10 ** p);
  if (Math.abs(value - digit * 10 ** p) > 1e-6 * value) return "";  // the ends of the axis
  const decades = Math.log10(this.max / this.min);
  if (digit !== 1 && !(decades < 2.2 && (digit === 2 || digit === 5))) return "";
  if (decades > 8 && p % 2) return "";
  return p >= -2 && p <= 5 ? Number(value.toPrecision(1)).toLocaleString("en") : `${digit}e${p}`.replace("e-", "e−");
}
const axis = (title, options = {}) => ({
  type: options.log ? "logarithmic" : "linear",
  title: { display: true, text: title },
  grid: { color: ink.line },
  ticks: options.log ? { callback: logTick, autoSkip: false, maxRotation: 0 } : { precision: 2, ...(options.ticks || {}) },
  ...(options.min !== undefined ? { min: options.min } : {}),
  ...(options.max !== undefined ? { max: options.max } : {}),
});
// series: {label, colour, band, dash, points: [{x, y, low, high, holds, note}], plain (no marks), scatter (no line)}
const lines = (plot, series, x, y) => {
  if (!haveCharts) return sayNoCharts(plot);
  const shows = (axis, value) => isFinite(value) && (axis.type !== "logarithmic" || value > 0);
  const all = series.flatMap((s) => s.points).filter((p) => shows(x, p.x) && shows(y, p.y));
  if (!all.length) {  // an axis would have no ends
    plot.textContent = "Nothing to draw: no value is above zero.";
    return;
  }
  const datasets = [];
  const parts = new Map();  // series to the datasets that draw it
  for (const s of series) {
    s.points.sort((a, b) => a.x - b.x);
    parts.set(s, s.band ? [datasets.length, datasets.length + 1, datasets.length + 2] : [datasets.length]);
    datasets.push({
      label: s.label, data: s.points, borderColor: s.colour, backgroundColor: s.colour, pointBackgroundColor: s.points.map((p) => (p.holds === false ? ink.sheet : s.colour)), borderWidth: s.plain ? 1.2 : 1.8,
      borderDash: s.dash === "dotted" ? [2, 3] : s.dash === "long" ? [12, 3] : s.dash ? [6, 4] : [], pointRadius: s.plain ? 0 : 2.6, pointStyle: s.dash ? "rectRot" : "circle", tension: 0, order: 1,
      showLine: !s.scatter,
    });
    if (!s.band) continue;
    const edge = (key) => s.points.map((p) => ({ x: p.x, y: p[key] }));
    const hidden = { borderWidth: 0, pointRadius: 0, pointHitRadius: 0, order: 2, isBand: true };
    datasets.push({ ...hidden, data: edge("low"), fill: false });
    datasets.push({ ...hidden, data: edge("high"), fill: "-1", backgroundColor: s.band });
  }
  const fit = (a, values) => {
    const good = values.filter((v) => v > 0 && isFinite(v));
    if (a.type === "logarithmic" && good.length) Object.assign(a, { min: Math.min(...good) / 1.25, max: Math.max(...good) * 1.25 });
  };
  fit(x, all.map((p) => p.x));
  fit(y, all.flatMap((p) => [p.y, p.low, p.high]).filter((v) => v !== undefined));
  const title = plot.parentElement.querySelector("h3").textContent;
  const canvas = element("canvas", { role: "img", "aria-label": `${title}: ${y.title.text} against ${x.title.text} of ${series.map((s) => s.label).join(", ")}; the numbers stand in results.csv` });
  plot.append(canvas);
  const chart = new Chart(canvas, {
    type: "line",
    data: { datasets },
    options: {
      responsive: true, maintainAspectRatio: false, parsing: false, normalized: true,
      interaction: { mode: "nearest", intersect: false },
      scales: { x, y },
      plugins: {
        legend: { display: false },
        tooltip: {
          filter: (item) => !item.dataset.isBand,
          callbacks: { title: () => "", label: (item) => `${item.dataset.label}: ${item.raw.note || number(item.raw.y)}${item.raw.holds === false ? " ±" : ""}` },
        },
      },
    },
  });
  // A legend of our own shows dashes; a click hides a line, a double click hides all others or shows them again.
  const names = legend(plot.parentElement, series.map((s) => ({ text: s.label, colour: s.colour, dash: s.dash, dot: s.scatter })));
  const isShown = (s) => chart.isDatasetVisible(parts.get(s)[0]);
  const show = (i, shown) => {
    for (const part of parts.get(series[i])) chart.setDatasetVisibility(part, shown);
    names[i].classList.toggle("off", !shown);
  };
  series.forEach((s, i) => {
    names[i].title = "click: hide or show; double click: this one alone";
    names[i].onclick = () => { show(i, !isShown(s)); chart.update(); };
    names[i].ondblclick = () => {
      const alone = series.every((other, k) => k === i || !isShown(other));
      series.forEach((_, k) => show(k, alone || k === i));
      chart.update();
    };
  });
  // a file has what is shown when it is saved
  const drawing = () => ({ title, x: shownAxis(chart.scales.x, x), y: shownAxis(chart.scales.y, y), series: series.filter(isShown) });
  savable(plot.parentElement, title, { svg: () => drawingSvg(drawing()), csv: () => drawingCsv(drawing()), tex: () => drawingTex(drawing()) });
};
// An axis as it stands on the page: its ends, and its ticks with their words.
const shownAxis = (scale, axis) => ({
  title: axis.title.text, log: axis.type === "logarithmic", min: scale.min, max: scale.max,
  ticks: scale.ticks.map(({ value, label }) => ({ value, label: String(label ?? "") })),
});
