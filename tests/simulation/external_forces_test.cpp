// Forces on links in motion: they do what other forces do that have the same effect, their work is the growth of the
// energy, and a force that is no number has a word. Forces that loops and joints transmit meanwhile.
#include <gtest/gtest.h>

#include <cmath>
#include <kinetree/constraint_forces.hpp>
#include <kinetree/forces.hpp>
#include <kinetree/kinematics.hpp>
#include <kinetree/simulation/simulation.hpp>
#include <limits>

#include "oracle/mechanisms.hpp"
#include "oracle/random_state.hpp"
#include "parallel/allocations.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::VectorXd;

/// A force of the weight's size at the centre of mass of a thrown body is the same as more gravity.
TEST(ExternalForces, AtACentreOfMassAreGravity) {
  Random random(5);
  Description d;
  d.bodies.push_back(random_body(random, "stone", "world", JointType::floating));
  const InertialDescription& inertial = *d.bodies[0].inertial;
  const Model model = make_model(d);
  d.gravity = {1, -2, -9};
  const Model heavy = make_model(d);
  const TestState s = random_state(model, 2);
  Simulation pulled(model), falling(heavy);
  ASSERT_TRUE(pulled.reset(s.q, s.v).ok() && falling.reset(s.q, s.v).ok());
  const std::vector<LinkPoint> centre{{0, inertial.frame.xyz}};
  VectorXd force = VectorXd::Zero(6);
  force.tail(3) << 1, -2, 0.81;
  force *= inertial.mass;
  Workspace w(model);
  const Forces pull = [&](double, const VectorXd& q, const VectorXd&, VectorXd&, VectorXd& f_ext) {
    EXPECT_TRUE(add_forces(model, w, q, centre, Axes::world_aligned, force, f_ext).ok());
  };
  ASSERT_TRUE(pulled.advance_to(1.5, pull).ok() && falling.advance_to(1.5).ok());
  EXPECT_LE((pulled.q() - falling.q()).norm(), 1e-8);
  EXPECT_LE((pulled.v() - falling.v()).norm(), 1e-8);
}

/// Every integrator, to its order; a tree and a loop.
TEST(ExternalForces, DoTheWorkThatTheEnergyGrowsBy) {
  for (const char* family : {"random:6:seed=3:floating=1", "fourbars:2"}) {
    const Model model = make_model(family);
    const TestState s = random_state(model, 4);
    std::vector<int> links;
    for (int k = 0; k < model.frame_count(); ++k) links.push_back(k);
    const VectorXd numbers = VectorXd::LinSpaced(6 * model.frame_count(), -1, 2);
    Workspace w(model);
    const auto pushed = [&](double t, const VectorXd& q, const VectorXd& v, VectorXd& tau, VectorXd& f_ext) {
      tau = -0.1 * v;
      EXPECT_TRUE(add_forces(model, w, q, links, Axes::link, std::cos(3 * t) * numbers, f_ext).ok());
    };
    for (const auto& [integrator, bound] :
         {std::pair{Integrator::adaptive, 1e-7}, {Integrator::rk4, 1e-4}, {Integrator::semi_implicit_euler, 0.1}}) {
      Simulation simulation(model, {}, {integrator, 1e-3, 1e-10});
      ASSERT_TRUE(simulation.assemble(s.q, 0.3 * s.v).ok());
      const double before = simulation.energy().total();
      ASSERT_TRUE(simulation.advance_to(0.3, pushed).ok());
      const double work = simulation.work();
      EXPECT_GT(std::abs(work), 0.05) << family;
      EXPECT_LE(std::abs(simulation.energy().total() - before - work), bound * (1 + std::abs(work))) << family;
    }
  }
}

