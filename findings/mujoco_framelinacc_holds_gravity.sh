#!/usr/bin/env bash
# MuJoCo 3.3.8: the sensor framelinacc of a body that is held at rest reads 9.81 m/s^2 upwards, as the accelerometer does, and
# in free fall zero. The reference says of accelerometer that it includes gravity; of framelinacc only that it is the linear
# acceleration of the frame in global coordinates, beside framelinvel, whose rate it is not. mj_objectAcceleration, by
# which it is made, does the same. Guess, before it was run, from the pass of accelerations that begins at the world with -g:
# so it is.
source "$(dirname "$(readlink -f "$0")")/unpack.bash"
node_package mujoco-js@0.0.7
cat > read.mjs <<'X'
import load from './node_modules/mujoco-js/dist/mujoco_wasm.js';
const mujoco = await load();
mujoco.FS.writeFile('/m.xml', `<mujoco><worldbody><body name='b'><joint type='slide' axis='0 0 1'/>` +
  `<inertial pos='0 0 0' mass='1' diaginertia='.1 .1 .1'/></body></worldbody><sensor>` +
  `<framelinacc objtype='body' objname='b'/></sensor></mujoco>`);
const m = mujoco.MjModel.loadFromXML('/m.xml'), d = new mujoco.MjData(m);
console.log('MuJoCo ' + mujoco.mj_versionString());
for (const push of [9.81, 0]) {
  d.qfrc_applied[0] = push;
  mujoco.mj_forward(m, d);
  console.log(`push ${push}: qacc ${d.qacc[0].toFixed(2)} framelinacc ${d.sensordata[2].toFixed(2)}`);
}
X
expect 'MuJoCo 3.3.8
push 9.81: qacc 0.00 framelinacc 9.81
push 0: qacc -9.81 framelinacc 0.00' "$(node read.mjs 2>&1)"
