// Real robots in a table; time per body against N.
{
  const robots = data.models.filter((m) => m.family === "robot");
  const of = (m, label) => single.find((c) => c.model === m.name && c.label === label && c.threads === 1);
  const labels = unique(single.filter((c) => c.m.family === "robot" && c.threads === 1).map((c) => c.label));
  if (robots.length && labels.length) {
    const s = section("Real robots", "Microseconds per forward dynamics on one thread, median; the fastest of each row is bold. " + markWords);
    const rows = robots.filter((m) => labels.some((l) => of(m, l))).map((m) => {
      const cases = labels.map((l) => of(m, l));
      const best = least(cases.filter(Boolean), (c) => c.median_ns);
      return [m.name, m.bodies, m.velocities,
        ...cases.map((c) => (c ? { text: number(c.median_ns / 1e3) + mark(c), class: c === best ? "best" : "" } : "–"))];
    });
    const head = ["robot", "bodies", "freedoms", ...labels];
    table(s, head, rows);
    const plain = () => rows.map((row) => row.map((c) => c.text ?? c));
    savable(s, "table", { csv: () => csvText(head, plain()), tex: () => tableTex(head, plain()) });
  }
}
{
  const families = [...groupBy(single.filter((c) => c.m.family !== "robot"), (c) => c.m.family)]
    .filter(([, cases]) => unique(cases.map((c) => c.m.bodies)).length >= 3);
  const s = families.length && section("Time per body against the number of bodies",
    "Lower is faster, a level line is O(N): solid lines are one thread, dashed lines the best executor on the most threads; bands are 95 % intervals of the median.");
  const g = families.length && grid(s);
  for (const [family, all] of families) {
    const cases = ofKind(all, "size");
    const most = Math.max(...cases.filter((c) => c.threads <= physicalCores).map((c) => c.threads));
    const series = [];
    for (const [label, own] of groupBy(cases, (c) => c.label)) {
      for (const threads of unique([1, most])) {
        const points = [...groupBy(own.filter((c) => c.threads === threads), (c) => c.model).values()]
          .map((cs) => least(cs, (c) => c.median_ns)).map((c) => ({ x: c.m.bodies, ...perBody(c) }));
        if (points.length < 3) continue;
        const algorithm = own[0].algorithm;
        series.push({ label: threads === 1 ? label : `${label}, ${threads} threads`, points, dash: threads > 1,
          colour: colour(algorithm, label), band: colour(algorithm, label, 0.16) });
      }
    }
    if (series.length) lines(figure(g, familyName(family)), series, axis("bodies", { log: true }), axis("ns per body", { log: true }));
  }
}
