// What MuJoCo 3 (npm's mujoco-js) makes of MJCF files, beside which other files are put: for each a line with nq and nv, then three random states, each a
// line of q, v, tau and accelerations in kinetree's coordinates: quaternions w last, a free joint's linear parts in
// body axes. Equalities, contacts, limits and passive forces are off. usage: node mujoco3.mjs MUJOCO_JS FILE...
import fs from 'fs';

const {default: load} = await import(process.argv[2]);
const mujoco = await load();
let seed = 1;
function random() {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return seed / 1073741824 - 1;
}
function turned([w, x, y, z], a) {  // by the inverse of a unit quaternion
  const cross = (u, v) => [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const q = [-x, -y, -z], t = cross(q, a).map(s => 2 * s), u = cross(q, t);
  return a.map((s, k) => s + w * t[k] + u[k]);
}

for (const file of process.argv.slice(3)) {
  if (!file.endsWith('.xml')) {  // what models name
    mujoco.FS.writeFile('/' + file, fs.readFileSync(file));
    continue;
  }
  mujoco.FS.writeFile('/model.xml', fs.readFileSync(file));
  const m = mujoco.MjModel.loadFromXML('/model.xml'), d = new mujoco.MjData(m);
  for (const [name, bit] of Object.entries(mujoco.mjtDisableBit))
    if (/CONSTRAINT|PASSIVE|SPRING|DAMPER|ACTUATION/.test(name)) m.opt.disableflags |= bit.value;
  console.log(m.nq, m.nv);
  for (let state = 0; state < 3; ++state) {
    for (let j = 0; j < m.njnt; ++j) {
      const type = m.jnt_type[j], at = m.jnt_qposadr[j], ball = type == 0 ? at + 3 : at;  // 0: free, 1: ball
      for (let k = at; k < (type == 0 ? at + 7 : type == 1 ? at + 4 : at + 1); ++k) d.qpos[k] = random();
      if (type > 1) continue;
      const length = Math.hypot(...d.qpos.slice(ball, ball + 4));
      for (let k = ball; k < ball + 4; ++k) d.qpos[k] /= length;
    }
    for (let k = 0; k < m.nv; ++k) d.qvel[k] = random(), d.qfrc_applied[k] = random();
    mujoco.mj_forward(m, d);
    const [q, v, tau, a] = [d.qpos, d.qvel, d.qfrc_applied, d.qacc].map(x => Array.from(x));
    for (let j = 0; j < m.njnt; ++j) {
      const type = m.jnt_type[j], at = m.jnt_qposadr[j], dof = m.jnt_dofadr[j], ball = type == 0 ? at + 3 : at;
      if (type > 1) continue;
      const [w, ...rest] = q.slice(ball, ball + 4);
      q.splice(ball, 4, ...rest, w);
      if (type == 1) continue;
      for (const x of [v, tau, a]) x.splice(dof, 3, ...turned([w, ...rest], x.slice(dof, dof + 3)));
      const [vx, vy, vz, wx, wy, wz] = v.slice(dof, dof + 6);
      a[dof] -= wy * vz - wz * vy, a[dof + 1] -= wz * vx - wx * vz, a[dof + 2] -= wx * vy - wy * vx;
    }
    console.log([...q, ...v, ...tau, ...a].join(' '));
  }
  d.delete();
  m.delete();
}
