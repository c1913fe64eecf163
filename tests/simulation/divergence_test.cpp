// Motions that outgrow doubles: a status with time and joint, and the state of the last good step, by every integrator.
#include <gtest/gtest.h>

#include <cmath>
#include <kinetree/simulation/rollouts.hpp>
#include <string>

#include "engine/scalar/index.hpp"

namespace kinetree::oracle {
namespace divergence {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Three wheels of 0.5 kg m² side by side, which do not feel each other.
Model wheels() {
  Description d;
  d.name = "wheels";
  for (const char* name : {"left", "middle", "right"}) {
    BodyDescription b;
    b.name = name, b.parent = "world";
    b.joint.name = std::string(name) + "_axle", b.joint.type = "continuous";
    b.inertial = InertialDescription{1, {}, {0.5, 0.5, 0.5, 0, 0, 0}};
    d.bodies.push_back(b);
  }
  return make_model(d);
}

void expect_said(const Status& status, const Model& model, const std::string& joint, double time) {
  const std::string said = status.message(model);
  EXPECT_EQ(status.code, StatusCode::diverged) << said;
  EXPECT_EQ(status.value, time);
  EXPECT_EQ(model.joint_name(status.body), joint);
  EXPECT_NE(said.find("joint \"" + joint + "\": the motion diverges at "), std::string::npos) << said;
  EXPECT_EQ(said.find("give finite numbers"), std::string::npos) << said;
}

/// A step so long that one of it leaves all numbers behind.
TEST(Divergence, OfOneStepLeavesTheState) {
  const Model model = make_model("chain:3");
  const VectorXd q = VectorXd::Constant(3, 0.2), v = VectorXd::LinSpaced(3, 1, 3);
  for (const Integrator integrator : {Integrator::semi_implicit_euler, Integrator::rk4, Integrator::adaptive}) {
    Simulation simulation(model, {}, {integrator, 1e160});
    ASSERT_TRUE(simulation.reset(q, v, 2).ok());
    const Status status = simulation.step(1e160);
    if (integrator == Integrator::adaptive && status.ok()) continue;
    EXPECT_FALSE(status.ok());
    EXPECT_EQ(simulation.q(), q);
    EXPECT_EQ(simulation.v(), v);
    EXPECT_EQ(simulation.time(), 2);
    EXPECT_EQ(simulation.work(), 0);
    EXPECT_EQ(simulation.steps(), 0);
    if (integrator == Integrator::adaptive) continue;
    expect_said(status, model, "joint3", 2);
    Rollouts rollouts(model, 3, {}, {integrator, false});
    ASSERT_TRUE(rollouts.reset(q.replicate(1, 3), v.replicate(1, 3), 2).ok());
    ASSERT_TRUE(rollouts.reset(1, q, -v, 3).ok());
    EXPECT_FALSE(rollouts.step(1e160).ok());
    for (int c = 0; c < 3; ++c) {
      const Status& own = rollouts.statuses()[at(c)];
      EXPECT_EQ(own.column, c);
      expect_said(own, model, "joint3", c == 1 ? 3 : 2);
      EXPECT_EQ(rollouts.q().col(c), q);
      EXPECT_EQ(rollouts.v().col(c), c == 1 ? VectorXd(-v) : v);
      EXPECT_EQ(rollouts.time()[c], c == 1 ? 3 : 2);
    }
  }
}

/// A spring, then a damper, too stiff for the step, on one of three wheels: they grow from step to step, and the last
/// state is finite. Squares that overflow are the motion's fault, not that of the function that takes them.
TEST(Divergence, OfManyStepsIsToldWithTimeAndJoint) {
  const Model model = wheels();
  const VectorXd q = VectorXd::Zero(3), v = VectorXd::Ones(3);
  for (const Integrator integrator : {Integrator::semi_implicit_euler, Integrator::rk4})
    for (const bool damper : {false, true}) {
      Simulation simulation(model, {}, {integrator, 0.01});
      ASSERT_TRUE(simulation.reset(q, v).ok());
      const Status status = simulation.advance_to(1e3, [&](double, const auto& at, const auto& rate, auto& tau) {
        tau[1] = damper ? -1e9 * rate[1] : -1e9 * at[1];
      });
      expect_said(status, model, "middle_axle", simulation.time());
      EXPECT_GE(simulation.steps(), 5);
      EXPECT_LT(simulation.time(), 10);
      EXPECT_TRUE(simulation.q().allFinite() && simulation.v().allFinite());
      EXPECT_EQ(simulation.v()[0], 1) << "the others do not feel it";

      Rollouts rollouts(model, 5, {}, {integrator, false});
      ASSERT_TRUE(rollouts.reset(q.replicate(1, 5), v.replicate(1, 5)).ok());
      const RolloutForces forces = [&](RolloutColumns& c) {
        for (Eigen::Index k = 0; k < c.q.cols(); ++k)
          if (c.first + k == 3) c.tau(1, k) = -1e9 * (damper ? c.v(1, k) : c.q(1, k));
      };
      EXPECT_FALSE(rollouts.step(0.01, forces, 1000).ok());
      expect_said(rollouts.statuses()[3], model, "middle_axle", rollouts.time()[3]);
      EXPECT_NEAR(rollouts.time()[3], simulation.time(), 0.011);
      EXPECT_TRUE(rollouts.q().allFinite() && rollouts.v().allFinite());
      for (const int c : {0, 1, 2, 4}) EXPECT_TRUE(rollouts.statuses()[at(c)].ok()) << c;
      EXPECT_NEAR(rollouts.time()[4], 10, 1e-9);
    }
}

/// v = exp(t 1000 / s) reaches the largest double at 0.7098 s.
TEST(Divergence, OfAdaptiveStepsIsToldToo) {
  const Model model = wheels();
  Simulation simulation(model);
  ASSERT_TRUE(simulation.reset(VectorXd::Zero(3), VectorXd::Constant(3, 1)).ok());
  const Status status =
      simulation.advance_to(10, [&](double, const auto&, const auto& v, auto& tau) { tau[2] = 500 * v[2]; });
  expect_said(status, model, "right_axle", simulation.time());
  EXPECT_NEAR(simulation.time(), 0.70, 0.02);
  EXPECT_TRUE(simulation.v().allFinite());
}

/// Steps too long for the spin of a body that tumbles: quaternions lose their numbers as well.
TEST(Divergence, OfATumblingBodyIsToldToo) {
  Description d;
  d.name = "tumbling";
  d.bodies.resize(1);
  d.bodies[0].name = "stone", d.bodies[0].parent = "world";
  d.bodies[0].joint.name = "free", d.bodies[0].joint.type = "floating";
  d.bodies[0].inertial = InertialDescription{1, {{0.1, 0.2, 0}, {0, 0, 0, 1}}, {0.01, 0.02, 0.025, 0, 0, 0}};
  const Model model = make_model(d);
  VectorXd q = VectorXd::Unit(7, 6), v(6);
  v << 1, 2, 3, 10, 12, 1;
  Simulation simulation(model, {}, {Integrator::semi_implicit_euler, 0.5});
  Rollouts rollouts(model, 2, {}, {Integrator::semi_implicit_euler, false});
  ASSERT_TRUE(simulation.reset(q, v).ok() && rollouts.reset(q.replicate(1, 2), v.replicate(1, 2)).ok());
  const Status status = simulation.advance_to(1e3);
  expect_said(status, model, "free", simulation.time());
  EXPECT_TRUE(simulation.q().allFinite() && simulation.v().allFinite());
  EXPECT_FALSE(rollouts.step(0.5, {}, 2000).ok());
  expect_said(rollouts.statuses()[1], model, "free", rollouts.time()[1]);
  EXPECT_TRUE(rollouts.q().allFinite() && rollouts.v().allFinite());
}

/// A time that no double holds.
TEST(Divergence, OfTimeItselfIsRefused) {
  const Model model = wheels();
  for (const Integrator integrator : {Integrator::semi_implicit_euler, Integrator::rk4, Integrator::adaptive}) {
    Simulation simulation(model, {}, {integrator, 0.01});
    ASSERT_TRUE(simulation.reset(VectorXd::Zero(3), VectorXd::Zero(3), 1.5e308).ok());
    EXPECT_EQ(simulation.step(1.5e308).message(model), "time is inf; give a finite number");
    EXPECT_EQ(simulation.time(), 1.5e308);
  }
}

/// What a function makes of a moderate state is its own fault.
TEST(Divergence, IsNotWhatForcesGetWrong) {
  const Model model = wheels();
  for (const Integrator integrator : {Integrator::semi_implicit_euler, Integrator::rk4, Integrator::adaptive}) {
    Simulation simulation(model, {}, {integrator, 0.01});
    ASSERT_TRUE(simulation.reset(VectorXd::Zero(3), VectorXd::Ones(3)).ok());
    const Status status = simulation.advance_to(
        1, [&](double t, const auto&, const auto&, auto& tau) { tau[0] = t > 0.2 ? HUGE_VAL : 0; });
    EXPECT_EQ(status.code, StatusCode::not_finite);
    EXPECT_EQ(status.message(model), "tau of joint \"left_axle\" is inf; give finite numbers");
  }
}

}  // namespace divergence
}  // namespace kinetree::oracle
