"use strict";
// The results of a sweep or a study, and the questions that its sections ask of them.
const context = data.context;
const models = new Map(data.models.map((m) => [m.name, m]));
for (const c of data.cases) c.m = models.get(c.model);
// Ranks of MPI go as an executor, whose threads are those of all ranks.
const perRank = (c) => (c.threads > 1 ? `ranks of ${c.threads} threads` : "ranks");
for (const c of data.cases) if (c.ranks > 1) Object.assign(c, { executor: perRank(c), threads: c.ranks * c.threads });
const hasRanks = data.cases.some((c) => c.ranks > 1);
const timed = data.cases.filter((c) => c.median_ns > 0);
const single = timed.filter((c) => c.batch === 1);
// A line's dashes tell its executor.
const dashOf = (executor) => ({ openmp: "dashed", tbb: "dotted", ranks: "long" })[executor] || (executor.startsWith("ranks") ? "long" : false);
// A timing that does not hold is a hollow point in charts; headlines and winners are of those that do.
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
// The fastest algorithm; `automatic`, which is one of them, only where none is as fast for certain.
const winner = (cases) => {
  const named = least(cases.filter((c) => c.algorithm !== "automatic"), (c) => c.median_ns);
  const chosen = least(cases.filter((c) => c.algorithm === "automatic"), (c) => c.median_ns);
  return named && !(chosen && chosen.high_ns < named.low_ns) ? named : chosen;
};
// With no joint cut, cfa and modular are AB by another name.
const isAbAgain = (c) => (c.algorithm === "cfa" || c.algorithm === "modular") && c.cut_joints === 0;

const familyNames = { chain: "chains", "tree:2x": "binary trees", "tree:4x": "quaternary trees", random: "random trees", comb: "combs", robot: "robots", geared: "geared chains", fourbars: "chains of four-bars" };
const familyName = (family) =>
  familyNames[family] || (family.startsWith("star") ? "stars of 3-body arms" : family.replace(/:$/, ""));
// star:AxN varies in its arms, tree:BxD in its depth: all of a star are one family.
for (const m of data.models) if (m.family.startsWith("star")) m.family = "star";
// A case on threads beside the serial one that it is compared with.
const scalingHead = ["mechanism", "states a call", { text: "algorithm", class: "text" }, { text: "executor", class: "text" }, "threads", { text: "T1, by", class: "text" }, "TP", "speedup", "efficiency", "cost, of cores", "serial fraction"];
const between = (c, name) => (c[name] === undefined ? "–" : `${number(c[name])} [${number(c[`${name}_low`])}, ${number(c[`${name}_high`])}]`);
const scalingRow = (c) => [c.model, c.batch, { text: c.label, class: "text" }, { text: c.executor, class: "text" }, threadsRun(c) < c.threads ? `${c.threads}, ${threadsRun(c)} ran` : c.threads,
  { text: `${duration(c.serial_ns)}, ${c.fastest_serial}`, class: "text" }, `${duration(c.median_ns)} [${duration(c.low_ns)}, ${duration(c.high_ns)}]${mark(c)}`,
  between(c, "speedup"), between(c, "efficiency"), duration(c.cost_ns), between(c, "serial_fraction")];
const perBody = (c) => ({
  y: c.median_ns / c.m.bodies, low: c.low_ns / c.m.bodies, high: c.high_ns / c.m.bodies, holds: holds(c),
  note: `${c.model}, ${duration(c.median_ns)} [${duration(c.low_ns)}, ${duration(c.high_ns)}]`,
});
// No greedy schedule of a plan's tasks takes longer (Brent 1974).
const greedyNs = (c, span, threads) => (c.work_ns - span) / threads + span;
// Where the numbers come from, in a comment of each picture.
const origin = `kinetree ${context.kinetree}, commit ${context.commit}, sweep ${data.sweep}, ${context.processor}, ${context.date}`;
