// Weak scaling: as much work for each thread, whatever their number.
{
  const shares = timed.flatMap((c) => (c.weak || []).map((w) => ({ c, w })));
  if (shares.length) {
    const s = section("Weak scaling",
      "Each thread gets as many bodies, or states, as one thread has; weak efficiency is the time of one thread's problem by the fastest serial algorithm over the time of so many times the problem on so many threads. A level line at 1 is ideal; the dashed grey line is what threads that share nothing gave each.");
    const g = grid(s);
    for (const [name, own] of groupBy(shares, ({ w }) => `${w.of}: ${w.kind === "weak-bodies" ? "bodies" : "states"} for each thread${w.of_batch > 1 ? `, from ${w.of_batch} states` : ""}`)) {
      const most = Math.max(...own.map(({ c }) => c.threads));
      const series = [];
      for (const [label, cases] of groupBy(own, ({ c }) => c.label))
        for (const executor of unique(cases.map(({ c }) => c.executor).filter((e) => e !== "serial"))) {
          const points = cases.filter(({ c }) => c.threads === 1 || c.executor === executor).map(({ c, w }) => ({
            x: c.threads, y: w.efficiency, low: w.efficiency_low, high: w.efficiency_high, holds: holds(c),
            note: `${number(w.efficiency)} [${number(w.efficiency_low)}, ${number(w.efficiency_high)}], ${c.model}${c.batch > 1 ? `, ${c.batch} states` : ""}${threadsRun(c) < c.threads ? `, ${threadsRun(c)} of ${c.threads} threads ran` : ""}` }));
          series.push({ label: `${label} ${executor}`, points, dash: dashOf(executor), colour: colour(cases[0].c.algorithm, label), band: colour(cases[0].c.algorithm, label, 0.14) });
        }
      const given = [...groupBy(own.filter(({ c }) => c.machine_gives), ({ c }) => c.threads)].map(([x, cs]) => ({ x, y: median(cs.map(({ c }) => c.machine_gives / c.threads)) }));
      series.push({ label: "threads that share nothing", plain: true, dash: true, colour: ink.plain, points: [{ x: 1, y: 1 }, ...given] });
      lines(figure(g, name), series, axis("threads", { min: 1, max: most, ticks: { stepSize: 1, precision: 0 } }), axis("weak efficiency", { min: 0 }));
    }
    const d = element("details", {}, element("summary", {}, "all numbers"));
    s.append(d);
    table(d, [...scalingHead, "weak efficiency"], shares.map(({ c, w }) => [...scalingRow(c), between(w, "efficiency")]));
  }
}
