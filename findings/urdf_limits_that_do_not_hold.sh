#!/usr/bin/env bash
# Limits of a URDF joint that hold nothing. MuJoCo 3.3.8 takes a joint whose lower and upper limit are equal, which is locked (both are
# zero where they are left out, says wiki.ros.org/urdf/XML/joint), for one without limits: its reference says of autolimits that a
# joint is limited where a range is defined. DART 6.12 (DartLoader) reads limits and World steps past them: they wait
# for setLimitEnforcement(true), which the loader's header does not name. An arm that is locked at 0, and one that may move by 0.5 rad,
# swing by half a turn in both. Guesses, before it was run: MuJoCo's joint has no limit at lower = upper = 0 (so it is, at 0.3 too), DART's
# limits are read and passed (so it is). A third, that MuJoCo leaves out a planar joint's axis, was wrong.
source "$(dirname "$(readlink -f "$0")")/unpack.bash"
unpack_dart
node_package mujoco-js@0.0.7
robot() {  # LIMIT   an arm that starts level
  cat > robot.urdf <<X
<robot name="r">
  <link name="world"/>
  <link name="arm"><inertial><origin xyz="0.5 0 0"/><mass value="1"/>
    <inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="j" type="revolute"><parent link="world"/><child link="arm"/><axis xyz="0 1 0"/>
    <limit $1 effort="100" velocity="100"/></joint>
</robot>
X
}
cat > swing.mjs <<'X'
import load from './node_modules/mujoco-js/dist/mujoco_wasm.js';
import { readFileSync } from 'fs';
const mujoco = await load();
mujoco.FS.writeFile('/r.urdf', readFileSync('robot.urdf', 'utf8'));
const m = mujoco.MjModel.loadFromXML('/r.urdf'), d = new mujoco.MjData(m);
let most = 0;
while (d.time < 1) mujoco.mj_step(m, d), most = Math.max(most, Math.abs(d.qpos[0]));
console.log(`MuJoCo ${mujoco.mj_versionString()}: limited ${m.jnt_limited[0]}, swings by ${most.toFixed(1)} rad`);
X
build program "${dart[@]}" <<'X'
#include <cmath>
#include <cstdio>
#include <dart/dart.hpp>
#include <dart/utils/urdf/DartLoader.hpp>
#include <filesystem>
int main() {
  dart::utils::DartLoader loader;
  const auto robot = loader.parseSkeleton(dart::common::Uri::createFromPath(std::filesystem::absolute("robot.urdf").string()));
  const auto world = dart::simulation::World::create();
  world->setGravity(Eigen::Vector3d(0, 0, -9.81));
  world->addSkeleton(robot);
  const auto* joint = robot->getJoint(0)->getNumDofs() > 0 ? robot->getJoint(0) : robot->getJoint(1);
  double most = 0;
  for (int k = 0; k < 1000; ++k) world->step(), most = std::fmax(most, std::fabs(joint->getPosition(0)));
  std::printf("DART: limits %g and %g, swings by %.1f rad\n", joint->getPositionLowerLimit(0), joint->getPositionUpperLimit(0), most);
}
X
seen="$(for limit in 'lower="-0.5" upper="0.5"' 'lower="0" upper="0"' 'lower="0.3" upper="0.3"' ''; do
  robot "$limit"
  echo "limit $limit"
  node swing.mjs
  ./program 2> log
done)"
expect 'limit lower="-0.5" upper="0.5"
MuJoCo 3.3.8: limited 1, swings by 0.5 rad
DART: limits -0.5 and 0.5, swings by 3.1 rad
limit lower="0" upper="0"
MuJoCo 3.3.8: limited 0, swings by 3.1 rad
DART: limits 0 and 0, swings by 3.1 rad
limit lower="0.3" upper="0.3"
MuJoCo 3.3.8: limited 0, swings by 3.1 rad
DART: limits 0.3 and 0.3, swings by 2.8 rad
limit 
MuJoCo 3.3.8: limited 0, swings by 3.1 rad
DART: limits 0 and 0, swings by 3.1 rad' "$seen"
