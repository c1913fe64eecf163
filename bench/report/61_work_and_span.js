// Work and span of the tasks of each plan on several threads, timed one by one, and what they allow.
{
  const spanned = data.cases.filter((c) => c.batch === 1 && c.span_ns > 0);
  if (spanned.length) {
    const s = section("Work and span, in time",
      "The tasks of each plan, timed one by one on one thread: work is what they take together, span what the longest path takes of those that wait for each other as the executor keeps them. Work over span, the parallelism, is the most threads that they could keep busy. The burdened span has the costs of handing over and of meeting in it, wherever another thread may go on (He, Leiserson and Leiserson 2010). No schedule takes less than the work over the threads, or than the span (least); a greedy one takes no more than both together (Brent 1974), and with the costs no more than the work over the threads and the burdened span. TP is what was measured. Threads that slow each other down, by memory or as halves of a core, are in TP alone.");
    const unsure = (c) => c.span_disagreement > 0.25;
    const time = (ns, sign = "") => (duration(ns) + sign).replace(/ /g, "\u00a0");
    const rows = spanned.map((c) => {
      const share = c.work_ns / threadsRun(c);
      return [c.model, { text: c.label, class: "text" }, { text: c.executor, class: "text" }, threadsRun(c), time(c.work_ns, unsure(c) ? " ±" : ""), time(c.span_ns), number(c.parallelism),
        time(c.burdened_span_ns), number(c.burdened_parallelism), time(Math.max(share, c.span_ns)), time(share + c.span_ns), time(share + c.burdened_span_ns), c.median_ns ? time(c.median_ns, mark(c)) : "–"];
    });
    table(s, ["mechanism", { text: "algorithm", class: "text" }, { text: "executor", class: "text" }, "threads", "work", "span", "parallelism", "burdened span", "burdened parallelism", "least", "greedy", "burdened", "TP"], rows);
    if (spanned.some(unsure)) s.append(element("p", { class: "read" }, "± marks work and span of which two readings were more than a quarter apart: the machine was busy."));
  }
}
