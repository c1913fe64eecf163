#!/usr/bin/env bash
# Two programs that write a robot's model give every number six digits: urdfdom 3.0.1 (exportURDF) and MuJoCo 3.3.8
# (mj_saveLastXML). Both hold doubles. A right angle of 1.5707963267949 comes back from urdfdom as 1.5708, 3.7e-6 rad off,
# a mass of 1.23456789 as 1.23457 from both. Rows of a planar loop that are redundant in the first file contradict each other
# in the copy. Neither function's comment in its header says so. Guess, before it was run: six digits, a stream's default, in
# both. So it is.
source "$(dirname "$(readlink -f "$0")")/unpack.bash"
unpack liburdfdom-dev=3.0.1-1 liburdfdom-model3.0=3.0.1-1 liburdfdom-headers-dev=1.0.5-3 libtinyxml-dev=2.6.2-6+deb12u1 \
  libtinyxml2.6.2v5=2.6.2-6+deb12u1 libconsole-bridge1.0=1.0.1+dfsg2-3+b1
build program -w -lurdfdom_model -ltinyxml <<'X'
#include <tinyxml.h>
#include <urdf_parser/urdf_parser.h>
#include <cstdio>
int main() {
  const char* robot = R"(<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1.23456789"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="j" type="continuous"><parent link="a"/>
<child link="b"/><origin rpy="1.5707963267949 0 0"/></joint></robot>)";
  auto read = urdf::parseURDF(robot);
  TiXmlDocument* document = urdf::exportURDF(read);
  TiXmlPrinter printer;
  document->Accept(&printer);
  const auto again = urdf::parseURDF(printer.CStr());
  for (const auto& model : {read, again}) {
    double roll, pitch, yaw;
    model->getJoint("j")->parent_to_joint_origin_transform.rotation.getRPY(roll, pitch, yaw);
    std::printf("urdfdom: mass %.9g roll %.9g\n", model->getLink("b")->inertial->mass, roll);
  }
}
X
node_package mujoco-js@0.0.7
cat > read.mjs <<'X'
import load from './node_modules/mujoco-js/dist/mujoco_wasm.js';
const mujoco = await load();
mujoco.FS.writeFile('/m.xml', `<mujoco><worldbody><body><joint/><inertial pos='0 0 0' mass='1.23456789' diaginertia='1 1 1'/>` +
  `</body></worldbody></mujoco>`);
for (const file of ['/m.xml', '/again.xml']) {
  const m = mujoco.MjModel.loadFromXML(file);
  console.log(`MuJoCo ${mujoco.mj_versionString()}: mass ${m.body_mass[1]}`);
  mujoco.mj_saveLastXML('/again.xml', m);
}
X
expect "urdfdom: mass 1.23456789 roll 1.57079633
urdfdom: mass 1.23457 roll 1.5708
MuJoCo 3.3.8: mass 1.23456789
MuJoCo 3.3.8: mass 1.23457" "$(./program)
$(node read.mjs 2>&1)"
