// Times predicted from the task graph and a calibration: beside what was measured, and on more cores than there are.
{
  const both = single.filter((c) => c.predicted_ns > 0);
  const error = (c) => c.predicted_ns / c.median_ns - 1;
  if (both.length) {
    const s = section("Predicted and measured",
      "Each point is one case of one state: predicted from operations counted on the kernels, list scheduled on its threads, or packs of parts side by side, with times that this process measured on itself beforehand, and with costs of threads on cores as far from each other as they were meanwhile; on the line the two are equal.");
    const sure = both.filter(holds);
    const sizes = sure.map((c) => Math.abs(error(c)));
    const g = grid(s);
    const series = [...groupBy(both, (c) => c.algorithm)].map(([algorithm, own]) => ({
      label: algorithm, scatter: true, colour: colour(algorithm, algorithm),
      points: own.map((c) => ({ x: c.median_ns / 1e3, y: c.predicted_ns / 1e3, holds: holds(c), note: `${c.model}, ${c.label}, ${c.executor}, ${c.threads} threads: predicted ${duration(c.predicted_ns)}, measured ${duration(c.median_ns)}` })) }));
    const ends = [Math.min(...both.map((c) => c.median_ns)), Math.max(...both.map((c) => c.median_ns))].map((ns) => ({ x: ns / 1e3, y: ns / 1e3 }));
    series.push({ label: "equal", plain: true, colour: ink.plain, points: ends });
    lines(figure(g, "one state"), series, axis("measured, µs", { log: true }), axis("predicted, µs", { log: true }));
    if (sizes.length) s.append(element("p", { class: "read" }, `Of ${sure.length} timings that hold the median error is ${number(100 * median(sizes), 2)} %, and ${sizes.filter((e) => e > 0.25).length} are off by more than 25 %.`));
    const worst = sure.filter((c) => Math.abs(error(c)) > 0.25).sort((a, b) => Math.abs(Math.log(b.predicted_ns / b.median_ns)) - Math.abs(Math.log(a.predicted_ns / a.median_ns)));
    if (worst.length) {
      const d = element("details", {}, element("summary", {}, "the timings that are off by more than 25 %"));
      s.append(d);
      table(d, ["mechanism", { text: "algorithm", class: "text" }, { text: "executor", class: "text" }, "threads", "measured", "predicted", "predicted over measured"],
        worst.map((c) => [c.model, { text: c.label, class: "text" }, { text: c.executor, class: "text" }, c.threads, duration(c.median_ns), duration(c.predicted_ns), number(c.predicted_ns / c.median_ns)]));
    }
  }
}
if (data.rank_predictions) {
  const model = data.models[0];
  const s = section("Over machines",
    `Predicted times of one state of ${model.name} over ranks of MPI, one on each machine: steps by the machine model, messages by latency and bandwidth of each kind of network. All of it is prediction, and dashed. Dots are measured, on ranks of this run.`);
  const series = data.rank_predictions.map(({ network, ranks }, k) => ({ label: network, colour: colour(["ab", "cfa", "modular"][k], ["ab", "cfa", "modular"][k]), dash: true,
    points: ranks.filter((p) => p.predicted_ns).map((p) => ({ x: p.ranks, y: p.predicted_ns / 1e3, note: `${network}: ${duration(p.predicted_ns)} on ${p.ranks} machines, ${p.plan}` })) }));
  const seen = single.filter((c) => c.model === model.name && c.ranks > 1);
  if (seen.length) series.push({ label: "measured", scatter: true, colour: ink.plain, points: seen.map((c) => ({ x: c.ranks, y: c.median_ns / 1e3, holds: holds(c), note: `measured ${duration(c.median_ns)} on ${c.ranks} ranks` })) });
  lines(figure(grid(s), `${model.name}: over machines`), series.filter((one) => one.points.length), axis("ranks", { log: true }), axis("µs per state", { log: true }));
  table(s, ["machines", ...data.rank_predictions.flatMap(({ network }) => [network, "speedup", { text: "plan", class: "text" }])],
    data.rank_predictions[0].ranks.map((p, row) => [p.ranks, ...data.rank_predictions.flatMap(({ ranks }) => {
      const one = ranks[row];
      return one.predicted_ns ? [duration(one.predicted_ns), number(one.speedup), { text: one.plan, class: "text" }] : ["–", "–", { text: "no shares for so many", class: "text" }];
    })]));
}
if (data.predictions) {
  const cores = physicalCores, model = data.models[0];
  const s = section("On more cores",
    `Predicted times of one state of ${model.name} on team: up to ${cores} threads solid, beyond them, where this machine can't check it, dashed. Dots are measured. The grey line is the least time were scheduling free: what the mechanism itself allows.`);
  const g = grid(s);
  const of = (key, value) => data.predictions.map((p) => ({ x: p.threads, y: value(p), note: `${key}${p[key].grain > 1 ? `:${p[key].grain}` : ""} on ${p.threads} threads, predicted ${duration(p[key].predicted_ns)}` }));
  const series = [];
  for (const key of ["ab", "cfa", "modular"]) {
    const points = of(key, (p) => p[key].predicted_ns / 1e3);
    series.push({ label: key, colour: colour(key, key), points: points.filter((p) => p.x <= cores) });
    series.push({ label: `${key}, not here`, colour: colour(key, key), dash: true, points: points.filter((p) => p.x >= cores) });
  }
  series.push({ label: "were scheduling free", plain: true, colour: ink.plain, points: data.predictions.map((p) => ({ x: p.threads, y: p.bound_ns / 1e3 })) });
  const seen = single.filter((c) => c.model === model.name && c.executor !== "tbb" && c.executor !== "openmp" && ["ab", "cfa"].includes(c.label));
  for (const [label, own] of groupBy(seen, (c) => c.label))
    series.push({ label: `${label}, measured`, scatter: true, colour: colour(label, label), points: own.map((c) => ({ x: c.threads, y: c.median_ns / 1e3, holds: holds(c), note: `measured ${duration(c.median_ns)} on ${c.threads} threads` })) });
  lines(figure(g, model.name), series.filter((one) => one.points.length), axis("threads", { log: true }), axis("µs per state", { log: true }));
  table(s, ["threads", "ab", "cfa", "modular", { text: "the fastest", class: "text" }, "speedup", "were scheduling free"],
    data.predictions.map((p) => [p.threads, duration(p.ab.predicted_ns), duration(p.cfa.predicted_ns), duration(p.modular.predicted_ns), { text: p.fastest, class: "text" }, number(p.speedup), duration(p.bound_ns)]));
}
