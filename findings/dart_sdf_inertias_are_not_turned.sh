#!/usr/bin/env bash
# DART 6.12: SdfParser takes the place of <inertial><pose> and leaves its rotation out, without a word: moments of 1 and 2 about
# axes that the pose turns by a right angle come back unturned. SDFormat says that the inertia matrix stands in the inertial
# frame, which the pose places and turns. The same link in URDF, through DartLoader, is turned. Guess, before it was run: SDF
# not turned, URDF turned. So it is.
source "$(dirname "$(readlink -f "$0")")/unpack.bash"
version=6.12.1+dfsg4-12+b2
unpack libdart-dev=$version libdart6.12=$version libdart-utils-urdf-dev=$version libdart-utils-urdf6.12=$version \
  libdart-utils-dev=$version libdart-utils6.12=$version libdart-external-ikfast-dev=$version \
  libdart-external-convhull-3d-dev=$version libdart-external-odelcpsolver-dev=$version \
  libdart-external-odelcpsolver6.12=$version libfcl-dev=0.7.0-3+b1 libfcl0.7=0.7.0-3+b1 libccd-dev=2.1-2+b1 libccd2=2.1-2+b1 \
  liboctomap-dev=1.9.7+dfsg-3+b1 liboctomap1.9=1.9.7+dfsg-3+b1 libassimp-dev=5.2.5~ds0-1+b1 libassimp5=5.2.5~ds0-1+b1 \
  liburdfdom-model3.0=3.0.1-1 liburdfdom-world3.0=3.0.1-1 libeigen3-dev=3.4.0-4 libboost1.74-dev=1.74.0+ds1-21
cat > robot.sdf <<'X'
<sdf version="1.6"><model name="r"><link name="a"><inertial><pose>0.5 0 0 0 0 1.5707963267949</pose><mass>2</mass>
<inertia><ixx>1</ixx><iyy>2</iyy><izz>2.5</izz><ixy>0</ixy><ixz>0</ixz><iyz>0</iyz></inertia></inertial></link></model></sdf>
X
cat > robot.urdf <<'X'
<robot name="r"><link name="a"><inertial><origin xyz="0.5 0 0" rpy="0 0 1.5707963267949"/><mass value="2"/>
<inertia ixx="1" iyy="2" izz="2.5" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>
X
build program -w -I root/usr/include/eigen3 -Wl,--disable-new-dtags -ldart -ldart-utils -ldart-utils-urdf -lassimp -lfcl -lccd \
  -loctomap -loctomath -ldart-external-odelcpsolver <<'X'
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
