// Many states at once: states per second against the states in a call, and against threads.
{
  const batches = [...groupBy(timed.filter((c) => c.batch > 1), (c) => c.model)].map(([model, cases]) => [model, ofKind(cases, "batch")]);
  if (batches.length) {
    const s = section("Many states at once", "States of one mechanism solved per second, against the number of states in a call; higher is better, and two threads should come near twice one, or what the machine gave to threads that share nothing (in each point's note).");
    const g = grid(s);
    for (const [model, cases] of batches) {
      const series = [];
      for (const [label, own] of groupBy(cases, (c) => c.label))
        for (const [who, points] of groupBy(own, (c) => (c.threads === 1 ? "1 thread" : `${c.threads} threads ${c.executor}`) + (c.lanes > 1 ? `, ${c.lanes} lanes` : "")))
          series.push({ label: `${label}, ${who}`, dash: dashOf(points[0].executor), colour: colour(own[0].algorithm, label, who.startsWith("1 thread") ? 0.5 : 1),
            points: points.map((c) => ({ x: c.batch, y: 1e9 / c.median_ns, low: 1e9 / c.high_ns, high: 1e9 / c.low_ns, holds: holds(c), note: `${number(1e9 / c.median_ns)} states/s, ${duration(c.median_ns)} each, ×${number(c.speedup)} over the fastest serial${threadsRun(c) < c.threads ? `; ${threadsRun(c)} of the threads ran` : ""}${c.machine_gives ? `; ${c.threads} threads that share nothing were worth ×${number(c.machine_gives)}` : ""}` })) });
      lines(figure(g, model), series, axis("states per call", { log: true }), axis("states per second", { min: 0, ticks: { callback: (v) => number(v) } }));
    }
    const most = batches.filter(([, cases]) => unique(cases.map((c) => c.threads)).length > 1);
    if (most.length) s.append(element("p", { class: "read" }, "The same against threads, in calls of as many states as are fastest there."));
    const over = most.length && grid(s);
    const rows = [];
    for (const [model, cases] of most) {
      const last = Math.max(...cases.map((c) => c.threads)), series = [];
      for (const [label, own] of groupBy(cases, (c) => c.label))
        for (const executor of unique(own.filter((c) => c.threads > 1).map((c) => c.executor))) {
          const best = [...groupBy(own.filter((c) => c.threads === 1 || c.executor === executor), (c) => c.threads).values()].map((cs) => least(cs, (c) => c.median_ns));
          rows.push(...best.filter((c) => c.speedup));
          series.push({ label: `${label} ${executor}`, dash: dashOf(executor), colour: colour(own[0].algorithm, label), band: colour(own[0].algorithm, label, 0.14),
            points: best.map((c) => ({ x: c.threads, y: 1e9 / c.median_ns, low: 1e9 / c.high_ns, high: 1e9 / c.low_ns, holds: holds(c),
              note: `${number(1e9 / c.median_ns)} states/s on ${c.threads} threads in calls of ${c.batch}, efficiency ${between(c, "efficiency")}` })) });
        }
      lines(figure(over, `${model}: states per second`), series, axis("threads", { min: 1, max: last, ticks: { stepSize: 1, precision: 0 } }), axis("states per second", { min: 0, ticks: { callback: (v) => number(v) } }));
    }
    if (rows.length) {
      const d = element("details", {}, element("summary", {}, "all numbers"));
      s.append(d);
      table(d, scalingHead, unique(rows).map(scalingRow));
    }
  }
}
