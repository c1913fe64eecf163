// Functions of other libraries beside kinetree's, as kinetree_peers measured them.
if (!data.peers && data.answers) {
  // a study is of one mechanism by kinetree alone
} else if (!data.peers) {
  const s = section("Beside other libraries", "This report was written without them.");
  s.append(element("p", { class: "read" }, "bash bench/run installs the libraries, times them and puts them here; by hand: ",
    element("code", {}, "kinetree_peers --json peers.json"), ", then ", element("code", {}, "kinetree sweep SWEEP.yaml --peers peers.json"), "."));
} else {
  const peers = data.peers;
  const isOwn = (r) => !r.package;
  const yardstickOf = (c) => c.results.find((r) => r.name === "Bullet" && c.results.every((o) => !o.ratios || o.ratios.Bullet)) || c.results.find((r) => r.name === c.reference);
  const labelOf = (r) => isOwn(r) ? r.name : `${r.name} ${r.version}`;
  const mechanism = (c) => c.model + (c.floating ? ", floating" : "");
  const functionOf = (c) => c.function.replaceAll("_", " ").replace(/^./, (letter) => letter.toUpperCase());
  const colours = { one: "hsl(211, 68%, 38%)", batch: "hsl(211, 60%, 66%)", peer: "#b9c1cb", yardstick: "#7b8694" };
  const many = `${peers.batch.toLocaleString("en")} states in a call`;
  const s = section("Beside other libraries",
    "Time per state of one function of one mechanism in the same states, results checked to agree first. Bars are relative to Bullet where it was timed, else to kinetree with one state at a time, " +
    `which is 1: to the left is faster; right of a bar its median time and how many times as fast it is. One state at a time on one thread; “automatic” and “parallel” take as many threads as their plans want (below); a batch is ${many}, fewer where results are large, its time is per state. ` +
    "Ratios are medians of ratios within a round, whiskers their 95 % intervals.");
  legend(s, [{ text: "kinetree, one state at a time", colour: colours.one, square: true }, { text: `kinetree, ${many}`, colour: colours.batch, square: true },
    { text: "others, one state at a time", colour: colours.peer, square: true }, { text: "the yardstick", colour: colours.yardstick, square: true }]);
  const span = (r) => `${number(r.low, 4)} – ${number(r.high, 4)}`;
  const draw = (g, c, extent) => {
    const yardstick = yardstickOf(c);
    const done = c.results.filter((r) => r.ratios).sort((a, b) => a.median_ns - b.median_ns);
    const plot = figure(g, `${mechanism(c)}: ${c.bodies} bodies, ${c.nv} freedoms`);
    bars(plot, done.map((r) => {
      const { median, low, high } = r.ratios[yardstick.name];
      const kind = r === yardstick ? "yardstick" : !isOwn(r) ? "peer" : r.states_per_call > 1 ? "batch" : "one";
      const faster = median < 1 ? `${number(1 / median)} times as fast as` : `${number(median)} times the time of`;
      return { label: labelOf(r), value: median, low, high, colour: colours[kind], text: `${duration(r.median_ns)}, ×${number(1 / median, 2)}`,
        note: r === yardstick ? `${duration(r.median_ns)}, the yardstick` : `${duration(r.median_ns)}, ${faster} ${yardstick.name} [${span({ low, high })}]${r.threads > 1 ? `, ${r.threads} threads` : ""}` };
    }), `time relative to ${yardstick.name}`, extent);
    const refused = c.results.filter((r) => r.refusal);
    if (refused.length) plot.parentElement.append(element("p", { class: "read note" }, `Not timed: ${refused.map((r) => `${labelOf(r)}: ${r.refusal}`).join("; ")}.`));
  };
  for (const cases of groupBy(peers.cases, (c) => c.function).values()) {
    s.append(element("h3", { class: "part" }, functionOf(cases[0])));
    const ratios = cases.flatMap((c) => c.results.filter((r) => r.ratios).map((r) => r.ratios[yardstickOf(c).name]));
    const g = grid(s);
    for (const c of cases) draw(g, c, [Math.min(...ratios.map((r) => r.low)), Math.max(...ratios.map((r) => r.high))]);
  }
  for (const c of peers.cases) {
    const to = unique([yardstickOf(c).name, c.reference]);
    const details = element("details", {}, element("summary", {}, `${functionOf(c)}, ${mechanism(c)}: numbers`));
    s.append(details);
    const head = ["", "threads", "states a call", "median ns", "95 %", ...to.flatMap((name) => [`relative to ${name}`, "95 %"]), "differs by"];
    table(details, head, c.results.map((r) => [labelOf(r), ...(r.refusal ? [{ text: `not timed: ${r.refusal}`, class: "text failed", columns: head.length - 1 }]
      : [r.threads, r.states_per_call, number(r.median_ns, 4), span({ low: r.low_ns, high: r.high_ns }), ...to.flatMap((name) => [number(r.ratios[name].median), span(r.ratios[name])]), number(r.difference)])]));
  }
  const called = element("details", {}, element("summary", {}, "What was called"));
  s.append(called);
  const callers = [...groupBy(peers.cases.flatMap((c) => c.results.map((r) => ({ ...r, function: functionOf(c) }))), (r) => `${r.function}, ${r.name}`).values()].map(([r]) => r);
  table(called, ["", ...["function", "version", "Debian package", "scalar", "called"].map((text) => ({ text, class: "text" })), "may differ by"],
    callers.map((r) => [r.name, ...[r.function, r.version, r.package || "–", r.scalar, r.path || "–"].map((text) => ({ text, class: "text" })), r.tolerance ? number(r.tolerance) : "–"]));
  const where = peers.context;
  s.append(element("p", { class: "read note" },
    `${peers.rounds} rounds of everybody in turn; one at a time cycles through ${peers.states} states: ${peers.state_distribution}. ` +
    `Measured ${momentWords(where.date)} on ${where.processor}, ${commitWords(where)}, load average ${where["load average at the end"] ?? "unknown"} (where others keep the cores busy, threads gain nothing). ` +
    `“differs by” is the largest difference of a state's result (${unique(peers.cases.map((c) => c.result)).join("; ")}) from that of the first row, relative to the largest of its numbers.`));
  if (peers.missing.length) s.append(element("p", { class: "read note" }, `Built without ${peers.missing.map((m) => `${m.name} (Debian: ${m.package})`).join(", ")}.`));
}
