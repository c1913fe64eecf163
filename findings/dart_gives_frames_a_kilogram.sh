#!/usr/bin/env bash
# DART 6.12: DartLoader gives a link of URDF that has no <inertial> a mass of 1 kg and unit moments, and says nothing. Links
# without it are common: tool frames, sensor frames, the root of most arms. The page of URDF (wiki.ros.org/urdf/XML/link) says
# that a link without it has zero mass and zero inertia. Here a robot of 2 kg weighs 4 kg. Guess, before it was run: 1 kg,
# as a body has when it is made in code. So it is.
source "$(dirname "$(readlink -f "$0")")/unpack.bash"
unpack_dart
cat > robot.urdf <<'X'
<robot name="r">
  <link name="base"/>
  <link name="arm"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="tool_frame"/>
  <joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint>
  <joint name="k" type="fixed"><parent link="arm"/><child link="tool_frame"/><origin xyz="1 0 0"/></joint>
</robot>
X
build program "${dart[@]}" <<'X'
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
