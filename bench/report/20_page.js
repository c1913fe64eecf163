// Building the page: elements, sections, tables, legends.
const page = document.getElementById("page");
const element = (tag, attributes = {}, ...children) => {
  const e = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children.filter((c) => c !== null && c !== undefined));
  return e;
};
// Every section has an anchor, and stands in the table of contents.
const contents = element("nav", { class: "contents", "aria-label": "contents" });
const anchorOf = (title) => title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
const section = (title, read) => {
  const s = element("section", { id: anchorOf(title) }, element("h2", {}, title), element("p", { class: "read" }, read));
  contents.append(element("a", { href: `#${anchorOf(title)}` }, title));
  page.append(s);
  return s;
};
const figure = (parent, title) => {
  const plot = element("div", { class: "plot" });
  parent.append(element("figure", {}, element("h3", {}, title), plot));
  return plot;
};
const grid = (parent) => {
  const g = element("div", { class: "grid" });
  parent.append(g);
  return g;
};
// rows: arrays of text or {text, class, columns it takes}
const table = (parent, head, rows) => {
  const cell = (tag, c) => element(tag, { ...(c && c.class ? { class: c.class } : {}), ...(c && c.columns ? { colspan: c.columns } : {}) }, c && c.text !== undefined ? c.text : String(c ?? ""));
  const body = element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((c) => cell("td", c)))));
  const t = element("table", {}, element("thead", {}, element("tr", {}, ...head.map((c) => cell("th", c)))), body);
  parent.append(element("div", { class: "scroll" }, t));
};
const legend = (parent, entries) => {
  const l = element("div", { class: "legend" });
  for (const { text, colour: c, dash, square, dot } of entries) {
    const mark = square || dot ? element("i", { class: square ? "square" : "dot", style: `background:${c}` })
                        : element("i", { style: `border-color:${c};border-top-style:${dash === "dotted" ? "dotted" : dash ? "dashed" : "solid"}` });
    l.append(element("span", {}, mark, text));
  }
  parent.append(l);
  return [...l.children];
};
// A case on threads beside the serial one that it is compared with.
const scalingHead = ["mechanism", "states a call", { text: "algorithm", class: "text" }, { text: "executor", class: "text" }, "threads", { text: "T1, by", class: "text" }, "TP", "speedup", "efficiency", "cost, of cores", "serial fraction"];
const between = (c, name) => (c[name] === undefined ? "–" : `${number(c[name])} [${number(c[`${name}_low`])}, ${number(c[`${name}_high`])}]`);
const scalingRow = (c) => [c.model, c.batch, { text: c.label, class: "text" }, { text: c.executor, class: "text" }, threadsRun(c) < c.threads ? `${c.threads}, ${threadsRun(c)} ran` : c.threads,
  { text: `${duration(c.serial_ns)}, ${c.fastest_serial}`, class: "text" }, `${duration(c.median_ns)} [${duration(c.low_ns)}, ${duration(c.high_ns)}]${mark(c)}`,
  between(c, "speedup"), between(c, "efficiency"), duration(c.cost_ns), between(c, "serial_fraction")];
