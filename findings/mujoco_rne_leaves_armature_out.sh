#!/usr/bin/env bash
# MuJoCo 3.3.8: mj_rne with flg_acc = 1 gives inverse dynamics without the armature of joints. Its reference says that it computes
# M(qpos)*qacc + C(qpos,qvel), and M (mj_fullM, qM) holds the armature: here M is 2.35 kg m^2, of which 2 are armature,
# and the acceleration 1 rad/s^2, yet mj_rne gives 0.35 N m more than C, mj_inverse 2.35. For a geared arm, whose armature is
# most of M, a controller by mj_rne is off by that much. Guess, before it was run: so it is.
source "$(dirname "$(readlink -f "$0")")/unpack.bash"
node_package mujoco-js@0.0.7
cat > read.mjs <<'X'
import load from './node_modules/mujoco-js/dist/mujoco_wasm.js';
const mujoco = await load();
mujoco.FS.writeFile('/m.xml', `<mujoco><worldbody><body><joint axis='0 1 0' armature='2'/>` +
  `<inertial pos='0.5 0 0' mass='1' diaginertia='.1 .1 .1'/></body></worldbody></mujoco>`);
const m = mujoco.MjModel.loadFromXML('/m.xml'), d = new mujoco.MjData(m), force = new mujoco.DoubleBuffer(1);
d.qvel[0] = 0.7;
mujoco.mj_forward(m, d);
d.qacc[0] = 1;
mujoco.mj_inverse(m, d);
mujoco.mj_rne(m, d, 1, force);
const bias = d.qfrc_bias[0];
console.log('MuJoCo ' + mujoco.mj_versionString());
console.log(`M ${d.qM[0].toFixed(3)}, beyond C: mj_inverse ${(d.qfrc_inverse[0] - bias).toFixed(3)}, ` +
  `mj_rne ${(force.GetView()[0] - bias).toFixed(3)}`);
X
expect 'MuJoCo 3.3.8
M 2.350, beyond C: mj_inverse 2.350, mj_rne 0.350' "$(node read.mjs 2>&1)"
