// A chart as a picture that stands alone: the axes with the ticks that the page shows, bands, lines, marks and the legend.
const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]).replace(/[\0-\x08\x0b\x0c\x0e-\x1f]/g, "\ufffd");
const px = (v) => String(Math.round(v * 100) / 100);
const tag = (name, attributes, text) =>
  `<${name}${Object.entries(attributes).map(([k, v]) => ` ${k}="${typeof v === "number" ? px(v) : escaped(v)}"`).join("")}${text === undefined ? "/>" : `>${escaped(text)}</${name}>`}\n`;
const textWidth = (text, size = 12) => {
  probe.font = `${size}px ${Chart.defaults.font.family}`;
  return probe.measureText(text).width;
};
const svgDocument = (width, height, title, body) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${px(width)}" height="${px(height)}" viewBox="0 0 ${px(width)} ${px(height)}" font-family="system-ui, Roboto, 'DejaVu Sans', sans-serif" font-size="12">\n` +
  `<title>${escaped(title)}</title>\n<desc>${escaped(origin)}</desc>\n<rect width="100%" height="100%" fill="#ffffff"/>\n${body}</svg>\n`;

// Where a value stands between two pixels.
const placeOn = (axis, from, to) => (value) => {
  const on = axis.log ? Math.log : (v) => v;
  return from + ((to - from) * (on(value) - on(axis.min))) / (on(axis.max) - on(axis.min));
};
const areaWidth = 540;
// The frame of an area whose left upper corner is at (left, top): grid, ticks, titles of both axes.
const frameSvg = ({ x, y }, left, top, height) => {
  const across = placeOn(x, left, left + areaWidth), down = placeOn(y, top + height, top);
  const grey = { stroke: lightInk.line, "stroke-width": "1" };
  let out = "";
  for (const { value, label } of x.ticks) {
    out += tag("line", { x1: across(value), y1: top, x2: across(value), y2: top + height, ...grey });
    if (label) out += tag("text", { x: across(value), y: top + height + 17, "text-anchor": "middle", fill: lightInk.soft }, label);
  }
  for (const { value, label } of y.ticks) {
    if (!y.plain) out += tag("line", { x1: left, y1: down(value), x2: left + areaWidth, y2: down(value), ...grey });
    if (label) out += tag("text", { x: left - 7, y: down(value) + 4, "text-anchor": "end", fill: y.plain ? lightInk.ink : lightInk.soft }, label);
  }
  out += tag("rect", { x: left, y: top, width: areaWidth, height, fill: "none", ...grey });
  out += tag("text", { x: left + areaWidth / 2, y: top + height + 36, "text-anchor": "middle", fill: lightInk.soft }, x.title);
  if (y.title) out += tag("text", { transform: `translate(14 ${px(top + height / 2)}) rotate(-90)`, "text-anchor": "middle", fill: lightInk.soft }, y.title);
  return out;
};
const leftOf = (y) => 12 + (y.title ? 20 : 0) + Math.max(...y.ticks.map(({ label }) => textWidth(label)));

const dashes = (s) => (s.dash === "dotted" ? "2 3" : s.dash === "long" ? "12 3" : s.dash ? "6 4" : "none");
const lineStyle = (s) => {
  const { hex, opacity } = paint(s.colour);
  return { stroke: hex, "stroke-opacity": String(opacity), "stroke-width": s.plain ? "1.2" : "1.8", "stroke-dasharray": dashes(s), fill: "none" };
};
const markSvg = (s, x, y, holds) => {
  const { hex } = paint(s.colour);
  const style = { fill: holds === false ? "#ffffff" : hex, stroke: hex };
  return s.dash ? tag("path", { d: `M${px(x - 3.2)} ${px(y)}L${px(x)} ${px(y - 3.2)}L${px(x + 3.2)} ${px(y)}L${px(x)} ${px(y + 3.2)}Z`, ...style })
                : tag("circle", { cx: x, cy: y, r: 2.6, ...style });
};
// Entries side by side, in as many rows as they need; the height of all and the picture of them.
const legendSvg = (series, left, top) => {
  let out = "", x = left, y = top;
  for (const s of series) {
    const width = 30 + textWidth(s.label) + 16;
    if (x > left && x + width > left + areaWidth) x = left, y += 18;
    out += s.scatter ? markSvg(s, x + 11, y) : tag("line", { x1: x, y1: y, x2: x + 22, y2: y, ...lineStyle(s) }) + (s.plain ? "" : markSvg(s, x + 11, y));
    out += tag("text", { x: x + 28, y: y + 4, fill: lightInk.soft }, s.label);
    x += width;
  }
  return { out, height: y - top + 18 };
};

