"use strict";
// How the comparison came out, in words first: whether it may be read, what differs, what a reader must know before.
const sides = ["before", "after"].map((name) => ({ name, runs: data.runs.filter((r) => r.side === name) }));
// One of them where all runs agree, else all of them.
const ofRuns = (runs, words) => unique(runs.map(words)).join("; ");
const origin = `kinetree compare, ${sides.map(({ name, runs }) => `${name}: ${ofRuns(runs, (r) => `${commitWords(r.context)}, ${momentWords(r.context.date)}`)}`).join("; ")}, ${ofRuns(data.runs, (r) => r.context.processor)}`;
page.append(
  element("h1", {}, `kinetree: the ${ofRuns(data.runs, (r) => r.sweep)} sweep, before and after`),
  element("p", { class: "lead" }, `${sides.map(({ name, runs }) => `${name}: ${runs.length === 1 ? "one run" : `${runs.length} runs`} of ${ofRuns(runs, (r) => commitWords(r.context))}`).join("; ")}; on ${ofRuns(data.runs, (r) => r.context.processor)}.`),
  element("p", { class: data.fit && !data.conflicts.length ? "verdict fit" : "verdict unfit" }, data.conflicts.length ? `Forced: ${data.conflicts.length === 1 ? "one thing that times depend on differs" : `${data.conflicts.length} things that times depend on differ`}. ${data.fitness}` : data.fitness));
{
  const s = section("How it came out");
  for (const sentence of data.outcome) s.append(element("p", { class: "answer" }, sentence.replace(/[^.]$/, "$&.")));
  if (data.cautions.length) s.append(element("h3", {}, "To know before"), element("ul", { class: "read" }, ...data.cautions.map((one) => element("li", {}, one))));
  s.append(element("p", { class: "read" }, "Times are of a state; after over before is above 1 where a case became slower. A case is slower or faster for certain where the interval of 95 % of that ratio holds no 1" + (sides.some(({ runs }) => runs.length === 1) ? ", and, with one run on a side, the ratio is 5 % or more away from it." : ".")));
}
if (data.cases.length) {
  card(data.slower, "cases slower for certain");
  card(data.faster, "cases faster for certain");
  card(data.no_different, "cases no different");
  card(number(data.geometric_mean, 4), "geometric mean of after over before, of all cases");
}
page.querySelector(".verdict").after(contents);

const outcomeOf = (c) => (!c.differs ? "no difference" : c.ratio > 1 ? "slower" : "faster");
const ratioNumber = (x) => (x >= 1e-3 && x < 1e3 ? x.toPrecision(3) : number(x));
const ratioWords = (c) => `${ratioNumber(c.ratio)} [${ratioNumber(c.low)}, ${ratioNumber(c.high)}]`;
// Those that differ first, and of each the slowest first.
const worstFirst = (cases) => [...cases].sort((a, b) => b.differs - a.differs || b.ratio - a.ratio);
