#!/usr/bin/env bash
# Bullet 3.24: a btMultiBody loses speed where nobody asked for it. Each step clamps every velocity, of joints and of a free
# base, to 100 (rad/s or m/s), in silence: a rotor at 150 rad/s, as of a quadcopter or a spindle, has 100 after one step.
# And as it is made it is damped: a body thrown at 50 m/s has 16.2 m/s after a second. The default is a
# damping of 0.04, which counts twice: against v and against v times |v|. Headers say neither; both numbers can be set
# (setMaxCoordinateVelocity, setLinearDamping). Guesses, before it was run: clamped at 100 (so it is), damped by 4 % a second
# (far off).
source "$(dirname "$(readlink -f "$0")")/unpack.bash"
unpack libbullet-dev=3.24+dfsg-2 libbullet3.24=3.24+dfsg-2
build program -w -DBT_USE_DOUBLE_PRECISION -I root/usr/include/bullet -Wl,--disable-new-dtags -lBulletDynamics-float64 \
  -lBulletCollision-float64 -lLinearMath-float64 <<'X'
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <cstdio>
#include <initializer_list>
int main() {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase pairs;
  btMultiBodyConstraintSolver solver;
  btMultiBodyDynamicsWorld world(&dispatcher, &pairs, &solver, &configuration);
  world.setGravity(btVector3(0, 0, 0));
  btMultiBody rotor(1, 0, btVector3(0, 0, 0), true, false), fast(0, 1, btVector3(1, 1, 1), false, false),
      thrown(0, 1, btVector3(1, 1, 1), false, false);
  rotor.setupRevolute(0, 1, btVector3(1, 1, 1), -1, btQuaternion(0, 0, 0, 1), btVector3(0, 0, 1), btVector3(0, 0, 0),
                      btVector3(0, 0, 0), true);
  for (btMultiBody* body : {&rotor, &fast, &thrown}) {
    body->finalizeMultiDof();
    world.addMultiBody(body);
  }
  for (btMultiBody* body : {&rotor, &fast}) {
    body->setLinearDamping(0);
    body->setAngularDamping(0);
  }
  rotor.setJointVel(0, 150);
  fast.setBaseVel(btVector3(150, 0, 0));
  thrown.setBaseVel(btVector3(50, 0, 0));
  const auto print = [&](const char* when) {
    std::printf("%s: rotor %g, body without damping %g, body as made %.1f\n", when, rotor.getJointVel(0), fast.getBaseVel().x(),
                thrown.getBaseVel().x());
  };
  print("at first");
  world.stepSimulation(1e-3, 1, 1e-3);
  print("after a step");
  for (int k = 1; k < 1000; ++k) world.stepSimulation(1e-3, 1, 1e-3);
  print("after a second");
  for (btMultiBody* body : {&rotor, &fast, &thrown}) world.removeMultiBody(body);
}
X
expect "at first: rotor 150, body without damping 150, body as made 50.0
after a step: rotor 100, body without damping 100, body as made 49.9
after a second: rotor 100, body without damping 100, body as made 16.2" "$(./program)"
