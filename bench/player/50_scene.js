// The mechanism in three.js: a group of objects for each body, whose poses a row gives.
const stage = (() => {
  const view = element("view");
  const say = (text) => view.append(make("p", { className: "message", textContent: text }));
  if (typeof THREE === "undefined") return say("The picture needs three.js (Debian: libjs-three) where kinetree is built.");
  let renderer;
  try {
    renderer = new THREE.WebGLRenderer({ antialias: true });
  } catch (e) {
    return say("This browser has no WebGL, or it is switched off: there is no picture.");
  }
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  view.append(renderer.domElement);
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(colourOf("sheet"));
  scene.add(new THREE.HemisphereLight(0xffffff, dark ? 0x555a66 : 0x9098a4, dark ? 0.75 : 0.85));

  const V = (v) => new THREE.Vector3(...v);
  const fall = V(given.gravity);
  const up = fall.length() > 0 ? fall.clone().normalize().negate() : V([0, 0, 1]);
  const lamp = new THREE.DirectionalLight(0xffffff, 0.45);
  scene.add(lamp);

  // sizes: of the mechanism in one row, of all that it passes, and of bones
  const looked = [];
  for (let k = 0; k < 40; ++k) looked.push(Math.round((k * (times.length - 1)) / 39));
  const boxes = bodies.length ? [...new Set(looked)].map(boxOf) : [{ low: [-1, -1, -1], high: [1, 1, 1], centre: [0, 0, 0], size: 2 }];
  const middleOf = (list) => list.sort((a, b) => a - b)[list.length >> 1];
  const own = Math.max(middleOf(boxes.map((b) => b.size)), 1e-6), size = Math.max(own, ...boxes.map((b) => b.size));
  const usual = middleOf(endsOf.flat().map(length).filter((x) => x > 1e-9)) || 0.1 * own;
  const thick = Math.max(Math.min(Math.max(0.05 * usual, 0.006 * own), 0.014 * own, 0.2 * usual), 0.0012 * own);

  const groups = bodies.map(() => new THREE.Group());
  const ground = new THREE.Group();
  scene.add(ground, ...groups);
  const groupOf = (body) => (body < 0 ? ground : groups[body]);
  const materials = new Map();
  const material = (tone, alpha, flat) => {
    const key = `${tone} ${alpha} ${flat}`;
    if (!materials.has(key))
      materials.set(key, new THREE.MeshPhongMaterial({ color: tone, shininess: 12, specular: 0x222222, flatShading: flat, side: flat ? THREE.DoubleSide : THREE.FrontSide, transparent: alpha < 1, opacity: alpha, depthWrite: alpha === 1 }));
    return materials.get(key);
  };
  const painted = [];  // {mesh, body, own, fixed, flat, shape}
  const add = (group, geometry, how) => {
    const mesh = new THREE.Mesh(geometry);
    mesh.userData = how;
    painted.push(mesh);
    group.add(mesh);
    return mesh;
  };

  const many = bodies.length > 300;  // then coarser, and without marks of ball joints
  const unit = {
    box: new THREE.BoxBufferGeometry(1, 1, 1),
    sphere: new THREE.SphereBufferGeometry(1, many ? 8 : 24, many ? 5 : 16),
    rod: new THREE.CylinderBufferGeometry(1, 1, 1, many ? 6 : 16, 1, many && !given.shapes.length).rotateX(Math.PI / 2),
  };
  const meshes = given.meshes.map((m) => {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(decoded(Float32Array, m.points), 3));
    geometry.setIndex(new THREE.BufferAttribute(decoded(m.wide ? Uint32Array : Uint16Array, m.faces), 1));
    geometry.computeVertexNormals();
    geometry.computeBoundingSphere();
    return geometry;
  });
  const scaled = (group, geometry, how, x, y, z) => {
    const mesh = add(group, geometry, how);
    mesh.scale.set(x, y, z);
    return mesh;
  };
  for (const shape of given.shapes) {
    const holder = new THREE.Group(), s = shape.size;
    holder.position.set(...shape.pose.slice(0, 3));
    holder.quaternion.set(...shape.pose.slice(3));
    const how = { body: shape.body, own: shape.colour, link: shape.link, shape: true, flat: shape.type === "mesh" };
    if (shape.type === "box") scaled(holder, unit.box, how, ...s);
    if (shape.type === "sphere") scaled(holder, unit.sphere, how, s[0], s[0], s[0]);
    if (shape.type === "ellipsoid") scaled(holder, unit.sphere, how, ...s);
    if (shape.type === "cylinder" || shape.type === "capsule") scaled(holder, unit.rod, how, s[0], s[0], s[1]);
    if (shape.type === "capsule")
      for (const side of [-0.5, 0.5]) scaled(holder, unit.sphere, how, s[0], s[0], s[0]).position.z = side * s[1];
    if (shape.type === "plane") scaled(holder, unit.box, { ...how, faint: true }, s[0] || 4 * size, s[1] || 4 * size, 1e-4 * size);
    if (shape.type === "mesh") scaled(holder, meshes[shape.mesh], how, ...s);
    groupOf(shape.body).add(holder);
  }

  // bones, joints, loops' ends
  const bones = [], loopMarks = [];
  const alongZ = V([0, 0, 1]);
  const bone = (body, to) => {
    const mesh = scaled(groupOf(body), unit.rod, { body, bone: true }, thick, thick, length(to));
    mesh.position.set(...to.map((x) => x / 2));
    mesh.quaternion.setFromUnitVectors(alongZ, V(to).normalize());
    bones.push(mesh);
  };
  bodies.forEach((body, k) => {
    for (const to of endsOf[k]) if (length(to) > 1e-9) bone(k, to);
    if (!childrenOf[k].length && endsOf[k].includes(body.centre)) {
      const tip = scaled(groups[k], unit.sphere, { body: k, bone: true }, 1.5 * thick, 1.5 * thick, 1.5 * thick);
      tip.position.set(...body.centre);
      bones.push(tip);
    }
    const how = { body: k, bone: true, joint: true };
    let joint = null;
    if (["revolute", "continuous", "helical", "cylindrical"].includes(body.type)) {
      joint = scaled(groups[k], unit.rod, how, 1.7 * thick, 1.7 * thick, 3.6 * thick);
      joint.quaternion.setFromUnitVectors(alongZ, V(body.axis).normalize());
    } else if (body.type === "prismatic") {
      joint = scaled(groups[k], unit.box, how, 3 * thick, 3 * thick, 3 * thick);
    } else if (body.type !== "floating" && !many) {
      joint = scaled(groups[k], unit.sphere, how, 1.8 * thick, 1.8 * thick, 1.8 * thick);
    }
    if (joint) bones.push(joint);
    if (body.parent < 0 && body.type !== "floating") {
      const foot = scaled(ground, unit.box, { body: -1, fixed: plain }, 4.4 * thick, 4.4 * thick, 4.4 * thick);
      foot.position.set(...body.from);
      foot.userData.alpha = 0.5;
      const high = foot.position.dot(up);
      if (shaped.has(-1) || Math.abs(high) < 5 * thick || Math.abs(high) > 3 * own) return;
      const post = scaled(ground, unit.rod, { body: -1, fixed: plain, alpha: 0.5 }, 2 * thick, 2 * thick, Math.abs(high));
      post.position.copy(foot.position).addScaledVector(up, -high / 2);
      post.quaternion.setFromUnitVectors(alongZ, up);
    }
  });
  for (const loop of given.loops)
    for (const end of [loop.first, loop.second]) {
      const ball = scaled(groupOf(end.body), unit.sphere, { body: end.body, fixed: closing, loop: loop.name }, 1.9 * thick, 1.9 * thick, 1.9 * thick);
      ball.position.set(...end.at);
      loopMarks.push(ball);
    }
  // lines between what a pose moves: joints that slide, and loops' ends where they are apart
  const lines = (pairs, tone) => {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(6 * pairs.length), 3));
    const object = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: tone }));
    object.frustumCulled = false;
    scene.add(object);
    return { object, pairs: pairs.map(([a, b]) => [[groupOf(a.body), V(a.at)], [groupOf(b.body), V(b.at)]]) };
  };
  const slides = lines(bodies.map((b, k) => [b, k]).filter(([b]) => ["prismatic", "cylindrical", "planar", "helical"].includes(b.type))
    .map(([b, k]) => [{ body: b.parent, at: b.from }, { body: k, at: [0, 0, 0] }]), plain);
  const gaps = lines(given.loops.map((l) => [l.first, l.second]), closing);
  loopMarks.push(gaps.object);
  // forces between points: a thin rod from one to the other
  const pulls = given.forces.map((f) => ({
    rod: scaled(ground, unit.rod, { body: -1, fixed: pulling, force: f.name }, 0.6 * thick, 0.6 * thick, 1),
    ends: [f.first, f.second].map((end) => [groupOf(end.body), V(end.at)]),
  }));
  const point = new THREE.Vector3(), other = new THREE.Vector3();
  const span = ({ rod, ends }) => {
    [point, other].forEach((p, k) => p.copy(ends[k][1]).applyQuaternion(ends[k][0].quaternion).add(ends[k][0].position));
    rod.position.copy(point).add(other).multiplyScalar(0.5);
    other.sub(point);
    rod.scale.z = Math.max(other.length(), 1e-9);
    rod.quaternion.setFromUnitVectors(alongZ, other.normalize());
  };
  const stretch = ({ object, pairs }) => {
    const numbers = object.geometry.attributes.position;
    pairs.flat().forEach(([group, at], k) => {
      point.copy(at).applyQuaternion(group.quaternion).add(group.position);
      numbers.setXYZ(k, point.x, point.y, point.z);
    });
    numbers.needsUpdate = true;
  };

  // the ground: a grid across gravity, through the world's origin, and the world's axes
  const decade = 10 ** Math.floor(Math.log10(own / 8)), step = decade * [1, 2, 5].filter((k) => k * decade <= own / 8).pop();
  const cells = 2 * Math.min(Math.max(Math.ceil(size / step), 10), 50);
  const grid = new THREE.GridHelper(cells * step, cells, colourOf("plain"), colourOf("line"));
  grid.quaternion.setFromUnitVectors(V([0, 1, 0]), up);
  grid.material.transparent = true;
  grid.material.opacity = dark ? 0.5 : 0.8;
  const axes = new THREE.AxesHelper(0.16 * own);
  scene.add(grid, axes);

  // the camera: across the plane of a motion in a plane, else from above
  const camera = new THREE.PerspectiveCamera(32, 1, size / 500, size * 200);
  camera.up.copy(up);
  const controls = new THREE.OrbitControls(camera, renderer.domElement);
  controls.enableKeys = false;
  controls.screenSpacePanning = true;
  const travel = Math.max(...boxes.map((b) => length(b.centre.map((x, c) => x - boxes[0].centre[c]))));
  const follows = travel > 1.5 * own;
  const held = given.forces.flatMap((f) => [f.first, f.second]).filter((e) => e.body < 0).map((e) => e.at);  // on the ground
  const all = {
    low: [0, 1, 2].map((c) => Math.min(...boxes.map((b) => b.low[c]), ...held.map((at) => at[c]))),
    high: [0, 1, 2].map((c) => Math.max(...boxes.map((b) => b.high[c]), ...held.map((at) => at[c]))),
  };
  const aim = () => {
    const framed = state.follow && followed ? boxOf(rowAt(player.time).row) : state.follow ? boxes[0] : { ...all, centre: all.low.map((x, c) => (x + all.high[c]) / 2), size: length(all.low.map((x, c) => all.high[c] - x)) };
    const extent = framed.low.map((x, c) => framed.high[c] - x);
    const least = extent.indexOf(Math.min(...extent)), flat = extent[least] < 0.08 * Math.max(...extent);
    const side = V([0, 1, 2].map((c) => (c === least ? (c === 1 ? -1 : 1) : 0)));
    const away = flat && Math.abs(side.dot(up)) < 0.5 ? side.addScaledVector(up, 0.12).add(new THREE.Vector3().crossVectors(side, up).multiplyScalar(0.12))
      : (() => {
        const ahead = Math.abs(up.x) < 0.9 ? V([1, 0, 0]) : V([0, 1, 0]);
        ahead.addScaledVector(up, -ahead.dot(up)).normalize();
        return ahead.clone().addScaledVector(new THREE.Vector3().crossVectors(up, ahead), -0.75).addScaledVector(up, 0.55);
      })();
    // so far away that every corner of the box is in sight
    away.normalize();
    const ahead = away.clone().negate(), right = new THREE.Vector3().crossVectors(ahead, up).normalize(), over = new THREE.Vector3().crossVectors(right, ahead);
    const slope = Math.tan((camera.fov * Math.PI) / 360) * 0.9;
    let far = 0.2 * own;
    for (let corner = 0; corner < 8; ++corner) {
      const at = V(framed.centre.map((x, c) => (corner & (1 << c) ? framed.high[c] : framed.low[c]) - x));
      far = Math.max(far, Math.max(Math.abs(at.dot(over)), Math.abs(at.dot(right)) / camera.aspect) / slope - at.dot(ahead));
    }
    controls.target.set(...framed.centre);
    camera.position.copy(controls.target).addScaledVector(away, far);
    controls.update();
  };

  const state = { follow: follows, bones: false, loops: true, forces: true, grid: true };
  const paint = () => {
    for (const mesh of painted) {
      const { body, own: colour, fixed, flat, shape, faint, bone: isBone, joint, alpha } = mesh.userData;
      mesh.visible = !isBone || state.bones || !shaped.has(body);
      let tone = fixed !== undefined ? fixed : toneOf(body, colour);
      if (joint) tone = new THREE.Color(tone).lerp(new THREE.Color(dark ? 0xffffff : 0), 0.28).getHex();
      const own = shape && colour && scheme === "file" ? colour[3] : 1;
      mesh.material = material(tone, alpha || (faint ? 0.15 : shape && state.bones ? 0.35 * own : own), Boolean(flat));
    }
    for (const mark of loopMarks) mark.visible = state.loops;
    for (const { rod } of pulls) rod.visible = state.forces;
    grid.visible = axes.visible = state.grid;
  };

  let followed = null;
  const centre = new THREE.Vector3(), a = new THREE.Quaternion(), b = new THREE.Quaternion();
  const pose = (time) => {
    const { row, next, part } = rowAt(time);
    centre.set(0, 0, 0);
    for (let k = 0; k < bodies.length; ++k) {
      const i = row * bodies.length + k, j = next * bodies.length + k, group = groups[k];
      group.position.fromArray(positions, 3 * i).lerp(point.fromArray(positions, 3 * j), part);
      a.fromArray(turns, 4 * i).normalize();
      b.fromArray(turns, 4 * j).normalize();
      group.quaternion.copy(a).slerp(b, part);
      centre.add(group.position);
    }
    if (bodies.length) centre.divideScalar(bodies.length);
    stretch(slides);
    stretch(gaps);
    pulls.forEach(span);
    if (state.follow && followed) {
      point.copy(centre).sub(followed);
      camera.position.add(point);
      controls.target.add(point);
    }
    followed = followed || new THREE.Vector3();
    followed.copy(centre);
  };
  const draw = () => {
    lamp.position.copy(camera.position).addScaledVector(up, size);
    lamp.target.position.copy(controls.target);
    lamp.target.updateMatrixWorld();
    renderer.render(scene, camera);
  };
  const fit = () => {
    renderer.setSize(view.clientWidth, view.clientHeight);
    camera.aspect = view.clientWidth / Math.max(view.clientHeight, 1);
    camera.updateProjectionMatrix();
  };

  // which body the pointer is at
  const ray = new THREE.Raycaster();
  let asked = false;
  renderer.domElement.addEventListener("pointermove", (event) => {
    if (event.buttons || asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      const at = renderer.domElement.getBoundingClientRect();
      ray.setFromCamera({ x: (2 * (event.clientX - at.left)) / at.width - 1, y: 1 - (2 * (event.clientY - at.top)) / at.height }, camera);
      const hit = ray.intersectObjects(painted.filter((m) => m.visible))[0];
      const how = hit && hit.object.userData, body = how && bodies[how.body];
      element("label").textContent = !how ? "" : how.force ? `force ${how.force}` : `${how.loop ? `loop ${how.loop}, at ` : ""}${how.link || (body ? body.name : "ground")}${body ? ` · joint ${body.joint} (${body.type})` : ""}`;
    });
  });
  fit();
  paint();
  return { pose, draw, fit, aim, paint, state, follows, controls, hasLoops: given.loops.length > 0, hasForces: pulls.length > 0 };
})();
