"use strict";
// What the page was given, and the questions that every page asks of it.
const data = JSON.parse(document.getElementById("results").textContent);
// A timing that does not hold stays in tables and charts, marked. Results of before they were judged are all taken.
const holds = (c) => c.holds !== false;
const mark = (c) => (holds(c) ? "" : " ±");

const unique = (list) => [...new Set(list)];
const groupBy = (list, key) => {
  const groups = new Map();
  for (const item of list) {
    const k = key(item);
    if (!groups.has(k)) groups.set(k, []);
    groups.get(k).push(item);
  }
  return groups;
};
const median = (list) => {
  const sorted = [...list].sort((a, b) => a - b), half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
};
const least = (list, value) => list.reduce((best, c) => (!best || value(c) < value(best) ? c : best), null);
// One hue per algorithm, everywhere; variants of an algorithm are shades of it.
const hues = { ab: [211, 68], crb: [24, 75], cfa: [282, 42], modular: [152, 62], automatic: [0, 0] };
const shades = [38, 55, 28, 66, 46, 22, 74];
const dark = matchMedia("(prefers-color-scheme: dark)").matches;
const shadeOf = new Map();
const onPaper = new Map();  // a colour of this page to that of the light page, which files have
for (const algorithm of Object.keys(hues)) {
  const labels = unique(data.cases.filter((c) => c.algorithm === algorithm).map((c) => c.label));
  labels.sort((a, b) => a.length - b.length || a.localeCompare(b));
  labels.forEach((label, i) => shadeOf.set(label, shades[i % shades.length]));
}
const colour = (algorithm, label, alpha = 1) => {
  const [hue, saturation] = hues[algorithm] || hues.automatic;
  const shade = shadeOf.get(label) || 40;
  const of = (lightness) => `hsla(${hue}, ${saturation}%, ${lightness}%, ${alpha})`;
  const shown = of(dark ? 26 + 0.85 * shade : shade);
  onPaper.set(shown, of(shade));
  return shown;
};

const number = (x, digits = 3) => {
  if (x === null || x === undefined || !isFinite(x)) return "–";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size < 1e-3 || size >= 1e7) return x.toExponential(1).replace("e-", "e−").replace("e+", "e");
  return Number(x.toPrecision(digits)).toLocaleString("en", { maximumSignificantDigits: digits });
};
const duration = (ns) =>
  ns < 1e3 ? `${number(ns)} ns` : ns < 1e6 ? `${number(ns / 1e3)} µs` : ns < 1e9 ? `${number(ns / 1e6)} ms` : `${number(ns / 1e9)} s`;
