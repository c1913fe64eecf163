// What was not timed, and the context.
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
    ...Object.entries(context).filter(([key]) => !ofMachine.includes(key)).map(([key, value]) => [key, contextWords(value)]),
  ];
  const pairs = (title, list) => {
    s.append(element("h3", {}, title));
    table(s, ["", { text: "", class: "text" }], list.map(([key, value]) => [key, { text: value, class: "text" }]));
  };
  pairs("Machine", ofMachine.map((key) => [key, contextWords(context[key])]));
  pairs("Build and settings", rows);
}
