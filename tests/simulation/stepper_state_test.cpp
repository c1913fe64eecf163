// What a stepper keeps from one call to the next, and what it forgets.
#include <gtest/gtest.h>

#include <cmath>
#include <kinetree/configuration.hpp>
#include <kinetree/simulation/simulation.hpp>
#include <limits>
#include <random>

#include "engine/scalar/worst.hpp"
#include "simulation/change_point_mechanisms.hpp"
#include "simulation/step_limits.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::VectorXd;

const std::vector<SimulationOptions> methods{{Integrator::adaptive}, {Integrator::rk4, 1e-3}};

/// At 6 rad/s it folds at 0.407 s; there a passage is on its way, which another state is to end.
TEST(StepperState, AStateThatIsSetEndsAPassage) {
  for (const SimulationOptions& how : methods) {
    const ChangePointMechanism m = parallelogram();
    const Model model = make_model(m.description);
    Simulation simulation(model, {}, how);
    ASSERT_TRUE(simulation.reset(m.q, 6 * m.v).ok());
    ASSERT_TRUE(simulation.advance_to(0.405).ok());
    ASSERT_TRUE(simulation.set_state(m.q, 6 * m.v).ok());
    ASSERT_TRUE(simulation.advance_to(0.41).ok());
    EXPECT_LE((simulation.q() - m.q - 6 * 0.005 * m.v).norm(), 1e-10) << "all turn alike, at constant speed";
    EXPECT_LE((simulation.v() - 6 * m.v).norm(), 1e-9);
  }
}

/// Begun anew, a motion has the bits of one that was never anything else.
TEST(StepperState, NothingOutlivesAReset) {
  for (const SimulationOptions& how : methods)
    for (const ChangePointMechanism& m : {parallelogram(0.2, 0.5, true), kite(), slider_crank(0.3, true)}) {
      const Model model = make_model(m.description);
      Simulation used(model, {}, how), fresh(model, {}, how);
      ASSERT_TRUE(used.assemble(m.q, 8 * m.v).ok());
      (void)used.advance_to(0.7);
      const VectorXd far = used.q(), fast = used.v();
      // a slow start near a change point, which sees no place as far from it as the motion before
      for (const auto& [q, v] : {std::pair<VectorXd, VectorXd>(0.15 / 0.7 * m.q, 2 * m.v), {far, fast}}) {
        const Status first = used.assemble(q, v, 0.25), second = fresh.assemble(q, v, 0.25);
        ASSERT_EQ(first.code, second.code) << m.description.name;
        const Status one = used.advance_to(1), other = fresh.advance_to(1);
        EXPECT_EQ(one.code, other.code) << m.description.name;
        EXPECT_EQ(used.time(), fresh.time()) << m.description.name;
        EXPECT_EQ(used.q(), fresh.q()) << m.description.name;
        EXPECT_EQ(used.v(), fresh.v()) << m.description.name;
        EXPECT_EQ(used.steps(), fresh.steps()) << m.description.name;
        EXPECT_EQ(used.evaluations(), fresh.evaluations()) << m.description.name;
      }
    }
}

/// A simulation that was never reset stands where reset would put it, and watches its energy alike.
TEST(StepperState, BeginsAsAReset) {
  for (const SimulationOptions& how : methods)
    for (const ChangePointMechanism& m : {parallelogram(0.2, 0.5, true), kite(0.3, 0.5, true), windowed_four_bars(2)}) {
      const Model model = make_model(m.description);
      Simulation fresh(model, {}, how), set(model, {}, how);
      ASSERT_TRUE(set.reset(neutral(model), VectorXd::Zero(model.nv())).ok());
      const Control push = [](double t, const VectorXd&, const VectorXd&, VectorXd& tau) {
        tau.setZero();
        tau[0] = 3 + std::sin(40 * t);
      };
      const Status one = fresh.advance_to(0.5, push), other = set.advance_to(0.5, push);
      EXPECT_EQ(one.code, other.code) << m.description.name;
      EXPECT_EQ(fresh.time(), set.time()) << m.description.name;
      EXPECT_EQ(fresh.q(), set.q()) << m.description.name;
      EXPECT_EQ(fresh.v(), set.v()) << m.description.name;
      EXPECT_EQ(fresh.evaluations(), set.evaluations()) << m.description.name;
    }
}

