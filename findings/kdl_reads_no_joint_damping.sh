#!/usr/bin/env bash
# Orocos KDL 1.5.1: a Joint is made with a damping and a stiffness, after its scale, offset and inertia, and its header describes
# them as 1D damping and 1D stiffness along the axis. The inertia enters inverse dynamics (Newton and Euler), the mass matrix
# and forward dynamics (Vereshchagin). Damping and stiffness are kept and read by none of them: a hinge with a damping of
# 3 N m s needs the same torque as one with none. Guesses, before it was run: damping and stiffness are read nowhere (so it
# is), and Vereshchagin's solver forgets the inertia too (wrong: it does not).
source "$(dirname "$(readlink -f "$0")")/unpack.bash"
unpack liborocos-kdl-dev=1.5.1-2+b4 liborocos-kdl1.5=1.5.1-2+b4 libeigen3-dev=3.4.0-4
build program -w -I root/usr/include/eigen3 -lorocos-kdl <<'X'
#include <cstdio>
#include <kdl/chain.hpp>
#include <kdl/chainhdsolver_vereshchagin.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
using namespace KDL;
void hinge(double inertia, double damping, double stiffness) {
  Chain chain;
  chain.addSegment(Segment(Joint(Joint::RotZ, 1, 0, inertia, damping, stiffness), Frame(Vector(1, 0, 0)),
                           RigidBodyInertia(1, Vector(-0.5, 0, 0), RotationalInertia(0.1, 0.1, 0.1))));
  JntArray q(1), v(1), a(1), tau(1), back(1), beta(1), constraint(1);
  q(0) = 0.3, v(0) = 0.7, a(0) = 1;
  const Wrenches none(1);
  ChainIdSolver_RNE(chain, Vector::Zero()).CartToJnt(q, v, a, none, tau);
  Jacobian alpha(1);
  SetToZero(alpha);
  ChainHdSolver_Vereshchagin(chain, Twist::Zero(), 1).CartToJnt(q, v, back, alpha, beta, none, tau, constraint);
  std::printf("inertia %g damping %g stiffness %g: tau %.4f for an acceleration of 1, and %.4f by that torque\n", inertia,
              damping, stiffness, tau(0), back(0));
}
int main() {
  hinge(0, 0, 0);
  hinge(2, 0, 0);
  hinge(0, 3, 0);
  hinge(0, 0, 5);
}
X
expect "inertia 0 damping 0 stiffness 0: tau 0.3500 for an acceleration of 1, and 1.0000 by that torque
inertia 2 damping 0 stiffness 0: tau 2.3500 for an acceleration of 1, and 1.0000 by that torque
inertia 0 damping 3 stiffness 0: tau 0.3500 for an acceleration of 1, and 1.0000 by that torque
inertia 0 damping 0 stiffness 5: tau 0.3500 for an acceleration of 1, and 1.0000 by that torque" "$(./program)"
