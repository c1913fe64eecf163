#!/usr/bin/env bash
# A <mimic> of URDF is lost without a word by two readers: MuJoCo 3.3.8 makes no equality of it, libsdformat 12.3 writes no
# trace of it into the SDFormat that it makes. The joint comes out free: a gripper's second finger falls open. URDF's page
# (wiki.ros.org/urdf/XML/joint) defines mimic: value = multiplier * other_joint_value + offset. Guesses, before it was run: lost
# by both (so it is), MuJoCo warns (it does not).
source "$(dirname "$(readlink -f "$0")")/unpack.bash"
node_package mujoco-js@0.0.7
cat > robot.urdf <<'X'
<robot name="r">
  <link name="palm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="left"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="right"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="j" type="continuous"><parent link="palm"/><child link="left"/></joint>
  <joint name="k" type="continuous"><parent link="palm"/><child link="right"/><mimic joint="j" multiplier="-1"/></joint>
</robot>
X
cat > read.mjs <<'X'
import load from './node_modules/mujoco-js/dist/mujoco_wasm.js';
import {readFileSync} from 'fs';
const mujoco = await load();
mujoco.FS.writeFile('/r.urdf', readFileSync('robot.urdf'));
const m = mujoco.MjModel.loadFromXML('/r.urdf');
console.log(`MuJoCo ${mujoco.mj_versionString()}: joints ${m.njnt}, equalities ${m.neq}`);
X
read="$(node read.mjs 2>&1)"
unpack_sdformat
build program "${sdformat[@]}" <<'X'
#include <cstdio>
#include <sdf/sdf.hh>
#include <string>
int main() {
  const auto out = sdf::SDFPtr(new sdf::SDF);
  sdf::init(out);
  const bool read = sdf::readFile("robot.urdf", out);
  const std::string text = out->ToString();
  std::printf("libsdformat: read %d, joint k %d, mimic %d", read, text.find("joint name='k'") != text.npos,
              text.find("mimic") != text.npos);
}
X
expect 'MuJoCo 3.3.8: joints 2, equalities 0
libsdformat: read 1, joint k 1, mimic 0' "$read
$(./program 2>&1)"
