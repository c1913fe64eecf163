#!/usr/bin/env bash
# DART 6.12: Skeleton::computeForwardDynamics gives accelerations that depend on the time step wherever a joint has damping or
# a spring. It takes both at the end of the step, so that dt times damping and dt^2 times stiffness stand beside the inertia:
# a hinge of 0.35 kg m^2 with 3 N m s and 5 N m/rad accelerates by -10.21, -9.55 and -5.64 rad/s^2 at steps of 1, 10 and
# 100 ms, where the equation of motion says -10.29. The reference says of the function that it computes forward dynamics,
# and getMassMatrix gives the inertia alone. So a comparison of accelerations with another library's has to set a tiny
# step or leave passive forces out. Guess, before it was run, from the name getAugMassMatrix beside getMassMatrix: so it is. A second
# guess, that a spinning body gains speed, was wrong.
source "$(dirname "$(readlink -f "$0")")/unpack.bash"
unpack_dart
build program "${dart[@]}" <<'X'
#include <cstdio>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
using namespace dart::dynamics;
int main() {
  for (const double step : {1e-9, 1e-3, 1e-2, 1e-1}) {
    const auto hinge = Skeleton::create("hinge");
    const auto [joint, body] = hinge->createJointAndBodyNodePair<RevoluteJoint>();
    body->setInertia(Inertia(1, Eigen::Vector3d(0.5, 0, 0), 0.1 * Eigen::Matrix3d::Identity()));
    joint->setAxis(Eigen::Vector3d::UnitZ());
    joint->setDampingCoefficient(0, 3);
    joint->setSpringStiffness(0, 5);
    hinge->setGravity(Eigen::Vector3d::Zero());
    hinge->setTimeStep(step);
    hinge->setPosition(0, 0.3);
    hinge->setVelocity(0, 0.7);
    hinge->computeForwardDynamics();
    std::printf("step %g: inertia %.2f acceleration %.4f\n", step, hinge->getMassMatrix()(0, 0), hinge->getAcceleration(0));
  }
}
X
expect "step 1e-09: inertia 0.35 acceleration -10.2857
step 0.001: inertia 0.35 acceleration -10.2081
step 0.01: inertia 0.35 acceleration -9.5532
step 0.1: inertia 0.35 acceleration -5.6429" "$(./program)"
