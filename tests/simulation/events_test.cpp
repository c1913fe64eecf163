// Events: found where closed forms have them, told from both sides, by every integrator; impacts and what they cost.
#include <gtest/gtest.h>

#include <cmath>
#include <kinetree/simulation/simulation.hpp>
#include <string>

#include "oracle/random_state.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::VectorXd;

/// One kilogram on a vertical slide.
Model stone() {
  Description d;
  BodyDescription& b = d.bodies.emplace_back();
  b.name = "stone", b.parent = "world";
  b.joint.name = "height", b.joint.type = "prismatic", b.joint.axis = {0, 0, 1};
  b.inertial = InertialDescription{1, {}, {0.1, 0.1, 0.1, 0, 0, 0}};
  return make_model(d);
}

VectorXd one(double x) { return VectorXd::Constant(1, x); }

Event floor_event(bool bounces, double keeps = 0.5) {
  Event e;
  e.value = [](double, const VectorXd& q, const VectorXd&) { return q[0]; };
  e.direction = EventDirection::falling;
  if (bounces)
    e.act = [keeps](double, VectorXd&, VectorXd& v) {
      v *= -keeps;
      return true;
    };
  return e;
}

constexpr double gravity = 9.81;

/// From 1 m, thrown up at 1 m/s: t = (1 + sqrt(1 + 2 gravity)) / gravity. Euler's steps fall by gravity h (k + 1) h.
TEST(SimulationEvents, EndAStepWhereTheClosedFormHasThem) {
  for (const Integrator integrator : {Integrator::adaptive, Integrator::rk4, Integrator::semi_implicit_euler}) {
    Simulation simulation(stone(), {}, {integrator, 1e-3});
    ASSERT_TRUE(simulation.reset(one(1), one(1), 5).ok());
    Event apex;
    apex.value = [](double, const VectorXd&, const VectorXd& v) { return v[0]; };
    simulation.watch({floor_event(false), apex});
    ASSERT_TRUE(simulation.advance_to(9).ok());
    ASSERT_EQ(simulation.happened().size(), 1u);
    EXPECT_EQ(simulation.happened()[0], 1);
    EXPECT_NEAR(simulation.time(), 5 + 1 / gravity, 2e-9);
    ASSERT_TRUE(simulation.advance_to(9).ok());
    EXPECT_EQ(simulation.happened()[0], 0);
    const double exact = 5 + (1 + std::sqrt(1 + 2 * gravity)) / gravity;
    EXPECT_NEAR(simulation.time(), exact, integrator == Integrator::semi_implicit_euler ? 2e-3 : 2e-9);
    EXPECT_LE(simulation.q()[0], 0);
    EXPECT_GE(simulation.q()[0], -1e-8);
    ASSERT_TRUE(simulation.advance_to(9).ok());
    EXPECT_EQ(simulation.time(), 9) << "on its way down it meets neither again";
    EXPECT_TRUE(simulation.happened().empty());
  }
}

/// Each bounce keeps a quarter of the energy; bounces follow by half the time of the one before; step() ends on time
/// though events cut its steps.
TEST(SimulationEvents, ImpactsTakeTheEnergyThatTheyTake) {
  for (const Integrator integrator : {Integrator::adaptive, Integrator::rk4}) {
    Simulation simulation(stone(), {}, {integrator, 1e-3, 1e-10, 0.05});
    ASSERT_TRUE(simulation.reset(one(1), one(0)).ok());
    int bounces = 0;
    Event e = floor_event(true);
    e.act = [&, act = e.act](double t, VectorXd& q, VectorXd& v) { return ++bounces, act(t, q, v); };
    simulation.watch({e});
    const double start = simulation.energy().total(), first = std::sqrt(2 / gravity);
    const double end = first * (1 + 1 + 0.5 + 0.1);  // between the third bounce and the fourth
    for (int k = 0; k < 40; ++k) ASSERT_TRUE(simulation.step(end / 40).ok());
    EXPECT_NEAR(simulation.time(), end, 1e-12);
    EXPECT_EQ(bounces, 3);
    EXPECT_NEAR(simulation.energy_set(), -gravity * (1 - std::pow(0.25, 3)), 1e-7);
    EXPECT_NEAR(simulation.energy().total() - start, simulation.work() + simulation.energy_set(), 1e-7);
    const double up = 0.125 * std::sqrt(2 * gravity), since = end - first * (1 + 1 + 0.5);
    EXPECT_NEAR(simulation.q()[0], up * since - gravity / 2 * since * since, 1e-6);
  }
}

