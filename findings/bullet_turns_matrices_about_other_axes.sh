#!/usr/bin/env bash
# Bullet 3.24: btMatrix3x3::setEulerYPR turns about other axes than its comment says, and than btQuaternion with the same three
# angles. Both comments have yaw about Y, pitch about X, roll about Z; the quaternion does that, the matrix has yaw about Z, pitch
# about Y, roll about X. getEulerYPR reads as the matrix writes, so that a round trip shows nothing; a pose that is written by one
# and read by the other is turned by up to half a turn. Guess, before it was run: a yaw of 0.5 is about z in the matrix and about
# y in the quaternion. So it is.
source "$(dirname "$(readlink -f "$0")")/unpack.bash"
unpack libbullet-dev=3.24+dfsg-2 libbullet3.24=3.24+dfsg-2
build program -w -DBT_USE_DOUBLE_PRECISION -I root/usr/include/bullet <<'X'
#include <LinearMath/btMatrix3x3.h>
#include <cmath>
#include <cstdio>
#include <initializer_list>
char axis_of(const btMatrix3x3& turn) {
  for (int k = 0; k < 3; ++k)
    if (std::abs(turn[k][k] - 1) < 1e-12) return "xyz"[k];
  return '?';
}
int main() {
  for (int k = 0; k < 3; ++k) {
    double angle[3]{};
    angle[k] = 0.5;
    btMatrix3x3 matrix;
    matrix.setEulerYPR(angle[0], angle[1], angle[2]);
    const btQuaternion quaternion(angle[0], angle[1], angle[2]);
    std::printf("%s: matrix about %c, quaternion about %c\n", (const char*[]){"yaw", "pitch", "roll"}[k], axis_of(matrix),
                axis_of(btMatrix3x3(quaternion)));
    btScalar yaw, pitch, roll;
    matrix.getEulerYPR(yaw, pitch, roll);
    std::printf("  read from the matrix again %.3f %.3f %.3f\n", yaw, pitch, roll);
  }
}
X
expect "yaw: matrix about z, quaternion about y
  read from the matrix again 0.500 0.000 0.000
pitch: matrix about y, quaternion about x
  read from the matrix again 0.000 0.500 0.000
roll: matrix about x, quaternion about z
  read from the matrix again 0.000 0.000 0.500" "$(./program)"
