"use strict";
// The results, and the questions that the sections ask of them.
const data = JSON.parse(document.getElementById("results").textContent);
const context = data.context;
const models = new Map(data.models.map((m) => [m.name, m]));
for (const c of data.cases) c.m = models.get(c.model);
const timed = data.cases.filter((c) => c.median_ns > 0);
const single = timed.filter((c) => c.batch === 1);
// A line's dashes tell its executor.
const dashOf = (executor) => ({ openmp: "dashed", tbb: "dotted" })[executor] || false;
// A timing that does not hold stays in tables and charts, marked (a hollow point); headlines and winners are of those that do. Results of
// before they were judged are all taken.
const holds = (c) => c.holds !== false;
const mark = (c) => (holds(c) ? "" : " ±");
const markWords = "± and hollow points mark timings that do not hold: their interval is wide, or the machine gave less than usual.";
// The end of a speedup that may be claimed.
const sureSpeedup = (c) => c.speedup_low ?? (c.speedup * c.median_ns) / c.high_ns;
// No timing can tell the two apart where the interval of their ratio holds one.
const noDifference = (c) => sureSpeedup(c) <= 1 && (c.speedup_high ?? (c.speedup * c.median_ns) / c.low_ns) >= 1;
// Fewer than asked for where the executor gives no more.
const threadsRun = (c) => c.threads_run || c.threads;
// As many as this machine has; where the system does not tell, the most threads that ran.
const physicalCores = Number(context["physical cores"]) || Math.max(...data.cases.map(threadsRun));
// Of a run with this kind of scaling.
const isOf = (c, kind) => (c.kinds || []).includes(kind);
// The cases that were asked for to show this; all, where no run says its kind.
const ofKind = (cases, kind) => (cases.some((c) => isOf(c, kind)) ? cases.filter((c) => isOf(c, kind)) : cases);

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
// The fastest algorithm; `automatic`, which is one of them, only where none is as fast for certain.
const winner = (cases) => {
  const named = least(cases.filter((c) => c.algorithm !== "automatic"), (c) => c.median_ns);
  const chosen = least(cases.filter((c) => c.algorithm === "automatic"), (c) => c.median_ns);
  return named && !(chosen && chosen.high_ns < named.low_ns) ? named : chosen;
};
// With no joint cut, cfa and modular are AB by another name.
const isAbAgain = (c) => (c.algorithm === "cfa" || c.algorithm === "modular") && c.cut_joints === 0;

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

const familyNames = { chain: "chains", "tree:2x": "binary trees", "tree:4x": "quaternary trees", random: "random trees", comb: "combs", robot: "robots", geared: "geared chains", fourbars: "chains of four-bars" };
const familyName = (family) =>
  familyNames[family] || (family.startsWith("star") ? "stars of 3-body arms" : family.replace(/:$/, ""));
// star:AxN varies in its arms, tree:BxD in its depth: all of a star are one family.
for (const m of data.models) if (m.family.startsWith("star")) m.family = "star";