/// However much longer than a bounce a step may be: each of them is told, and the ball lies still where it should.
TEST(SimulationEvents, ShortBouncesFitIntoNoStep) {
  constexpr double keeps = 0.8, slow = 0.01;
  const double first = std::sqrt(2 * gravity);
  const int last = static_cast<int>(std::ceil(std::log(slow / first) / std::log(keeps)));
  double rest = first / gravity;
  for (int k = 1; k < last; ++k) rest += 2 * first * std::pow(keeps, k) / gravity;
  for (const Integrator integrator : {Integrator::adaptive, Integrator::rk4}) {
    Simulation simulation(stone(), {}, {integrator, 0.02});
    ASSERT_TRUE(simulation.reset(one(1), one(0)).ok());
    int bounces = 0;
    Event e = floor_event(true);
    e.act = [&](double, VectorXd&, VectorXd& v) { return ++bounces, v *= -keeps, v[0] > slow; };
    simulation.watch({e});
    ASSERT_TRUE(simulation.advance_to(10).ok());
    EXPECT_EQ(bounces, last);
    EXPECT_NEAR(simulation.time(), rest, 1e-6);
    EXPECT_NEAR(simulation.q()[0], 0, 1e-8);
    // up and down again between two ends of a step: both are told
    ASSERT_TRUE(simulation.reset(one(-0.01), one(1)).ok());
    Event both = floor_event(false);
    both.direction = EventDirection::both;
    simulation.watch({both});
    for (const int sign : {1, -1}) {
      ASSERT_TRUE(simulation.advance_to(simulation.time() + 1).ok());
      ASSERT_EQ(simulation.happened().size(), 1u);
      EXPECT_GT(sign * simulation.v()[0], 0.5);
    }
  }
}

/// The same event twice happens twice; of a direction that does not fit none does.
TEST(SimulationEvents, DirectionsAndEventsAtOnce) {
  Simulation simulation(stone());
  Event rising = floor_event(false);
  rising.direction = EventDirection::rising;
  simulation.watch({rising, floor_event(false), floor_event(false)});
  ASSERT_TRUE(simulation.reset(one(1), one(0)).ok());
  ASSERT_TRUE(simulation.advance_to(2).ok());
  ASSERT_EQ(simulation.happened().size(), 2u);
  EXPECT_EQ(simulation.happened()[0], 1);
  // thrown back up by hand it passes zero upwards
  ASSERT_TRUE(simulation.set_state(simulation.q() - one(0.1), one(3)).ok());
  const double from = simulation.time();
  ASSERT_TRUE(simulation.advance_to(2).ok());
  ASSERT_EQ(simulation.happened().size(), 1u);
  EXPECT_EQ(simulation.happened()[0], 0);
  EXPECT_NEAR(simulation.time() - from, (3 - std::sqrt(9 - 2 * gravity * 0.1)) / gravity, 1e-8);
}

/// Calls then(simulation) with a stone that has just met the floor, an event either way, by each integrator.
template <class Then>
void at_the_floor(const Then& then) {
  for (const Integrator integrator : {Integrator::semi_implicit_euler, Integrator::rk4, Integrator::adaptive}) {
    Simulation simulation(stone(), {}, {integrator, 0.01});
    Event both = floor_event(false);
    both.direction = EventDirection::both;
    simulation.watch({both});
    ASSERT_TRUE(simulation.reset(one(0.1), one(0)).ok());
    ASSERT_TRUE(simulation.advance_to(1).ok());
    ASSERT_EQ(simulation.happened().size(), 1u);
    then(simulation);
  }
}

/// An event that has just happened may happen in the very next step where set_state took its value from zero; where an
/// impact leaves the value there it may not.
TEST(SimulationEvents, HappenAgainAfterAnotherStateIsSet) {
  at_the_floor([](Simulation& simulation) {
    ASSERT_TRUE(simulation.set_state(one(0.01), one(-3)).ok());
    const double then = simulation.time();
    ASSERT_TRUE(simulation.advance_to(then + 0.01).ok());
    EXPECT_EQ(simulation.happened().size(), 1u) << "within the first step";
    EXPECT_NEAR(simulation.q()[0], 0, 1e-6);
    // thrown up again from where it is: it leaves the floor, which is no event
    ASSERT_TRUE(simulation.set_state(simulation.q(), one(3)).ok());
    ASSERT_TRUE(simulation.advance_to(simulation.time() + 0.01).ok());
    EXPECT_TRUE(simulation.happened().empty());
  });
}

