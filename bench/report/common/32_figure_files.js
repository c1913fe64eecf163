// Figures as files for papers: pictures (SVG), data (CSV) and LaTeX (pgfplots, or a table), made from what the page shows.
// Colours of files are those of the light page, whatever the reader's is.
const lightStyle = document.styleSheets[0].cssRules[0].style;
for (const name of Object.keys(ink)) onPaper.set(ink[name], lightStyle.getPropertyValue(`--${name}`).trim());
const lightInk = Object.fromEntries(Object.keys(ink).map((name) => [name, onPaper.get(ink[name])]));
// A canvas knows every notation of colours; of programs that read SVG and of LaTeX some know #rrggbb alone.
const probe = document.createElement("canvas").getContext("2d");
const paint = (c) => {
  probe.fillStyle = onPaper.get(c) || c;
  const parts = probe.fillStyle.match(/^rgba\((\d+), (\d+), (\d+), ([\d.]+)\)$/);
  if (!parts) return { hex: probe.fillStyle, opacity: 1 };
  return { hex: "#" + parts.slice(1, 4).map((p) => Number(p).toString(16).padStart(2, "0")).join(""), opacity: Number(parts[4]) };
};

const csvCell = (c) => (/[",\r\n]/.test(c) ? `"${c.replaceAll('"', '""')}"` : c);
const csvText = (head, rows) => [head, ...rows].map((row) => row.map((c) => csvCell(String(c ?? ""))).join(",") + "\n").join("");
// drawing: {title, x, y, series}; an axis has title, log, min, max and ticks of value and label
const drawingCsv = ({ x, y, series }) =>
  csvText(["series", x.title, y.title, "low", "high", "holds", "note"],
    series.flatMap((s) => s.points.map((p) => [s.label, p.x, p.y, p.low, p.high, p.holds === undefined ? "" : p.holds ? "yes" : "no", p.note])));

const endings = { svg: "SVG", csv: "CSV", tex: "LaTeX" };
const figureFiles = new Map();  // file name to the function that writes it
// Under `parent` a way to save each of `writers`, functions by ending; the name is of the section and the title.
const savable = (parent, title, writers) => {
  const stem = `${parent.closest("section").id}-${anchorOf(title)}`;
  let name = stem;
  for (let k = 2; figureFiles.has(`${name}.csv`); ++k) name = `${stem}-${k}`;
  const save = element("div", { class: "save" }, "save as ");
  for (const [ending, write] of Object.entries(writers)) {
    const file = `${name}.${ending}`;
    figureFiles.set(file, write);
    const button = element("button", { type: "button", title: file }, endings[ending]);
    button.onclick = () => {
      const link = element("a", { href: URL.createObjectURL(new Blob([write()], { type: "application/octet-stream" })), download: file });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);  // the browser reads it after the click
    };
    save.append(button);
  }
  parent.append(save);
};
// For bench/figures, which takes them from the page after all of its scripts ran: base64 has no character that could end the element.
const putFiles = () => {
  for (const [file, write] of figureFiles) {
    const bytes = Array.from(new TextEncoder().encode(write()), (b) => String.fromCharCode(b)).join("");
    document.body.append("\n", element("script", { type: "text/plain", "data-figure": file }, btoa(bytes)), "\n");
  }
};
addEventListener("DOMContentLoaded", () => { if (location.hash === "#figures") putFiles(); });
