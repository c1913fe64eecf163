// Where a body's bones lead: from its frame to the joints of its children, to the ends of its loops and forces, and
// where there are none to its centre of mass.
const childrenOf = bodies.map(() => []);
bodies.forEach((body, k) => body.parent >= 0 && childrenOf[body.parent].push(k));
const length = ([x, y, z]) => Math.hypot(x, y, z);
const endsOf = bodies.map((body, k) => [
  ...childrenOf[k].filter((c) => bodies[c].type !== "floating").map((c) => bodies[c].from),
  ...[...given.loops, ...given.forces].flatMap((l) => [l.first, l.second]).filter((e) => e.body === k).map((e) => e.at),
]);
bodies.forEach((body, k) => {
  if (!endsOf[k].some((e) => length(e) > 1e-9) && body.centre) endsOf[k].push(body.centre);
});
const shaped = new Set(given.shapes.map((s) => s.body));

// Half the diagonal of a shape, for the camera.
const reachOf = (shape) => {
  const s = shape.size;
  if (shape.type === "plane") return 0;
  if (shape.type === "sphere") return s[0];
  if (shape.type === "cylinder") return Math.hypot(s[0], s[1] / 2);
  if (shape.type === "capsule") return s[0] + s[1] / 2;
  if (shape.type === "box") return length(s) / 2;
  if (shape.type === "ellipsoid") return Math.max(...s);
  return 0;  // a mesh: its points are looked at
};
// Over bodies: points in the body's frame with what is about them.
const marksOf = bodies.map((_, k) => [[0, 0, 0, 0], ...endsOf[k].map((e) => [...e, 0])]);
for (const shape of given.shapes) if (shape.body >= 0) marksOf[shape.body].push([...shape.pose.slice(0, 3), reachOf(shape)]);

const turned = (q, v) => {  // a quaternion's turn of a vector
  const [x, y, z, w] = q;
  const a = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
  return [v[0] + w * a[0] + y * a[2] - z * a[1], v[1] + w * a[1] + z * a[0] - x * a[2], v[2] + w * a[2] + x * a[1] - y * a[0]];
};
const poseAt = (row, body) => {
  const p = 3 * (row * bodies.length + body), t = 4 * (row * bodies.length + body);
  return { at: positions.subarray(p, p + 3), turn: [0, 1, 2, 3].map((c) => turns[t + c] / 32767) };
};
// What a row takes up: a box, and its centre.
const boxOf = (row) => {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  bodies.forEach((_, k) => {
    const { at, turn } = poseAt(row, k);
    for (const mark of marksOf[k]) {
      const p = turned(turn, mark);
      for (let c = 0; c < 3; ++c) {
        low[c] = Math.min(low[c], at[c] + p[c] - mark[3]);
        high[c] = Math.max(high[c], at[c] + p[c] + mark[3]);
      }
    }
  });
  return { low, high, centre: low.map((x, c) => (x + high[c]) / 2), size: length(low.map((x, c) => high[c] - x)) };
};
