// Starts that leave loops or couplings open: refused beyond 1e-8, with the amount; assembled on demand. Velocities of
// impacts may be open.
#include <gtest/gtest.h>

#include <cmath>
#include <kinetree/configuration.hpp>
#include <kinetree/simulation/rollouts.hpp>
#include <kinetree/simulation/simulation.hpp>

#include "engine/model/closure.hpp"
#include "engine/model/model_data.hpp"
#include "loops/regular_mechanisms.hpp"
#include "parallel/allocations.hpp"

namespace kinetree::oracle {
namespace starts {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

/// Crank and rocker of 1 m, 1 m apart, upright where all joints are at zero; velocities allowed there are (w, -w, w).
Model square() {
  Description d;
  d.name = "square", d.gravity = {0, -9.81, 0};
  const auto bar = [&](const char* name, const char* parent, const Numbers3& at, const Numbers3& com) {
    BodyDescription& b = d.bodies.emplace_back();
    b.name = name, b.parent = parent;
    b.joint.name = std::string("j_") + name, b.joint.type = "revolute", b.joint.axis = {0, 0, 1};
    b.joint.origin.xyz = at;
    b.inertial = InertialDescription{1, {com}, {0.1, 0.1, 0.1, 0, 0, 0}};
  };
  bar("crank", "world", {0, 0, 0}, {0, .5, 0}), bar("coupler", "crank", {0, 1, 0}, {.5, 0, 0});
  bar("rocker", "world", {1, 0, 0}, {0, .5, 0});
  LoopDescription pin;
  pin.name = "pin", pin.type = "revolute";
  pin.first.body = "coupler", pin.first.frame.xyz = {1, 0, 0};
  pin.second.body = "rocker", pin.second.frame.xyz = {0, 1, 0};
  d.loops.push_back(pin);
  return make_model(d);
}

/// Motor and link, 50 to 1.
Model geared() {
  Description d;
  d.name = "geared";
  d.bodies = {rod("motor", "world", 0, .1), rod("link", "world", 0, .5)};
  d.couplings = {{"gear", {{"motor_joint", 1}, {"link_joint", -50}}, 0}};
  return make_model(d);
}

void expect_open(const Status& status, const Model& model, const char* argument, double amount) {
  EXPECT_EQ(status.code, StatusCode::not_closed) << status.message(model);
  EXPECT_STREQ(status.argument, argument);
  EXPECT_NEAR(status.value, amount, 1e-3 * amount);
  const std::string words = status.message(model);
  for (const char* part : {argument, "1e-8 is allowed", "Simulation::assemble"})
    EXPECT_NE(words.find(part), std::string::npos) << words;
}

const double across = std::sin(0.3) + 1 - std::cos(0.3);  // m: how far the pin is off with the crank at 0.3

TEST(Starts, OpenOnesAreRefusedWithTheAmount) {
  const Model model = square();
  Simulation simulation(model);
  const Vector3d closed(0, 0, 0), rest(0, 0, 0), moves(-1, 1, -1);
  ASSERT_TRUE(simulation.reset(closed, moves, 2).ok());
  const auto unchanged = [&] {
    EXPECT_EQ(simulation.q(), closed);
    EXPECT_EQ(simulation.v(), moves);
    EXPECT_EQ(simulation.time(), 2);
  };
  const Status open = simulation.reset(closed, Vector3d(-1, 0, 0));
  expect_open(open, model, "v", 0.5);  // 1 m/s, of 1 + |v|
  EXPECT_NE(open.message(model).find("loop \"pin\": v breaks"), std::string::npos) << open.message(model);
  unchanged();
  expect_open(simulation.reset(Vector3d(0.3, 0, 0), rest), model, "q", across);
  unchanged();
  expect_open(simulation.reset(Vector3d(0.3, 0, 0), Vector3d(-1, 0, 0)), model, "q", across);
  expect_open(simulation.set_state(Vector3d(0.3, 0, 0), rest), model, "q", across);
  unchanged();
  // an error of 1e-8 is rounding of a file, and is closed; from both sides
  for (const double part : {0.9, 1.1}) {
    const Status near = simulation.reset(Vector3d(0, 0, part * 1e-8), rest);
    EXPECT_EQ(near.ok(), part < 1) << near.message(model);
    EXPECT_EQ(simulation.reset(closed, Vector3d(0, 0, part * 1e-8)).ok(), part < 1);
  }
  ASSERT_TRUE(simulation.reset(Vector3d(0, 0, 9e-9), rest).ok());
  EXPECT_LE(simulation.closure_error(), 1e-14);
}

TEST(Starts, AssembledOnesCloseFromNearBy) {
  const Model model = square();
  Simulation simulation(model);
  ASSERT_TRUE(simulation.assemble(Vector3d(0.3, 0, 0), Vector3d(-1, 0, 0), 4).ok());
  EXPECT_LE(simulation.closure_error(), 1e-14);
  EXPECT_TRUE(Closure(model.data()).violations(simulation.q().data(), simulation.v().data()).empty());
  EXPECT_EQ(simulation.time(), 4);
  EXPECT_EQ(simulation.steps(), 0);
  EXPECT_GT(simulation.q()[0], 0.05);
  // at the given configuration the nearest velocity is -1/3 (1, -1, 1)
  ASSERT_TRUE(simulation.assemble(Vector3d::Zero(), Vector3d(-1, 0, 0)).ok());
  EXPECT_LE((simulation.v() - Vector3d(-1, 1, -1) / 3).norm(), 1e-15);
  // where no configuration is near: rods that do not reach
  EXPECT_EQ(simulation.assemble(Vector3d(NAN, 0, 0), Vector3d::Zero()).code, StatusCode::not_finite);
}

/// An impact at one joint, by set_state and by an event: the other joints follow, and the energy knows of it.
TEST(Starts, VelocitiesOfImpactsMayBeOpen) {
  const Model model = square();
  Simulation simulation(model);
  ASSERT_TRUE(simulation.reset(Vector3d::Zero(), Vector3d(-1, 1, -1)).ok());
  const double before = simulation.energy().total();
  ASSERT_TRUE(simulation.set_state(simulation.q(), Vector3d(2, 1, -1)).ok());
  EXPECT_LE((simulation.v() - Vector3d(0, 0, 0)).norm(), 1e-15) << "(2, 1, -1) is square to (1, -1, 1)";
  EXPECT_EQ(simulation.energy_set(), simulation.energy().total() - before);
  Event stop;
  stop.value = [](double, const VectorXd& q, const VectorXd&) { return q[0] - 0.1; };
  int acted = 0;
  stop.act = [&](double, VectorXd&, VectorXd& v) { return v[0] *= -0.5, ++acted, true; };
  ASSERT_TRUE(simulation.reset(Vector3d::Zero(), Vector3d(1, -1, 1)).ok());
  simulation.watch({stop});
  const Status status = simulation.advance_to(0.15);
  ASSERT_TRUE(status.ok()) << status.message(model);
  EXPECT_EQ(acted, 1);
  EXPECT_TRUE(Closure(model.data()).violations(simulation.q().data(), simulation.v().data()).empty());
  // an event that opens the loop is refused
  stop.act = [](double, VectorXd& q, VectorXd&) { return q[0] += 0.1, true; };
  ASSERT_TRUE(simulation.reset(Vector3d::Zero(), Vector3d(1, -1, 1)).ok());
  simulation.watch({stop});
  EXPECT_EQ(simulation.advance_to(0.15).code, StatusCode::not_closed);
}

TEST(Starts, RolloutsRefuseOpenColumns) {
  const Model model = geared();
  Rollouts rollouts(model, 3);
  MatrixXd q(2, 3), v = MatrixXd::Zero(2, 3);
  q << 5, 5, 0, 0.1, 0.1, 0;
  ASSERT_TRUE(rollouts.reset(q, v).ok());
  q(0, 1) = 4;
  Status status = rollouts.reset(q, v, 1);
  EXPECT_EQ(status.column, 1);
  expect_open(status, model, "q", 1 / 50.);  // 1 rad of the motor's: 0.02 of the link's
  EXPECT_EQ(rollouts.q()(0, 1), 5) << "stays as it was";
  EXPECT_EQ(rollouts.time()[0], 1);
  EXPECT_EQ(rollouts.time()[1], 0);
  status = rollouts.reset(2, Vector2d(0, 0), Vector2d(1, 0));
  EXPECT_EQ(status.column, 2);
  expect_open(status, model, "v", 1 / 100.);
  EXPECT_TRUE(rollouts.reset(2, Vector2d(1e-17, 0), Vector2d(50, 1)).ok());
  EXPECT_TRUE(rollouts.reset(1, Vector2d(5, 0.1), Vector2d(0, 0)).ok());
  EXPECT_TRUE(rollouts.step(1e-3).ok());
}

/// A motor that has turned a million times, 50 rad for one of the link's: rounding of 1e8 rad is no open coupling.
TEST(Starts, GearsTurnOn) {
  const Model model = geared();
  Simulation simulation(model, {}, {Integrator::rk4, 1e-3});
  for (const double turns : {1e3, 1e6, 1e9}) {
    const double link = 0.12345678901234567 * turns;
    ASSERT_TRUE(simulation.reset(Vector2d(50 * link, link), Vector2d(150, 3)).ok()) << turns;
    const Status status = simulation.advance_to(0.05);
    EXPECT_TRUE(status.ok()) << turns << ": " << status.message(model);
  }
}

TEST(Starts, AllocateNothingAfterTheFirst) {
  if (!can_count_allocations()) GTEST_SKIP() << "the sanitizer has the allocator";
  const Model model = square();
  Simulation simulation(model);
  const Vector3d closed(0, 0, 0), allowed(1, -1, 1), open(1, 0, 0);
  ASSERT_TRUE(simulation.assemble(closed, open).ok());
  ASSERT_TRUE(simulation.reset(closed, allowed).ok());
  start_counting();
  const bool ok = simulation.assemble(closed, open).ok() && simulation.reset(closed, allowed).ok() &&
                  !simulation.reset(open, open).ok() && !simulation.reset(closed, open).ok();
  const Allocations seen = stop_counting();
  EXPECT_TRUE(ok);
  EXPECT_EQ(seen.ours + seen.runtimes, 0u);
}

}  // namespace starts
}  // namespace kinetree::oracle
