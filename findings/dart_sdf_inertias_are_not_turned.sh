#!/usr/bin/env bash
# DART 6.12: SdfParser takes the place of <inertial><pose> and leaves its rotation out, without a word: moments of 1 and 2 about
# axes that the pose turns by a right angle come back unturned. SDFormat says that the inertia matrix stands in the inertial
# frame, which the pose places and turns. The same link in URDF, through DartLoader, is turned. Guess, before it was run: SDF
# not turned, URDF turned. So it is.
source "$(dirname "$(readlink -f "$0")")/unpack.bash"
unpack_dart
cat > robot.sdf <<'X'
<sdf version="1.6"><model name="r"><link name="a"><inertial><pose>0.5 0 0 0 0 1.5707963267949</pose><mass>2</mass>
<inertia><ixx>1</ixx><iyy>2</iyy><izz>2.5</izz><ixy>0</ixy><ixz>0</ixz><iyz>0</iyz></inertia></inertial></link></model></sdf>
X
cat > robot.urdf <<'X'
<robot name="r"><link name="a"><inertial><origin xyz="0.5 0 0" rpy="0 0 1.5707963267949"/><mass value="2"/>
<inertia ixx="1" iyy="2" izz="2.5" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>
X
build program "${dart[@]}" <<'X'
#include <cstdio>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/utils/sdf/SdfParser.hpp>
#include <dart/utils/urdf/DartLoader.hpp>
#include <filesystem>
dart::common::Uri path(const char* name) {
  return dart::common::Uri::createFromPath(std::filesystem::absolute(name).string());
}
void print(const char* format, const dart::dynamics::SkeletonPtr& robot) {
  const auto& inertia = robot->getBodyNode("a")->getInertia();
  std::printf("%s: centre of mass at x = %.1f, Ixx %.1f, Iyy %.1f\n", format, inertia.getLocalCOM()[0], inertia.getMoment()(0, 0),
              inertia.getMoment()(1, 1));
}
int main() {
  print("SDFormat", dart::utils::SdfParser::readSkeleton(path("robot.sdf")));
  print("URDF", dart::utils::DartLoader().parseSkeleton(path("robot.urdf")));
}
X
expect "SDFormat: centre of mass at x = 0.5, Ixx 1.0, Iyy 2.0
URDF: centre of mass at x = 0.5, Ixx 2.0, Iyy 1.0" "$(./program 2>&1)"
