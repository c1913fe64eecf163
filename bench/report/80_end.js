// Batches, what was not timed, and the context.
{
  const batches = [...groupBy(timed.filter((c) => c.batch > 1), (c) => c.model)];
  if (batches.length) {
    const s = section("Many states at once", "States of one mechanism solved per second, against the number of states in a call; higher is better, and two threads should come near twice one, or what the machine gave to threads that share nothing (in each point's note).");
    const g = grid(s);
    for (const [model, cases] of batches) {
      const series = [];
      for (const [label, own] of groupBy(cases, (c) => c.label))
        for (const [who, points] of groupBy(own, (c) => (c.threads === 1 ? "1 thread" : `${c.threads} threads ${c.executor}`) + (c.lanes > 1 ? `, ${c.lanes} lanes` : "")))
          series.push({ label: `${label}, ${who}`, dash: dashOf(points[0].executor), colour: colour(own[0].algorithm, label, who.startsWith("1 thread") ? 0.5 : 1),
            points: points.map((c) => ({ x: c.batch, y: 1e9 / c.median_ns, note: `${number(1e9 / c.median_ns)} states/s, ${duration(c.median_ns)} each, ×${number(c.speedup)} over the fastest serial${threadsRun(c) < c.threads ? `; ${threadsRun(c)} of the threads ran` : ""}${c.machine_gives ? `; ${c.threads} threads that share nothing were worth ×${number(c.machine_gives)}` : ""}` })) });
      lines(figure(g, model), series, axis("states per call", { log: true }), axis("states per second", { min: 0, ticks: { callback: (v) => number(v) } }));
    }
  }
}
{
  const failed = data.cases.filter((c) => c.failure);
  if (failed.length || data.notes.length) {
    const s = section("Not timed", "A case is refused when its answers are wrong, and left out when it can't be run; what the sweep did without is said here.");
    for (const note of data.notes) s.append(element("p", { class: "read" }, note));
    if (failed.length) table(s, ["mechanism", { text: "algorithm", class: "text" }, { text: "executor", class: "text" }, "threads", "batch", { text: "why", class: "text" }],
      failed.map((c) => [c.model, { text: c.label, class: "text" }, { text: c.executor, class: "text" }, c.threads, c.batch, { text: c.failure, class: "text failed" }]));
  }
}
{
  const s = section("How this was measured", "Enough to repeat it: timings of another machine, compiler or day are another report.");
  const settings = data.settings;
  const rows = [
    ["timer", `Google Benchmark, real time; ${settings.repetitions} repetitions of at least ${number(settings.seconds_per_repetition * 1e3)} ms, all cases of a mechanism interleaved in random order; one warm call before each`],
    ["interval", settings.interval],
    ["states", `${settings.states} random states cycled (fewer where they would not fit in 64 MB), seed ${settings.seed}: ${settings.state_distribution}`],
    ["checks", `before timing: relative error and residual at most ${settings.tolerance}; after timing: the same bits again`],
    ["the whole sweep took", `${number(settings.took_seconds)} s`],
    ...Object.entries(context).map(([key, value]) => [key, value === true ? "yes" : value === false ? "no" : String(value)]),
  ];
  table(s, ["", { text: "", class: "text" }], rows.map(([key, value]) => [key, { text: value, class: "text" }]));
}
