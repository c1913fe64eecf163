// Colours that a body's shapes and bones have: the file's, or by segments, modules or aggregates.
const mixed = (a, b, part) => {
  const of = (text) => [1, 3, 5].map((k) => parseInt(text.slice(k, k + 2), 16));
  const [p, q] = [of(a), of(b)];
  return p.map((x, k) => Math.round(x + part * (q[k] - x))).reduce((n, x) => n * 256 + x, 0);
};
const tones = given.palette.map(([fill, outline]) => mixed(fill, outline, 0.4));
const plain = 0x9aa5b1, closing = 0xd0342c, pulling = 0x2f9e44;
const hasColours = given.shapes.some((s) => s.colour);
const schemes = [
  ...(hasColours ? [["file", "as in the file"]] : []),
  ["segment", "segments"],
  ...(given.modules ? [["module", "modules"]] : []),
  ...(given.loops.length + given.couplings.length ? [["aggregate", "loops and couplings"]] : []),
];
let scheme = schemes[0][0];
const toneOf = (body, own) => {
  if (scheme === "file") return own ? own.slice(0, 3).reduce((n, x) => n * 256 + Math.round(255 * Math.min(Math.max(x, 0), 1)), 0) : plain;
  if (body < 0) return plain;
  const group = bodies[body][scheme];
  return group < 0 ? plain : tones[group];
};
const legends = {
  file: "colours of the file",
  segment: "one colour is one serial chain without branches",
  module: `one colour is one module of the dial (${given.modules})`,
  aggregate: "one colour is one aggregate: the bodies that loops and couplings tie together",
};
