// Every case; those that were left out; the runs; what machines, builds and settings of the two sides are.
const text = (words) => ({ text: words, class: "text" });
const caseHead = ["mechanism", ...["algorithm", "executor"].map(text), "ranks", "threads", "states a call", "lanes"];
const caseRow = (c) => [c.model, text(c.label), text(c.executor), c.ranks, c.threads, c.batch, c.lanes];
const folded = (parent, count, words) => {
  if (count <= 30) return parent;
  const d = element("details", {}, element("summary", {}, words));
  parent.append(d);
  return d;
};
if (data.cases.length) {
  const s = section("All cases", "Those that differ first, and the slowest of them first. Times of a side are geometric means of its runs' medians.");
  const rows = worstFirst(data.cases);
  const colours = { slower: "text failed", faster: "text good", "no difference": "text worse" };
  table(folded(s, rows.length, `all ${rows.length} cases`), [...caseHead, "before", "after", "after / before", "95 %", text("outcome")],
    rows.map((c) => [...caseRow(c), duration(c.before_ns), duration(c.after_ns), number(c.ratio, 4), `${number(c.low, 4)} – ${number(c.high, 4)}`, { text: outcomeOf(c) + mark(c), class: colours[outcomeOf(c)] }]));
  const plain = (row) => row.map((c) => c.text ?? c);
  savable(s, "table", {
    csv: () => csvText(["model", "label", "executor", "ranks", "threads", "batch", "lanes", "before_ns", "after_ns", "ratio", "low", "high", "outcome", "holds"],
      rows.map((c) => [...plain(caseRow(c)), c.before_ns, c.after_ns, c.ratio, c.low, c.high, outcomeOf(c), holds(c) ? "yes" : "no"])),
    tex: () => tableTex([...plain(caseHead), "before", "after", "after / before", "outcome"], rows.map((c) => [...plain(caseRow(c)), duration(c.before_ns), duration(c.after_ns), ratioWords(c), outcomeOf(c) + mark(c)])),
  });
}
if (data.left_out.length) {
  const s = section("Left out", "Cases that not every run timed are compared with nothing.");
  table(folded(s, data.left_out.length, `all ${data.left_out.length} of them`), [...caseHead, text("why")], data.left_out.map((c) => [...caseRow(c), text(c.why)]));
}
{
  const s = section("Runs", "Each says whether it was fit to be read; a verdict of a run that is not makes differences doubtful, however narrow their intervals.");
  table(s, ["run", ...["results", "measured", "verdict"].map(text)],
    sides.flatMap(({ name, runs }) => runs.map((r, k) => [`${k + 1} ${name}`, text(r.file), text(momentWords(r.context.date ?? "unknown")),
      { text: r.fitness ? r.fitness.sentence : "does not say", class: r.fitness && r.fitness.fit ? "text" : "text failed" }])));
}
{
  const s = section("Machines, builds and settings", "≠ marks what the sides differ in; in red is what times depend on beside the program.");
  const conflicts = new Set(data.conflicts.map((c) => c.key));
  const part = (title, of, keys) => {
    s.append(element("h3", {}, title));
    table(s, ["", ...sides.map(({ name }) => text(name))], keys.map((key) => {
      const values = sides.map(({ runs }) => ofRuns(runs, (r) => contextWords(of(r)[key])));
      const style = conflicts.has(key) ? "text failed" : "text";
      return [{ text: (values[0] === values[1] ? "" : "≠ ") + key, class: style }, ...values.map((value) => ({ text: value, class: style }))];
    }));
  };
  const keysOf = (of) => unique(data.runs.flatMap((r) => Object.keys(of(r))));
  const ofContext = (r) => r.context, ofSettings = (r) => r.settings;
  part("Machine", ofContext, ofMachine);
  part("Build", ofContext, keysOf(ofContext).filter((key) => !ofMachine.includes(key)));
  part("Settings", ofSettings, keysOf(ofSettings));
}
