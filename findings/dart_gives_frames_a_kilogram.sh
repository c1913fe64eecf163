#!/usr/bin/env bash
# DART 6.12: DartLoader gives a link of URDF that has no <inertial> a mass of 1 kg and unit moments, and says nothing. Links
# without it are common: tool frames, sensor frames, the root of most arms. The page of URDF (wiki.ros.org/urdf/XML/link) says
# that a link without it has zero mass and zero inertia. Here a robot of 2 kg weighs 4 kg. Guess, before it was run: 1 kg,
# as a body has when it is made in code. So it is.
source "$(dirname "$(readlink -f "$0")")/unpack.bash"
version=6.12.1+dfsg4-12+b2
unpack libdart-dev=$version libdart6.12=$version libdart-utils-urdf-dev=$version libdart-utils-urdf6.12=$version \
  libdart-utils-dev=$version libdart-utils6.12=$version libdart-external-ikfast-dev=$version libdart-external-convhull-3d-dev=$version \
  libdart-external-odelcpsolver-dev=$version libdart-external-odelcpsolver6.12=$version libfcl-dev=0.7.0-3+b1 \
  libfcl0.7=0.7.0-3+b1 libccd-dev=2.1-2+b1 libccd2=2.1-2+b1 liboctomap-dev=1.9.7+dfsg-3+b1 liboctomap1.9=1.9.7+dfsg-3+b1 \
  libassimp-dev=5.2.5~ds0-1+b1 libassimp5=5.2.5~ds0-1+b1 liburdfdom-model3.0=3.0.1-1 liburdfdom-world3.0=3.0.1-1 \
  libeigen3-dev=3.4.0-4 libboost1.74-dev=1.74.0+ds1-21
cat > robot.urdf <<'X'
<robot name="r">
  <link name="base"/>
  <link name="arm"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="tool_frame"/>
  <joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint>
  <joint name="k" type="fixed"><parent link="arm"/><child link="tool_frame"/><origin xyz="1 0 0"/></joint>
</robot>
X
build program -w -I root/usr/include/eigen3 -Wl,--disable-new-dtags -ldart -ldart-utils-urdf -lassimp -lfcl -lccd -loctomap -loctomath <<'X'
#include <cstdio>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/utils/urdf/DartLoader.hpp>
#include <filesystem>
int main() {
  dart::utils::DartLoader loader;
  const auto path = std::filesystem::absolute("robot.urdf").string();
  const auto robot = loader.parseSkeleton(dart::common::Uri::createFromPath(path));
  for (const auto* body : robot->getBodyNodes()) std::printf("%s %g kg\n", body->getName().c_str(), body->getMass());
  std::printf("in all %g kg\n", robot->getMass());
}
X
expect "base 1 kg
arm 2 kg
tool_frame 1 kg
in all 4 kg" "$(./program 2>&1)"