/// What set_state does to the last digits of a state takes no event away from zero.
TEST(SimulationEvents, DoNotHappenAgainWhereTheyAre) {
  at_the_floor([](Simulation& simulation) {
    ASSERT_LT(simulation.q()[0], 0);
    ASSERT_TRUE(simulation.set_state((1 + 1e-9) * simulation.q(), -simulation.v()).ok());
    ASSERT_TRUE(simulation.advance_to(simulation.time() + 0.01).ok());
    EXPECT_TRUE(simulation.happened().empty()) << "it leaves the floor, from a nanometre below it";
  });
}

/// A step that is not taken says nothing of where values are.
TEST(SimulationEvents, HappenAgainAfterAStepThatFails) {
  Simulation simulation(stone(), {}, {Integrator::rk4, 0.01});
  bool fails = false;
  Event falling = floor_event(false), other = floor_event(false);
  other.value = [&](double, const VectorXd&, const VectorXd&) { return fails ? std::nan("") : 1; };
  falling.value = [&](double, const VectorXd& q, const VectorXd&) { return fails ? 5 : q[0]; };
  simulation.watch({falling, other});
  ASSERT_TRUE(simulation.reset(one(0.1), one(0)).ok());
  ASSERT_TRUE(simulation.advance_to(1).ok());
  ASSERT_EQ(simulation.happened().size(), 1u);
  fails = true;
  EXPECT_EQ(simulation.advance_to(1).code, StatusCode::not_finite);
  fails = false;
  ASSERT_TRUE(simulation.set_state(one(1e-6), one(-3)).ok());
  ASSERT_TRUE(simulation.advance_to(simulation.time() + 0.01).ok());
  EXPECT_EQ(simulation.happened().size(), 1u);
}

/// Of events that are watched in the midst of a motion the signs are those of the state then, not of those before.
TEST(SimulationEvents, WatchedInMotionBeginWithTheStateAsItIs) {
  Simulation simulation(stone(), {}, {Integrator::rk4});
  simulation.watch({floor_event(false)});
  ASSERT_TRUE(simulation.reset(one(1), one(0)).ok());
  ASSERT_TRUE(simulation.step(1e-3).ok());
  for (const EventDirection direction : {EventDirection::falling, EventDirection::rising, EventDirection::both}) {
    Event never;
    never.value = [=](double, const VectorXd& q, const VectorXd&) {
      return direction == EventDirection::rising ? q[0] + 2 : q[0] - 2;
    };
    never.direction = direction;
    simulation.watch({never});
    const double then = simulation.time();
    ASSERT_TRUE(simulation.step(1e-3).ok());
    EXPECT_TRUE(simulation.happened().empty());
    EXPECT_DOUBLE_EQ(simulation.time(), then + 1e-3);
  }
}

TEST(SimulationEvents, FaultsAreNamed) {
  Simulation simulation(stone());
  EXPECT_THROW(simulation.watch({Event{}}), std::invalid_argument);
  Event e = floor_event(false);
  e.tolerance = 0;
  EXPECT_THROW(simulation.watch({e}), std::invalid_argument);
  e = floor_event(false);
  e.value = [](double t, const VectorXd&, const VectorXd&) { return t > 0.5 ? std::nan("") : 1; };
  simulation.watch({e});
  ASSERT_TRUE(simulation.advance_to(0.4).ok());
  const VectorXd q = simulation.q();
  const Status status = simulation.advance_to(0.6);
  EXPECT_EQ(status.message(simulation.model()), "the value of an event is nan; give a finite number");
  EXPECT_LE(simulation.time(), 0.5);
  // an act that makes a state that is none
  e = floor_event(false);
  e.act = [](double, VectorXd& x, VectorXd&) { return x.resize(3), true; };
  simulation.watch({e});
  ASSERT_TRUE(simulation.reset(one(1), one(0)).ok());
  const Status wrong = simulation.advance_to(2);
  EXPECT_EQ(wrong.code, StatusCode::wrong_size);
  EXPECT_EQ(std::string(wrong.argument), "q");
}

}  // namespace
}  // namespace kinetree::oracle