const drawingSvg = (drawing) => {
  const { title, x, y, series } = drawing;
  const left = leftOf(y), top = 34, height = 320;
  const across = placeOn(x, left, left + areaWidth), down = placeOn(y, top + height, top);
  const isShown = (v, axis) => v !== null && v !== undefined && isFinite(v) && (!axis.log || v > 0);
  // stretches of points that all have these numbers: a line ends where one is missing
  const stretches = (s, keys) => {
    const all = [[]];
    for (const p of s.points) isShown(p.x, x) && keys.every((key) => isShown(p[key], y)) ? all[all.length - 1].push(p) : all.push([]);
    return all.filter((stretch) => stretch.length);
  };
  const path = (points, key) => points.map((p) => `${px(across(p.x))} ${px(down(p[key]))}`).join("L");
  let body = tag("text", { x: left, y: 20, "font-size": "14", "font-weight": "600", fill: lightInk.ink }, title) + frameSvg(drawing, left, top, height);
  body += `<clipPath id="area"><rect x="${px(left)}" y="${px(top)}" width="${areaWidth}" height="${height}"/></clipPath>\n<g clip-path="url(#area)">\n`;
  for (const s of series.filter((one) => one.band)) {
    const { hex, opacity } = paint(s.band);
    for (const points of stretches(s, ["low", "high"]))
      body += tag("path", { d: `M${path(points, "high")}L${path([...points].reverse(), "low")}Z`, fill: hex, "fill-opacity": String(opacity) });
  }
  const onTop = [...series].reverse();  // the first of the legend, as on the page
  for (const s of onTop.filter((one) => !one.scatter))
    for (const points of stretches(s, ["y"])) body += tag("path", { d: `M${path(points, "y")}`, ...lineStyle(s) });
  body += "</g>\n";
  // marks reach over the frame's edge
  const inside = (p) => p.x >= x.min && p.x <= x.max && p.y >= y.min && p.y <= y.max;
  for (const s of onTop.filter((one) => !one.plain))
    for (const p of stretches(s, ["y"]).flat().filter(inside)) body += markSvg(s, across(p.x), down(p.y), p.holds);
  const under = legendSvg(series, left, top + height + 58);
  return svgDocument(left + areaWidth + 16, top + height + 50 + under.height, title, body + under.out);
};

// Bars about the yardstick at 1, with whiskers, and a text to the right of each.
const barsSvg = ({ title, x, rows }) => {
  const y = { title: "", plain: true, min: rows.length - 0.5, max: -0.5, ticks: rows.map((r, k) => ({ value: k, label: r.label })) };
  const left = leftOf(y), top = 34, height = rows.length * 25;
  const across = placeOn(x, left, left + areaWidth), down = placeOn(y, top + height, top);
  let body = tag("text", { x: left, y: 20, "font-size": "14", "font-weight": "600", fill: lightInk.ink }, title) + frameSvg({ x, y }, left, top, height);
  rows.forEach((r, k) => {
    const [from, to] = [across(1), across(r.value)].sort((a, b) => a - b), middle = down(k);
    body += tag("rect", { x: from, y: middle - 9.5, width: Math.max(2, to - from), height: 19, fill: paint(r.colour).hex });
    const shown = onAxis(r, x), [low, high] = [across(shown.low), across(shown.high)];
    const end = (at, is) => (is ? `M${px(at)} ${px(middle - 3)}v6` : "");
    if (high - low > 1.5) body += tag("path", { d: `M${px(low)} ${px(middle)}H${px(high)}${end(low, shown.low === r.low)}${end(high, shown.high === r.high)}`, stroke: lightInk.ink, fill: "none" });
    body += tag("text", { x: left + areaWidth + 8, y: middle + 4, fill: lightInk.ink }, r.text);
  });
  return svgDocument(left + areaWidth + 20 + Math.max(...rows.map((r) => textWidth(r.text))), top + height + 48, title, body);
};

// A picture that the page itself draws as SVG: its colours and its style sheet go with it.
const drawnSvg = (picture, title) => {
  const { width, height } = picture.viewBox.baseVal;
  const body = [...picture.childNodes].map((node) => new XMLSerializer().serializeToString(node)).join("\n")
    .replaceAll(' xmlns="http://www.w3.org/2000/svg"', "").replaceAll("var(--sheet)", "#ffffff")
    .replace(/fill="(hsla\([^"]*\))"/g, (_, c) => { const { hex, opacity } = paint(c); return `fill="${hex}" fill-opacity="${opacity}"`; });
  return svgDocument(width, height, title, `<style>text { font-size: 11px; fill: ${lightInk.ink}; } text.axis { fill: ${lightInk.soft}; }</style>\n${body}\n`);
};
