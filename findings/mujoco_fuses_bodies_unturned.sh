#!/usr/bin/env bash
# With <compiler fusestatic="true"/>, which is the default for URDF, MuJoCo 3.3.8 adds the inertia of a body without joints
# to its parent's as if it weren't turned against it. Its XML reference says that the fused model has the same kinematics and
# dynamics. Translations count. (Reported as mujoco#2982 for 3.3.7.)
# Guess, before it was run, from that report: a rod of moments .2, 1, 1.1 that is turned by 90 degrees about z, on a body of
# moments 1, 1, 1, gives 2, 1.2, 2.1 apart and 1.2, 2, 2.1 fused. So it does.
source "$(dirname "$(readlink -f "$0")")/unpack.bash"
node_package mujoco-js@0.0.7
cat > read.mjs <<'X'
import load from './node_modules/mujoco-js/dist/mujoco_wasm.js';
const mujoco = await load();
console.log('MuJoCo ' + mujoco.mj_versionString());
for (const turn of [0, 90])
  for (const fuse of [false, true]) {
    mujoco.FS.writeFile('/m.xml', `<mujoco><compiler fusestatic='${fuse}'/><worldbody><body><freejoint/>` +
      `<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><body euler='0 0 ${turn}'>` +
      `<inertial pos='0 0 0' mass='1' diaginertia='.2 1 1.1'/></body></body></worldbody></mujoco>`);
    const m = mujoco.MjModel.loadFromXML('/m.xml'), d = new mujoco.MjData(m), M = new mujoco.DoubleBuffer(36);
    mujoco.mj_forward(m, d);
    mujoco.mj_fullM(m, M, d.qM);
    const moments = [21, 28, 35].map(k => M.GetView()[k].toPrecision(4));
    console.log(`turned by ${turn}, ${m.nbody - 1 == 1 ? 'fused' : 'apart'}: moments ${moments.join(' ')}`);
  }
X
expect 'MuJoCo 3.3.8
turned by 0, apart: moments 1.200 2.000 2.100
turned by 0, fused: moments 1.200 2.000 2.100
turned by 90, apart: moments 2.000 1.200 2.100
turned by 90, fused: moments 1.200 2.000 2.100' "$(node read.mjs 2>&1)"
