// A chart as an axis of pgfplots with its tables, and rows as a tabular, to be read by \input.
const texWords = { "\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", $: "\\$", "&": "\\&", "#": "\\#", "%": "\\%", _: "\\_", "^": "\\textasciicircum{}", "~": "\\textasciitilde{}",
  "µ": "$\\mu$", "×": "$\\times$", "±": "$\\pm$", "−": "$-$", "–": "--", "…": "\\ldots{}", "“": "``", "”": "''", "²": "$^2$" };
const texText = (text) => String(text).replace(/[\\{}$&#%_^~µ×±−–…“”²]/g, (c) => texWords[c]).replace(/\s+/g, " ");
const texComment = (needs) => `% ${origin.replace(/\s+/g, " ")}\n% needs ${needs}\n`;
const pgfHead = () => texComment("\\usepackage{pgfplots} \\pgfplotsset{compat=1.16}");

// Names of colours by their #rrggbb, and the lines that define them.
const texColours = (list) => {
  const names = new Map(unique(list.map((c) => paint(c).hex)).map((hex, k) => [hex, `kinetree${k}`]));
  return { of: (c) => names.get(paint(c).hex), define: [...names].map(([hex, name]) => `\\definecolor{${name}}{HTML}{${hex.slice(1).toUpperCase()}}\n`).join("") };
};
// TeX has no length above 16384 pt: points farther out than 50 times the axis are drawn there, their tables keep them.
const filter = (letter, { min, max }) => `${letter} filter/.expression={min(max(${letter},${min - 50 * (max - min)}),${max + 50 * (max - min)})}`;
// pgfplots writes 10^{1.15} where an axis has less than a decade: logarithmic axes have the page's ticks.
const texTick = (label) => {
  const power = label.replace("−", "-").match(/^(\d)e(-?\d+)$/);
  return power ? `$${power[1] === "1" ? "" : `${power[1]}\\cdot`}10^{${power[2]}}$` : texText(label);
};
const ticks = (letter, axis) => {
  const labelled = axis.ticks.filter((t) => t.label);
  return [`${letter}tick={${labelled.map((t) => t.value).join(",")}}`, ...(axis.log ? [`${letter}ticklabels={${labelled.map((t) => `{${texTick(t.label)}}`).join(",")}}`] : [])];
};
const axisOptions = (letter, axis) => [`${letter}label={${texText(axis.title)}}`, `${letter}mode=${axis.log ? "log" : "linear"}`, `${letter}min=${axis.min}`, `${letter}max=${axis.max}`,
  ...(axis.log ? [] : [filter(letter, axis)]), ...ticks(letter, axis)];
const texAxis = (options, colours, body) =>
  `${pgfHead()}\\begin{tikzpicture}\n${colours.define}\\begin{axis}[\n${options.map((o) => `  ${o},\n`).join("")}]\n${body}\\end{axis}\n\\end{tikzpicture}\n`;
const texRows = (names, rows) => `table[row sep=crcr] {\n${[names, ...rows].map((row) => `${row.map((c) => c ?? "nan").join(" ")} \\\\\n`).join("")}}`;

const drawingTex = ({ title, x, y, series }) => {
  const colours = texColours(series.map((s) => s.colour));
  const isShown = (p) => [p.x, p.y].every((v) => v !== null && v !== undefined && isFinite(v)) && (!x.log || p.x > 0) && (!y.log || p.y > 0);
  let bands = "", body = "";
  for (const s of series) {
    const points = s.points.filter(isShown), name = colours.of(s.colour);
    const sure = s.band ? points.filter((p) => isShown({ x: p.x, y: p.low }) && isShown({ x: p.x, y: p.high })) : [];
    if (sure.length) bands += `\\addplot[forget plot, draw=none, fill=${name}, fill opacity=${paint(s.band).opacity}] coordinates {${[...sure.map((p) => [p.x, p.high]), ...sure.reverse().map((p) => [p.x, p.low])].map(([a, b]) => `(${a},${b})`).join(" ")}} -- cycle;\n`;
    const { opacity } = paint(s.colour);
    const style = [`color=${name}`, ...(opacity < 1 ? [`opacity=${opacity}`] : []), s.scatter ? "only marks" : s.dash === "dotted" ? "densely dotted" : s.dash === "long" ? "loosely dashed" : s.dash ? "dashed" : "solid",
      ...(s.plain ? ["mark=none"] : ["semithick", `mark=${s.dash ? "diamond*" : "*"}`, "mark size=1.4pt", "mark options={solid}"])];
    const rows = points.map((p) => [p.x, p.y, p.low, p.high]);
    body += `\\addplot[${style.join(", ")}] ${texRows(["x", "y", "low", "high"], rows)};\n\\addlegendentry{${texText(s.label)}}\n`;
    const unsure = points.filter((p) => p.holds === false);
    if (unsure.length) body += `% timings that do not hold\n\\addplot[forget plot, only marks, color=${name}, mark=${s.dash ? "diamond*" : "*"}, mark size=1.4pt, mark options={fill=white}] ${texRows(["x", "y"], unsure.map((p) => [p.x, p.y]))};\n`;
  }
  return texAxis([`title={${texText(title)}}`, "width=\\linewidth", "height=0.6\\linewidth", ...axisOptions("x", x), ...axisOptions("y", y), "grid=major", "grid style={black!12}",
    "legend columns=2", "legend cell align=left", "legend style={at={(0.5,-0.2)}, anchor=north, draw=none, font=\\footnotesize}"], colours, bands + body);
};

const barsTex = ({ title, x, rows }) => {
  const colours = texColours(rows.map((r) => r.colour));
  let body = "";
  for (const [c, own] of groupBy(rows.map((r, k) => ({ r, k })), ({ r }) => r.colour))
    body += `\\addplot[draw=none, fill=${colours.of(c)}, error bars/.cd, x dir=both, x explicit, error bar style={black}] table[row sep=crcr, x=x, y=y, x error plus=plus, x error minus=minus] {\nx y plus minus \\\\\n` +
      own.map(({ r, k }) => ({ ...r, ...onAxis(r, x), k })).map(({ value, low, high, k }) => `${value} ${k} ${high - value} ${value - low} \\\\\n`).join("") + "};\n";
  rows.forEach((r, k) => { body += `\\node[anchor=west, font=\\footnotesize] at (axis cs:${x.max},${k}) {${texText(r.text)}};\n`; });
  return texAxis([`title={${texText(title)}}`, "width=0.7\\linewidth", `height=${px(rows.length * 0.6 + 2.4)}cm`, "xbar", "log origin=0", "bar width=9pt", "bar shift=0pt", "clip=false", "y dir=reverse",
    ...axisOptions("x", x), `ymin=-0.6`, `ymax=${rows.length - 0.4}`, `ytick={${rows.map((_, k) => k).join(",")}}`, `yticklabels={${rows.map((r) => `{${texText(r.label)}}`).join(",")}}`, "xmajorgrids", "grid style={black!12}"], colours, body);
};

const tableTex = (head, rows) =>
  `${texComment("nothing more than LaTeX")}\\begin{tabular}{l${"r".repeat(head.length - 1)}}\n\\hline\n${[head, ...rows].map((row, k) => `${row.map((c) => texText(c ?? "")).join(" & ")} \\\\\n${k === 0 ? "\\hline\n" : ""}`).join("")}\\hline\n\\end{tabular}\n`;
