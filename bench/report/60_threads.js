// Speedup and efficiency against threads, and the map of who wins where.
{
  // a study is of one mechanism, and worth a chart on two cores too
  const leastThreads = (cases) => (data.answers || cases.some((c) => isOf(c, "strong")) ? 2 : 3);
  const many = [...groupBy(single, (c) => c.model).entries()].map(([model, cases]) => [model, ofKind(cases, "strong")]).filter(([, cs]) => unique(cs.map((c) => c.threads)).length >= leastThreads(cs));
  if (many.length) {
    const s = section("Speedup and efficiency against threads",
      "Strong scaling. Speedup is over the fastest serial algorithm of the same mechanism, so a parallel algorithm that does more work starts below 1; efficiency is speedup per thread that ran. The serial fraction (Karp and Flatt 1990) is the share of the work that, were it serial, would explain the speedup: level where work is serial, rising where threads cost, falling where an algorithm does more work but all of it in parallel; above 1, which is not drawn, threads are slower than one. The dashed grey line is what threads that share nothing were worth on this machine, measured after each repetition. Bounds are of the machine model of kinetree predict for team, whatever the grain: no schedule is faster than the work over the threads, or than the longest chain of tasks; a greedy one takes no longer than the longest chain and the other work over the threads together (Brent 1974), and with the costs of scheduling than the burdened bound (He, Leiserson and Leiserson 2010). Where tasks were timed, the same bounds by their times.");
    const g = grid(s);
    const rows = [];
    // whatever the grain, by the machine model for `team`
    const boundsOf = (model) => (data.bounds || []).filter((b) => b.model === model).flatMap((b) => [["most", "no schedule is faster"], ["greedy", "Brent's bound, greedy"], ["burdened", "burdened bound"]]
      .map(([key, label]) => ({ label, plain: true, dash: key === "most" ? false : key === "greedy" ? "dotted" : "dashed", colour: ink.soft, points: b.speedup.map((one) => ({ x: one.threads, y: one[key], note: `${label}: ${number(one[key])} on ${one.threads} threads` })) })));
    // by the tasks of every plan that were timed one by one, the least bound of all, over the fastest serial
    const timedBounds = (cases) => {
      const spanned = [...groupBy(cases.filter((c) => c.span_ns > 0 && c.serial_ns > 0), (c) => c.threads)].sort(([a], [b]) => a - b);
      if (!spanned.length) return [];
      return [["tasks timed: no schedule is faster", false, (c) => Math.max(c.work_ns / threadsRun(c), c.span_ns)], ["tasks timed: Brent's bound", "dotted", (c) => greedyNs(c, c.span_ns, threadsRun(c))], ["tasks timed: burdened bound", true, (c) => greedyNs(c, c.burdened_span_ns, threadsRun(c))]]
        .map(([label, dash, bound]) => ({ label, plain: true, dash, colour: ink.ink, points: [{ x: 1, y: 1 }, ...spanned.map(([x, own]) => {
          const best = least(own, bound);
          return { x, y: best.serial_ns / bound(best), note: `${label}: ${number(best.serial_ns / bound(best))} on ${x} threads, by ${best.label} on ${best.executor}` };
        })] }));
    };
    for (const [model, cases] of many) {
      const most = Math.max(...cases.map((c) => c.threads));
      // of(c): a number with its interval
      const series = (of) => {
        const list = [];
        for (const [label, own] of groupBy(cases, (c) => c.label)) {
          if (unique(own.map((c) => c.threads)).length < leastThreads(cases)) continue;
          const serial = own.filter((c) => c.threads === 1);
          for (const executor of unique(own.filter((c) => c.threads > 1).map((c) => c.executor))) {
            const points = [...serial, ...own.filter((c) => c.executor === executor && c.threads > 1)]
              .map((c) => ({ x: c.threads, ...of(c), c })).filter((p) => p.y !== undefined)
              .map(({ c, ...p }) => ({ ...p, holds: holds(c), note: `${number(p.y)} [${number(p.low)}, ${number(p.high)}] on ${c.threads} threads${threadsRun(c) < c.threads ? ` (${threadsRun(c)} ran)` : ""}` }));
            if (points.length) list.push({ label: `${label} ${executor}`, points, dash: dashOf(executor), colour: colour(own[0].algorithm, label), band: colour(own[0].algorithm, label, 0.14) });
          }
        }
        return list;
      };
      const field = (name) => (c) => ({ y: c[name], low: c[`${name}_low`], high: c[`${name}_high`] });
      const threads = () => axis("threads", { min: 1, max: most, ticks: { stepSize: 1, precision: 0 } });
      const given = [...groupBy(cases.filter((c) => c.machine_gives), (c) => c.threads)]
        .map(([x, cs]) => ({ x, y: median(cs.map((c) => c.machine_gives)) }));
      lines(figure(g, `${model}: speedup`),
        [...series(field("speedup")), { label: "threads that share nothing", plain: true, dash: true, colour: ink.plain, points: [{ x: 1, y: 1 }, ...given] },
          { label: "the fastest serial", plain: true, colour: ink.plain, points: [{ x: 1, y: 1 }, { x: most, y: 1 }] },
          ...boundsOf(model), ...timedBounds(cases)],
        threads(), axis("speedup", { min: 0 }));
      lines(figure(g, `${model}: efficiency`), series(field("efficiency")), threads(), axis("speedup per thread", { min: 0 }));
      const fractions = series(field("serial_fraction"));
      if (fractions.some((one) => one.points.some((p) => p.y <= 1))) lines(figure(g, `${model}: serial fraction`), fractions, threads(), axis("serial fraction", { min: 0, max: 1 }));
      lines(figure(g, `${model}: cost`), series((c) => ({ y: c.cost_ns / 1e3, low: (c.cost_ns * c.low_ns) / c.median_ns / 1e3, high: (c.cost_ns * c.high_ns) / c.median_ns / 1e3 })),
        threads(), axis("µs of cores per state", { min: 0 }));
      for (const c of cases.filter((one) => one.speedup)) rows.push(scalingRow(c));
    }
    const d = element("details", {}, element("summary", {}, "all numbers"));
    s.append(d);
    table(d, scalingHead, rows);
    const sentences = [];
    if (single.some((c) => threadsRun(c) > physicalCores)) sentences.push(`This machine has ${physicalCores} physical cores: points beyond that many threads show what oversubscription costs.`);
    const fewer = single.filter((c) => c.algorithm !== "automatic" && threadsRun(c) < c.threads);
    for (const [executor, own] of groupBy(fewer, (c) => c.executor)) {
      const counts = unique(own.map((c) => `${c.threads} asked, ${threadsRun(c)} ran`)).sort();
      sentences.push(`${executor} gave fewer threads than were asked for (${counts.join("; ")}): its points there show those that ran.`);
    }
    if (hasRanks) sentences.push("Ranks of MPI (long dashes) count with the threads of all of them: each is a process, and what one reads of another's comes as a message.");
    if (sentences.length) s.append(element("p", { class: "read" }, sentences.join(" ")));
  }
}
{
  const ns = "http://www.w3.org/2000/svg";
  const svg = (tag, attributes, text) => {
    const e = document.createElementNS(ns, tag);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    if (text !== undefined) e.textContent = text;
    return e;
  };
  const families = [...groupBy(single.filter((c) => c.m.family !== "robot"), (c) => c.m.family)].filter(([, cs]) => unique(cs.map((c) => c.threads)).length > 1);
  if (families.length) {
    const s = section("Who wins where",
      "Each square names the fastest algorithm at that size and number of threads, with its speedup over the fastest serial one, by the lower end of its interval; full colour means that threads pay, pale that no difference can be told, pale and hatched that they lose and serial should be used. " + markWords);
    legend(s, unique(single.map((c) => c.algorithm)).map((a) => ({ text: a, colour: colour(a, a), square: true })));
    for (const [family, cases] of families) {
      const sizes = unique(cases.map((c) => c.m.bodies)).sort((a, b) => a - b);
      const threads = unique(cases.map((c) => c.threads)).sort((a, b) => b - a);
      const w = Math.min(86, 960 / sizes.length), h = 40, left = 84;
      const [width, height] = [left + w * sizes.length + 4, h * threads.length + 44];
      const map = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `fastest algorithm, ${family}` });
      const pattern = svg("pattern", { id: `hatch-${family}`, width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" });
      pattern.append(svg("line", { x1: 0, y1: 0, x2: 0, y2: 7, stroke: "var(--sheet)", "stroke-width": 3 }));
      map.append(pattern);
      const squares = [];
      threads.forEach((t, row) => {
        map.append(svg("text", { x: left - 8, y: row * h + h / 2 + 4, "text-anchor": "end", class: "axis" }, t === 1 ? "serial" : `${t} threads`));
        sizes.forEach((n, column) => {
          const best = winner(cases.filter((c) => c.m.bodies === n && c.threads === t && !isAbAgain(c)));
          if (!best) return;
          const same = t > 1 && noDifference(best), loses = t > 1 && !same && best.speedup < 1;
          squares.push({ best, n, t, outcome: t === 1 ? "serial" : same ? "no difference" : loses ? "threads lose" : "threads pay" });
          const place = { x: left + column * w + 1, y: row * h + 1, width: w - 2, height: h - 2, rx: 4 };
          map.append(svg("rect", { ...place, fill: colour(best.algorithm, best.algorithm, loses || same ? 0.3 : 1) }));
          if (loses) map.append(svg("rect", { ...place, fill: `url(#hatch-${family})` }));
          const middle = { x: place.x + place.width / 2, "text-anchor": "middle", style: loses || same ? "" : "fill:#fff" };
          map.append(svg("text", { ...middle, y: place.y + 16, "font-weight": 600 }, best.label.length * 6.4 > w ? best.label.slice(0, Math.max(2, Math.floor(w / 6.4) - 1)) + "…" : best.label));
          map.append(svg("text", { ...middle, y: place.y + 30 }, t === 1 ? duration(best.median_ns) : (same ? "no difference" : `×${number(loses ? best.speedup : sureSpeedup(best), 2)}`) + mark(best)));
        });
      });
      sizes.forEach((n, column) => map.append(svg("text", { x: left + (column + 0.5) * w, y: threads.length * h + 16, "text-anchor": "middle", class: "axis" }, n.toLocaleString("en"))));
      map.append(svg("text", { x: left + (sizes.length * w) / 2, y: threads.length * h + 34, "text-anchor": "middle", class: "axis" }, "bodies"));
      const title = familyName(family), holder = element("figure", {}, element("h3", {}, title), element("div", { class: "scroll" }, map));
      s.append(holder);
      savable(holder, title, {
        svg: () => drawnSvg(map, `${title}: fastest algorithm`),
        csv: () => csvText(["bodies", "threads", "algorithm", "label", "median_ns", "speedup", "speedup_low", "speedup_high", "outcome", "holds"],
          squares.map(({ best, n, t, outcome }) => [n, t, best.algorithm, best.label, best.median_ns, best.speedup, best.speedup_low, best.speedup_high, outcome, holds(best) ? "yes" : "no"])),
        tex: () => tableTex(["bodies", ...threads.map((t) => (t === 1 ? "serial" : `${t} threads`))], sizes.map((n) => [n, ...threads.map((t) => {
          const one = squares.find((q) => q.n === n && q.t === t);
          return one ? `${one.best.label}, ${t === 1 ? duration(one.best.median_ns) : one.outcome === "no difference" ? one.outcome : `×${number(one.outcome === "threads lose" ? one.best.speedup : sureSpeedup(one.best), 2)}`}${mark(one.best)}` : "–";
        })])),
      });
    }
  }
}
