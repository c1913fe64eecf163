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
  const s = element("section", { id: anchorOf(title) }, element("h2", {}, title), read ? element("p", { class: "read" }, read) : null);
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
                        : element("i", { style: `border-color:${c};border-top-style:${dash === "dotted" ? "dotted" : dash === "long" ? "double" : dash ? "dashed" : "solid"}` });
    l.append(element("span", {}, mark, text));
  }
  parent.append(l);
  return [...l.children];
};
// An outcome in a few numbers; the first call puts their row where it is called.
const card = (value, text) => {
  let cards = page.querySelector(".cards");
  if (!cards) page.append((cards = element("div", { class: "cards" })));
  cards.append(element("div", { class: "card" }, element("b", {}, value), element("span", {}, text)));
};
// What a context tells of the machine; the rest is of the build.
const ofMachine = ["processor", "sockets", "physical cores", "kinds of cores", "logical processors", "SMT", "NUMA nodes", "caches", "memory", "memory bandwidth at the start", "hypervisor", "frequency limits", "frequency governor",
  "frequency at the end", "instruction set", "affinity", "pinning", "load average at the start", "load average at the end", "system"];
const contextWords = (value) => (value === true ? "yes" : value === false ? "no" : String(value ?? "unknown"));
const momentWords = (date) => String(date).replace("T", " ").replace("Z", " UTC");
const commitWords = (context) => `commit ${String(context.commit).slice(0, 10)}${context["uncommitted changes"] ? " with uncommitted changes" : ""}`;