TEST(ExternalForces, NoNumberIsNamedAndTheStateStays) {
  const Model model = make_model("chain:3");
  Simulation simulation(model);
  const VectorXd q = VectorXd::Constant(3, 0.2), v = VectorXd::Zero(3);
  ASSERT_TRUE(simulation.reset(q, v).ok());
  const Status status =
      simulation.advance_to(1, [](double, const VectorXd&, const VectorXd&, VectorXd&, VectorXd& f_ext) {
        f_ext[8] = std::numeric_limits<double>::quiet_NaN();
      });
  EXPECT_EQ(status.code, StatusCode::not_finite);
  EXPECT_EQ(status.body, 1);
  EXPECT_EQ(simulation.q(), q);
}

/// As the functions of one state have them, under the forces of this moment; the motion sees nothing of the question.
TEST(HoldingForcesInMotion, AreThoseOfTheStateAndTheFunction) {
  const Model model = make_model("fourbars:2");
  const TestState s = random_state(model, 4);
  const std::vector<int> links{0, 2};
  const VectorXd numbers = VectorXd::LinSpaced(12, -1, 2);
  Workspace w(model);
  int calls = 0;
  double last_time = -1;
  const Forces pushed = [&](double t, const VectorXd& q, const VectorXd& v, VectorXd& tau, VectorXd& f_ext) {
    ++calls, last_time = t;
    tau = -0.1 * v;
    EXPECT_TRUE(add_forces(model, w, q, links, Axes::link, std::cos(3 * t) * numbers, f_ext).ok());
  };
  VectorXd loops(24), joints(6 * model.body_count()), tau(model.nv()), f_ext(6 * model.body_count()), a(model.nv());
  Simulation asked(model), silent(model);
  ASSERT_TRUE(asked.assemble(s.q, 0.3 * s.v).ok() && silent.assemble(s.q, 0.3 * s.v).ok());
  for (const double end : {0.1, 0.23}) {
    ASSERT_TRUE(asked.advance_to(end, pushed).ok() && silent.advance_to(end, pushed).ok());
    calls = 0;
    ASSERT_TRUE(asked.loop_forces(Axes::world, loops, pushed).ok());
    ASSERT_TRUE(asked.joint_reactions(Axes::link, joints, pushed).ok());
    EXPECT_EQ(calls, 2);
    EXPECT_EQ(last_time, end);
    ForwardDynamics dynamics(model);
    pushed(end, asked.q(), asked.v(), tau, f_ext.setZero());
    ASSERT_TRUE(dynamics.solve(asked.q(), asked.v(), tau, f_ext, a).ok());
    VectorXd loops_alone(24), joints_alone(joints.size());
    ASSERT_TRUE(kinetree::loop_forces(model, w, asked.q(), asked.v(), a, tau, f_ext, Axes::world, loops_alone).ok());
    ASSERT_TRUE(
        kinetree::joint_reactions(model, w, asked.q(), asked.v(), a, tau, f_ext, Axes::link, joints_alone).ok());
    EXPECT_GT(loops.norm(), 0.1);
    EXPECT_EQ(loops, loops_alone);
    EXPECT_EQ(joints, joints_alone);
  }
  EXPECT_EQ(asked.q(), silent.q());
  EXPECT_EQ(asked.work(), silent.work());
  EXPECT_EQ(asked.evaluations(), silent.evaluations());
  // refusals
  VectorXd wrong(5);
  EXPECT_EQ(asked.loop_forces(Axes::link, wrong).code, StatusCode::wrong_size);
  const Control nan = [](double, const VectorXd&, const VectorXd&, VectorXd& out) { out[1] = NAN; };
  EXPECT_EQ(asked.joint_reactions(Axes::link, joints, nan).code, StatusCode::not_finite);
  EXPECT_TRUE(joints.array().isNaN().all());
  if (!can_count_allocations()) return;
  const auto ask = [&] { return asked.loop_forces(Axes::link, loops, pushed).ok(); };
  ASSERT_TRUE(ask());
  start_counting();
  (void)asked.loop_forces(Axes::link, loops);
  EXPECT_EQ(stop_counting().ours, 0u);
}

}  // namespace
}  // namespace kinetree::oracle
