// The dial; work and depth; errors.
{
  const dial = single.filter((c) => c.algorithm === "modular" && /^modular:\d+$/.test(c.label));
  const rich = [...groupBy(dial, (c) => c.model)].filter(([, cs]) => unique(cs.map((c) => c.plan.grain)).length >= 4)
    .sort(([, a], [, b]) => a[0].m.bodies - b[0].m.bodies);
  if (rich.length) {
    const s = section("The dial: time against grain",
      "Left every joint is cut (the constraint-force algorithm), right few are (nearly articulated bodies): each line is one number of threads, the grey line serial AB; the lowest point is the grain to choose.");
    const g = grid(s);
    for (const [model, cases] of rich) {
      const series = [];
      for (const [threads, own] of groupBy(cases, (c) => c.threads))
        for (const [executor, points] of groupBy(own, (c) => c.executor))
          series.push({ label: threads === 1 ? "1 thread" : `${threads} threads, ${executor}`, dash: threads > 1, colour: colour("modular", threads > 1 ? "modular:1" : "modular"),
            band: colour("modular", "modular", 0.14), points: points.map((c) => ({ x: c.plan.grain, ...perBody(c) })) });
      const ab = single.find((c) => c.model === model && c.label === "ab" && c.threads === 1);
      const grains = cases.map((c) => c.plan.grain);
      if (ab) series.push({ label: "serial AB", plain: true, colour: ink.soft, points: [Math.min(...grains), Math.max(...grains)].map((x) => ({ x, ...perBody(ab) })) });
      lines(figure(g, model), series, axis("bodies per module", { log: true }), axis("ns per body", { log: true }));
    }
  }
}
{
  const counted = data.cases.filter((c) => c.work && c.m.family !== "robot");
  if (counted.length) {
    const s = section("Work and depth, counted",
      "Not times but exact counts from the same kernels: on the left operations per body (level: O(N) work), on the right the longest chain of dependent operations, what unlimited cores could reach (as steep as the grid: O(N), nearly level: O(log N)).");
    const g = grid(s);
    for (const [family, cases] of groupBy(counted, (c) => c.m.family)) {
      if (unique(cases.map((c) => c.m.bodies)).length < 3) continue;
      const series = (value) => [...groupBy(cases, (c) => c.label)].filter(([, own]) => own.length >= 3).map(([label, own]) => ({
        label, colour: colour(own[0].algorithm, label), points: own.map((c) => ({ x: c.m.bodies, y: value(c), note: `${c.model}, ${value(c).toLocaleString("en", { maximumSignificantDigits: 5 })}` })) }));
      lines(figure(g, `${familyName(family)}: operations per body`), series((c) => c.work.total / c.m.bodies), axis("bodies", { log: true }), axis("operations per body", { log: true }));
      lines(figure(g, `${familyName(family)}: depth`), series((c) => c.work.depth), axis("bodies", { log: true }), axis("operations in a chain", { log: true }));
    }
  }
}
{
  const checked = data.cases.filter((c) => c.batch === 1 && c.threads === 1 && c.error !== undefined && c.error !== null);
  const precise = checked.filter((c) => c.checked_against.includes("digits"));
  if (checked.length) {
    const s = section("Errors and residuals",
      "Left the relative error of the accelerations against 60-digit arithmetic (up to 300 bodies), right the residual of the equations of motion; the worst of a few random states, smaller is better, double precision ends at 1e−16; +0 and +1 are refinements.");
    const g = grid(s);
    const scatter = (list, value) => [...groupBy(list.filter((c) => value(c) > 0), (c) => c.label)].map(([label, own]) => ({
      label, scatter: true, colour: colour(own[0].algorithm, label), points: own.map((c) => ({ x: c.m.bodies, y: value(c), note: `${c.model}, ${number(value(c))}` })) }));
    lines(figure(g, "relative error"), scatter(precise, (c) => c.error), axis("bodies", { log: true }), axis("relative error", { log: true }));
    lines(figure(g, "residual"), scatter(checked, (c) => c.residual), axis("bodies", { log: true }), axis("residual", { log: true }));
  }
}
