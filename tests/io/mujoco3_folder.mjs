// What MuJoCo 3 (npm's mujoco-js) makes of MJCF files of one folder, in states that WORK/K.in gives: lines of a word, open or closed, and q, v, tau in MuJoCo's own coordinates. WORK/K.out has a line `refused`
// with the reason, or nq, nv, free joints whose armature was set to zero, and bodies; for each body its name, mass,
// centre, quaternion and moments; for each state a line of accelerations without equalities, where it is closed of what
// a hard solve needs: M, bias, distances, J and dJ/dt v of the equalities.
// usage: node mujoco3_folder.mjs MUJOCO_JS FOLDER WORK [K FILE]...
import fs from 'fs';
import path from 'path';

const [, , program, folder, work, ...pairs] = process.argv;
const {default: load} = await import(program);
const mujoco = await load();
const off = {};
for (const [name, bit] of Object.entries(mujoco.mjtDisableBit))
  if (bit?.value) off[name.replace('mjDSBL_', '')] = bit.value;
const passive = off.SPRING | off.DAMPER | off.ACTUATION | off.CONTACT | off.LIMIT | off.FRICTIONLOSS;

/// In place of textures: a PNG of one pixel.
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64');

function put(at) {
  for (const entry of fs.readdirSync(path.join(folder, at), {withFileTypes: true})) {
    const name = path.join(at, entry.name);
    if (entry.isDirectory()) mujoco.FS.mkdir('/' + name), put(name);
    else if (/\.(xml|stl|obj|msh|skn|bin|dae)$/i.test(name))
      mujoco.FS.writeFile('/' + name, fs.readFileSync(path.join(folder, name)));
    else if (/\.png$/i.test(name)) mujoco.FS.writeFile('/' + name, pixel);
  }
}
put('');

/// Rows of the active equalities; their distances.
function rows(m, d) {
  mujoco.mj_fwdPosition(m, d);
  return [Array.from(d.efc_J.slice(0, d.ne * m.nv)), Array.from(d.efc_pos.slice(0, d.ne))];
}
/// J v at the configuration that is reached in time h.
function rates(m, d, q, v, h) {
  const moved = new mujoco.DoubleBuffer(m.nq);
  moved.GetView().set(q);
  mujoco.mj_integratePos(m, moved, v, h);
  d.qpos.set(moved.GetView());
  moved.delete();
  const [J] = rows(m, d);
  return Array.from({length: d.ne}, (_, r) => v.reduce((sum, x, k) => sum + x * J[r * m.nv + k], 0));
}
/// dJ/dt v by central differences, extrapolated twice.
function rate(m, d, q, v) {
  const difference = h => {
    const one = rates(m, d, q, v, -h), two = rates(m, d, q, v, h);
    return two.map((x, k) => (x - one[k]) / (2 * h));
  };
  const h = 4e-3, [a, b, c] = [difference(h), difference(h / 2), difference(h / 4)];
  return a.map((x, k) => (16 * (4 * c[k] - b[k]) / 3 - (4 * b[k] - x) / 3) / 15);
}

function answer(name, file) {
  const out = [];
  let m;
  try {
    m = mujoco.MjModel.loadFromXML('/' + file);
    if (!m) throw Error('no model');
  } catch (error) {
    fs.writeFileSync(name + '.out', 'refused ' + String(error.message ?? error).replace(/\s+/g, ' ') + '\n');
    return;
  }
  const d = new mujoco.MjData(m);
  let zeroed = 0;
  for (let j = 0; j < m.njnt; ++j) {
    const dof = m.jnt_dofadr[j];
    if (m.jnt_type[j] != 0 || m.dof_armature[dof] == 0) continue;
    m.dof_armature.fill(0, dof, dof + 6), ++zeroed;
  }
  m.opt.jacobian = 0;  // dense
  const names = Buffer.from(m.names);  // mj_id2name has another's name where there is none
  const name_at = start => names.toString('utf8', start, names.indexOf(0, start));
  out.push([m.nq, m.nv, zeroed, m.nbody - 1].join(' '));
  for (let b = 1; b < m.nbody; ++b)
    out.push([
      name_at(m.name_bodyadr[b]) || 'body_' + b, m.body_mass[b], ...m.body_ipos.slice(3 * b, 3 * b + 3),
      ...m.body_iquat.slice(4 * b, 4 * b + 4), ...m.body_inertia.slice(3 * b, 3 * b + 3)
    ].join(' '));
  const lines = fs.existsSync(name + '.in') ? fs.readFileSync(name + '.in', 'utf8').split('\n') : [];
  for (const line of lines) {
    const [word, ...texts] = line.split(' '), numbers = texts.map(Number);
    if (!word) continue;
    const q = numbers.slice(0, m.nq), v = numbers.slice(m.nq, m.nq + m.nv), tau = numbers.slice(m.nq + m.nv);
    const closed = word == 'closed';
    m.opt.disableflags = passive | (closed ? 0 : off.CONSTRAINT);
    const start = () => (d.qpos.set(q), d.qvel.set(v), d.qfrc_applied.set(tau));
    start();
    if (!closed) {
      mujoco.mj_forward(m, d);
      out.push(Array.from(d.qacc).join(' '));
      continue;
    }
    const turned = rate(m, d, q, v);
    start();
    const [J, distances] = rows(m, d);
    mujoco.mj_fwdVelocity(m, d);
    const M = new mujoco.DoubleBuffer(m.nv * m.nv);
    mujoco.mj_fullM(m, M, d.qM);
    out.push([d.ne, ...M.GetView(), ...d.qfrc_bias, ...distances, ...J, ...turned].join(' '));
    M.delete();
  }
  fs.writeFileSync(name + '.out', out.join('\n') + '\n');
  d.delete();
  m.delete();
}
while (pairs.length) answer(path.join(work, pairs.shift()), pairs.shift());
