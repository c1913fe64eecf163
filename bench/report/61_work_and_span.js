// Work and span of the tasks of each plan on several threads, timed one by one, and what they allow.
{
  const spanned = data.cases.filter((c) => c.batch === 1 && c.span_ns > 0);
  if (spanned.length) {
    const s = section("Work and span, in time",
      "The tasks of each plan, timed one by one on one thread: work is what they take together, span what the longest path takes of those that wait for each other as the executor keeps them. Work over span, the parallelism, is the most threads that they could keep busy. The burdened span has the costs of handing over and of meeting in it, wherever another thread may go on (He, Leiserson and Leiserson 2010). No schedule takes less than the work over the threads, or than the span (least); a greedy one takes no more than the span and the other work over the threads together (Brent 1974), and with the costs the same of the burdened span. TP is what was measured. Threads that slow each other down, by memory or as halves of a core, are in TP alone.");
    const unsure = (c) => c.span_disagreement > 0.25;
    const time = (ns, sign = "") => (duration(ns) + sign).replace(/ /g, "\u00a0");
    const rows = spanned.map((c) => {
      const p = threadsRun(c);
      return [c.model, { text: c.label, class: "text" }, { text: c.executor, class: "text" }, p, time(c.work_ns, unsure(c) ? " ±" : ""), time(c.span_ns), number(c.parallelism),
        time(c.burdened_span_ns), number(c.burdened_parallelism), time(Math.max(c.work_ns / p, c.span_ns)), time(greedyNs(c, c.span_ns, p)), time(greedyNs(c, c.burdened_span_ns, p)), c.median_ns ? time(c.median_ns, mark(c)) : "–"];
    });
    table(s, ["mechanism", { text: "algorithm", class: "text" }, { text: "executor", class: "text" }, "threads", "work", "span", "parallelism", "burdened span", "burdened parallelism", "least", "greedy", "burdened", "TP"], rows);
    // fixed grains stand in the table; of the executors the one whose tasks allow the most
    const drawn = spanned.filter((c) => c.serial_ns > 0 && !unsure(c) && !/^modular:\d+$/.test(c.label));
    if (drawn.length) {
      s.append(element("p", { class: "read" }, "What these tasks allow on more threads, as speedup over the fastest serial algorithm: Brent's bound solid, the burdened bound dashed, by the tasks for the most threads that ran. For more threads there would be more tasks, and costs are taken not to grow."));
      const g = grid(s);
      const threads = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
      for (const [model, cases] of groupBy(drawn, (c) => c.model)) {
        const most = Math.max(...cases.map(threadsRun));
        const series = [];
        for (const [label, own] of groupBy(cases.filter((c) => threadsRun(c) === most), (c) => c.label)) {
          const c = least(own, (one) => greedyNs(one, one.burdened_span_ns, most));
          for (const [bound, span, dash] of [["Brent's bound", c.span_ns, false], ["burdened bound", c.burdened_span_ns, true]])
            series.push({ label: `${label} ${c.executor}: ${bound}`, dash, colour: colour(c.algorithm, label), points: threads.map((p) => {
                const y = c.serial_ns / greedyNs(c, span, p);
                return { x: p, y, note: `${label} ${c.executor}, ${bound}: ${number(y)} on ${p} threads` };
              }) });
        }
        lines(figure(g, `${model}: tasks for ${most} threads`), series, axis("threads", { log: true }), axis("speedup", { min: 0 }));
      }
    }
    if (spanned.some(unsure)) s.append(element("p", { class: "read" }, "± marks work and span of which two readings were more than a quarter apart: the machine was busy."));
  }
}
