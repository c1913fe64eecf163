#!/usr/bin/env bash
# MuJoCo 3.3.8: a body with gravcomp = 1 feels no weight, and d->energy still counts its height: it rises at a constant speed, by
# no force but gravcomp's, and its energy grows by 9.81 J a metre. So "energy is constant" is no test of a model in which a
# body has gravcomp, whose force is conservative. The reference says that energy holds potential and kinetic energy, of gravcomp
# that it applies the compensation as a passive force. Guess, before it was run: so it is.
source "$(dirname "$(readlink -f "$0")")/unpack.bash"
node_package mujoco-js@0.0.7
cat > read.mjs <<'X'
import load from './node_modules/mujoco-js/dist/mujoco_wasm.js';
const mujoco = await load();
mujoco.FS.writeFile('/m.xml', `<mujoco><option><flag energy='enable'/></option><worldbody><body gravcomp='1'>` +
  `<joint type='slide' axis='0 0 1'/><inertial pos='0 0 0' mass='1' diaginertia='.1 .1 .1'/></body></worldbody></mujoco>`);
const m = mujoco.MjModel.loadFromXML('/m.xml'), d = new mujoco.MjData(m);
d.qvel[0] = 1;
console.log('MuJoCo ' + mujoco.mj_versionString());
for (let k = 0; k <= 500; ++k) {
  mujoco.mj_forward(m, d);
  if (k % 250 === 0) console.log(`t ${d.time.toFixed(1)}: speed ${d.qvel[0].toFixed(3)}, energy ${(d.energy[0] + d.energy[1]).toFixed(3)}`);
  mujoco.mj_step(m, d);
}
X
expect 'MuJoCo 3.3.8
t 0.0: speed 1.000, energy 0.500
t 0.5: speed 1.000, energy 5.405
t 1.0: speed 1.000, energy 10.310' "$(node read.mjs 2>&1)"
