// A picture per mechanism, the one with the worst case that differs first; those of one case each are one picture.
{
  const barsOfOne = 24, fill = 12, barsOfAll = 60, mostPictures = 40;
  // a label has what tells the cases of this comparison apart
  const executors = unique(data.cases.filter((c) => c.threads > 1).map((c) => c.executor));
  const parts = [(c) => (c.threads === 1 ? "1 thread" : `${c.threads} threads${executors.length > 1 ? ` ${c.executor}` : ""}`), (c) => (c.batch === 1 ? "1 state" : `${number(c.batch, 7)} states`), (c) => (c.lanes === 1 ? "1 lane" : `${c.lanes} lanes`)];
  const telling = parts.filter((words) => unique(data.cases.map(words)).length > 1);
  const labelOf = (c, alone) => [...(alone ? [c.model] : []), c.label, ...telling.map((words) => words(c))].join(", ") + mark(c);
  const row = (c, alone) => ({
    label: labelOf(c, alone), value: c.ratio, low: c.low, high: c.high, text: ratioWords(c), short: ratioNumber(c.ratio), colour: !c.differs ? ink.plain : c.ratio > 1 ? ink.bad : ink.good,
    note: `${duration(c.before_ns)} before, ${duration(c.after_ns)} after: ${ratioWords(c)}, ${outcomeOf(c)}`,
  });
  const casesOf = groupBy(data.cases, (c) => c.model);
  const single = [...casesOf.values()].filter((cases) => cases.length === 1).length > 1;
  const isAlone = (c) => single && casesOf.get(c.model).length === 1;
  const groups = [...groupBy(worstFirst(data.cases), (c) => (isAlone(c) ? "Mechanisms of one case each" : c.model)).entries()]
    .map(([name, cases]) => ({ name, cases, alone: isAlone(cases[0]), differ: cases.filter((c) => c.differs).length }));
  let count = 0, bare = 0;
  const drawn = [];
  for (const group of groups) {
    if (drawn.length >= mostPictures || (group.differ === 0 && count >= barsOfAll)) {
      bare += group.alone ? group.cases.length : 1;
      continue;
    }
    // those that differ most, and beside few of them some others
    const far = (c) => Math.abs(Math.log(c.ratio));
    group.shown = worstFirst([...group.cases].sort((a, b) => b.differs - a.differs || far(b) - far(a)).slice(0, Math.max(fill, Math.min(barsOfOne, group.differ))));
    count += group.shown.length;
    drawn.push(group);
  }
  if (drawn.length) {
    const s = section("After over before, by mechanism", "To the right of 1 is slower, to the left faster; whiskers are intervals of 95 %, and one without an end goes on beyond the picture. The mechanism with the worst case that differs comes first, and so do its cases. " +
      (data.cases.every(holds) ? "" : "± marks timings that do not hold in every run."));
    legend(s, [{ text: "slower for certain", colour: ink.bad, square: true }, { text: "faster for certain", colour: ink.good, square: true }, { text: "no difference", colour: ink.plain, square: true }]);
    const g = grid(s), all = drawn.flatMap(({ shown }) => shown);
    // room for every ratio and for the intervals of those that differ; of the wide intervals of others a part will do
    const ends = all.flatMap((c) => (c.differs ? [c.low, c.high] : [c.ratio])), core = [Math.min(1, ...ends), Math.max(1, ...ends)];
    const room = Math.max(1.05, (core[1] / core[0]) ** 0.3);
    const span = [Math.max(core[0] / room, Math.min(...all.map((c) => c.low))), Math.min(core[1] * room, Math.max(...all.map((c) => c.high)))];
    for (const { name, cases, alone, differ, shown } of drawn) {
      const of = cases.length === 1 ? "one case" : `${cases.length} cases`;
      const plot = figure(g, name);
      plot.before(element("p", { class: "read" }, differ ? `${differ} of ${of} ${differ === 1 ? "differs" : "differ"}` : `${of}, none differs`));
      bars(plot, shown.map((c) => row(c, alone)), "after over before", span);
      if (cases.length > shown.length) plot.parentElement.append(element("p", { class: "read note" }, `${cases.length - shown.length} more stand in the table below.`));
    }
    if (bare) s.append(element("p", { class: "read note" }, `${bare} more mechanisms stand in the table below${drawn.length < mostPictures ? "; none of their cases differs" : ""}.`));
  }
}
