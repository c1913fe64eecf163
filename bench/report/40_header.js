// What the page is about, and the outcome in a few numbers.
page.append(
  element("h1", {}, data.answers ? `kinetree: ${data.sweep}` : `kinetree: the ${data.sweep} sweep`),
  element("p", { class: "lead" },
    `Forward dynamics compared on ${data.models.length} mechanisms, on ${momentWords(context.date)}, ` +
    `${context.processor}, ${physicalCores} cores, ${commitWords(context)}.`));
if (data.complete === false)
  page.append(element("p", { class: "read failed" },
    `Incomplete: the sweep was interrupted, and this shows ${data.cases.filter((c) => c.finished !== false).length} of its ${data.cases_asked_for} cases` +
    `${data.cases.some((c) => c.finished === false) ? `, and of ${data.cases.filter((c) => c.finished === false).length} more some repetitions` : ""}; kinetree sweep --resume goes on with it.`));
// Whether the run may be read at all comes first, then what a study was asked.
if (data.fitness)
  page.append(element("p", { class: data.fitness.fit ? "verdict fit" : "verdict unfit" }, data.fitness.sentence));
if (data.fitness?.doubt_of_predictions) {
  const doubt = data.fitness.doubt_of_predictions;
  page.append(element("p", { class: "read" }, `${doubt[0].toUpperCase()}${doubt.slice(1)}.`));
}
page.append(contents);
if (data.answers) {
  const s = section("Answers", "From timings that hold alone; intervals are of 95 %, and two that overlap are called no different.");
  for (const { question, answer } of data.answers) s.append(element("h3", {}, question), element("p", { class: "answer" }, answer));
}
{
  const failed = data.cases.filter((c) => c.failure);
  const winners = [...groupBy(single.filter((c) => c.threads === 1 && holds(c)), (c) => c.model).values()].map(winner);
  const abWins = winners.filter((c) => c.algorithm === "ab" || isAbAgain(c)).length;
  const parallel = single.filter((c) => threadsRun(c) > 1 && c.speedup && holds(c));
  const winning = unique(parallel.filter((c) => sureSpeedup(c) > 1).map((c) => c.model)).length;
  const best = least(parallel, (c) => -sureSpeedup(c));
  card(`${timed.length}`, `cases timed, every answer checked first${failed.length ? `; ${failed.length} refused` : ""}`);
  card(`${abWins} of ${winners.length}`, "mechanisms where serial AB is the fastest serial choice");
  card(`${winning} of ${unique(parallel.map((c) => c.model)).length}`, "mechanisms that several threads speed up, one state at a time");
  if (best && sureSpeedup(best) > 1) card(`×${number(sureSpeedup(best))}`, `best speedup at least over the fastest serial: ${best.model}, ${best.label}, ${best.threads} threads`);
}