/// Near a change point a method loses by its length what it loses elsewhere, though the motion began there, or was
/// taken by shorter steps before.
TEST(StepperState, FixedStepsNearAChangePointLoseAsTheirMethodDoes) {
  const ChangePointMechanism m = parallelogram(0.2, 0.5, true);
  const Model model = make_model(m.description);
  Simulation simulation(model, {}, {Integrator::semi_implicit_euler, 1e-3});
  for (const double angle : {0.12, 0.15, 0.18}) {
    ASSERT_TRUE(simulation.reset(angle / 0.7 * m.q, m.v).ok());
    const double start = simulation.energy().total();
    const Status status = simulation.advance_to(0.15);
    EXPECT_TRUE(status.ok()) << angle << ": " << status.message(model);
    EXPECT_NEAR(simulation.energy().total(), start, 0.01 * simulation.energy().kinetic) << angle;
  }
  ASSERT_TRUE(simulation.reset(0.3 / 0.7 * m.q, -3.5 * m.v).ok());
  while (simulation.q()[0] > 0.22) ASSERT_TRUE(simulation.step(1e-4).ok());
  for (int k = 0; k < 80; ++k) {
    const Status status = simulation.step(1e-3);
    ASSERT_TRUE(status.ok()) << simulation.q()[0] << ": " << status.message(model);
  }
  EXPECT_GT(simulation.v()[0], 0) << "gravity turned it back";
}

/// Of a thousand events each step ends past the sign's change, by no more than the tolerance.
TEST(StepperState, AStepEndsPastItsEvent) {
  const Model model = make_model("chain:2");
  std::mt19937 random(7);
  std::uniform_real_distribution<double> level(-0.9, 0.9), order(-9, -2);
  for (const SimulationOptions& how : methods) {
    int happened = 0;
    Simulation simulation(model, {}, how);
    for (int k = 0; k < 500; ++k) {
      const double at = level(random), tolerance = std::pow(10, order(random));
      const auto value = [at](double, const VectorXd& q, const VectorXd&) { return q[0] + 0.3 * std::sin(q[1]) - at; };
      ASSERT_TRUE(simulation.reset(Eigen::Vector2d(-1.3, 0.2), Eigen::Vector2d(3, 1)).ok());
      Event event;
      event.value = value, event.direction = EventDirection::rising, event.tolerance = tolerance;
      simulation.watch({event});
      ASSERT_TRUE(simulation.advance_to(2).ok());
      if (simulation.happened().empty()) continue;
      ++happened;
      const double there = value(0, simulation.q(), simulation.v());
      EXPECT_GE(there, 0) << at << " " << tolerance;
      EXPECT_LE(there, 30 * tolerance + 1e-12) << at << " " << tolerance;
      // a step that ended before it would be one more
      if (how.integrator == Integrator::rk4) {
        EXPECT_EQ(simulation.steps(), static_cast<long>(std::ceil(simulation.time() / how.step - 1e-9))) << at;
      }
    }
    EXPECT_GE(happened, 300);
  }
}

/// Boost's controlled steppers take a NaN for no error, and maxCoeff() loses one that does not come first.
TEST(StepperState, ANanIsTheLargestError) {
  const Model model = make_model("chain:3");
  const std::vector<double> x(6, 0.5), slope(6, 1.0);
  for (std::size_t k = 0; k < 6; ++k) {
    std::vector<double> error(6, 1e-13);
    error[k] = std::numeric_limits<double>::quiet_NaN();
    const auto [worst, where] = largest_error(model, x, slope, error, 1e-3, 1e-10);
    EXPECT_TRUE(std::isinf(worst)) << k;
    EXPECT_EQ(where, static_cast<int>(k % 3));
  }
  EXPECT_TRUE(std::isnan(largest_of(Eigen::Vector3d(1, std::nan(""), 2))));
}

/// A force that is no number in the later part of each step stops it: no state comes of it.
TEST(StepperState, AForceThatIsNoNumberStopsTheStep) {
  for (const SimulationOptions& how : methods)
    for (const ChangePointMechanism& m : {parallelogram(), coupling_rod()}) {
      const Model model = make_model(m.description);
      Simulation simulation(model, {}, how);
      ASSERT_TRUE(simulation.reset(m.q, m.v).ok());
      const Control control = [](double t, const VectorXd&, const VectorXd&, VectorXd& tau) {
        tau.setZero();
        if (t > 0.1) tau[1] = std::nan("");
      };
      const Status status = simulation.advance_to(1, control);
      EXPECT_EQ(status.code, StatusCode::not_finite) << status.message(model);
      EXPECT_LE(simulation.time(), 0.1);
      EXPECT_TRUE(simulation.q().allFinite() && simulation.v().allFinite());
    }
}

}  // namespace
}  // namespace kinetree::oracle
