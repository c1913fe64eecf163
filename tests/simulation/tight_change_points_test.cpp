// Motions through change points at tolerances near rounding, and by fixed steps: they pass, or say what tolerance does.
#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <kinetree/simulation/simulation.hpp>
#include <numbers>
#include <random>
#include <utility>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "simulation/change_point_mechanisms.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::VectorXd;

/// The angle and its rate of windows that fall from upright at -1 rad/s: all rods turn alike, couplers do not turn, so
/// that one equation has it. Runge and Kutta's method in long double.
std::pair<double, double> falling_windows(int windows, double seconds) {
  const long double n = windows, k = 9.81L * ((n + 1) / 2 + n) / ((n + 1) / 3 + n);
  const int steps = 200000;
  const long double h = static_cast<long double>(seconds) / steps;
  long double x = 0, w = -1;
  for (int step = 0; step < steps; ++step) {
    const long double a = k * std::sin(x), x2 = x + h / 2 * w, w2 = w + h / 2 * a, a2 = k * std::sin(x2);
    const long double x3 = x + h / 2 * w2, w3 = w + h / 2 * a2, a3 = k * std::sin(x3);
    const long double x4 = x + h * w3, w4 = w + h * a3, a4 = k * std::sin(x4);
    x += h / 6 * (w + 2 * (w2 + w3) + w4), w += h / 6 * (a + 2 * (a2 + a3) + a4);
  }
  return {static_cast<double>(x), static_cast<double>(w)};
}

struct Fallen {
  Status status;
  double angle = 0, rate = 0, time = 0, seconds = 0;  ///< seconds: of CPU, of the longest call
};

Fallen fall(int windows, const SimulationOptions& how, double until = 10) {
  const ChangePointMechanism m = windowed_four_bars(windows);
  const Model model = make_model(m.description);
  Simulation simulation(model, {}, how);
  Fallen fallen;
  fallen.status = simulation.reset(m.q, m.v);
  for (int k = 1; k <= 20 && fallen.status.ok(); ++k) {
    const std::clock_t start = std::clock();
    fallen.status = simulation.advance_to(until * k / 20);
    fallen.seconds = std::max(fallen.seconds, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  fallen.angle = simulation.q()[0], fallen.rate = simulation.v()[0], fallen.time = simulation.time();
  std::printf("%2d windows, tolerance %.0e, step %.0e: %.4f s %s\n", windows, how.tolerance, how.step, fallen.time,
              fallen.status.message(model).c_str());
  if (!fallen.status.ok()) {
    EXPECT_EQ(fallen.status.code, StatusCode::change_point);
  }
  return fallen;
}

Fallen fall(int windows, double tolerance, double until = 10) {
  return fall(windows, {Integrator::adaptive, 1e-3, tolerance}, until);
}

TEST(TightChangePoints, WindowsFallAtEveryTolerance) {
  for (const int windows : {2, 5, 10}) {
    const auto [angle, rate] = falling_windows(windows, 10);
    for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12, 1e-13}) {
      const Fallen fallen = fall(windows, tolerance);
      EXPECT_TRUE(fallen.status.ok()) << windows << " " << tolerance;
      EXPECT_NEAR(fallen.angle, angle, 3e3 * tolerance + 3e-10) << windows << " " << tolerance;
      EXPECT_NEAR(fallen.rate, rate, 1e4 * tolerance + 1e-9) << windows << " " << tolerance;
    }
  }
}

/// Numbers of the one equation in 30 digits.
TEST(TightChangePoints, TwoWindowsAreWhereThirtyDigitsAre) {
  const Fallen fallen = fall(2, 1e-13);
  EXPECT_NEAR(fallen.angle, -30.1798008601912052 - std::numbers::pi / 2, 1e-9);
  EXPECT_NEAR(fallen.rate, -1.50664218084182947, 3e-9);
}

/// What is refused is so soon, and the tolerance that is named passes.
TEST(TightChangePoints, NameTheToleranceThatPasses) {
  const Fallen refused = fall(2, 1e-16);
  ASSERT_EQ(refused.status.code, StatusCode::change_point);
  EXPECT_STREQ(refused.status.argument, "tolerance");
  EXPECT_GT(refused.status.value, 1e-16);
  EXPECT_LT(refused.status.value, 1e-12);
  EXPECT_LE(refused.seconds, 1);
  const std::string text = refused.status.message(make_model(windowed_four_bars(2).description));
  EXPECT_NE(text.find("the tightest tolerance that passes here is"), std::string::npos) << text;
  EXPECT_GE(fall(2, 1.1 * refused.status.value).time, refused.time + 0.1);
}

/// A list of names, which may be long, comes after the reason.
TEST(TightChangePoints, AreToldBeforeTheLoopsAreNamed) {
  const Model model = make_model(windowed_four_bars(40).description);
  const Status refused{StatusCode::change_point, 0, model.data().aggregates.front().bodies.front(), 1e-9, "tolerance"};
  const std::string text = refused.message(model);
  const std::size_t reason = text.find("passes a change point"), names = text.find("(loops \"");
  ASSERT_NE(reason, std::string::npos) << text;
  ASSERT_NE(names, std::string::npos) << text;
  EXPECT_LT(reason, names);
  EXPECT_LT(names, text.find(model.data().loops[39].name));
}

/// Fixed steps lose no more as they become shorter, but for rounding.
TEST(TightChangePoints, FixedStepsPassToo) {
  const auto [angle, rate] = falling_windows(2, 10);
  for (const double step : {1e-3, 3e-4, 1e-4}) {
    const Fallen fallen = fall(2, {Integrator::rk4, step});
    EXPECT_TRUE(fallen.status.ok()) << step;
    EXPECT_NEAR(fallen.angle, angle, 3e3 * std::pow(step, 4) + 1e-9) << step;
    EXPECT_NEAR(fallen.rate, rate, 1e4 * std::pow(step, 4) + 3e-9) << step;
  }
}

/// Where forces jump no passage is smooth. Steps that go on alone lose energy, which is told.
TEST(TightChangePoints, FixedStepsSayWhereTheyLoseEnergy) {
  const ChangePointMechanism m = windowed_four_bars(2);
  const Model model = make_model(m.description);
  Simulation simulation(model, {}, {Integrator::rk4, 1e-4});
  ASSERT_TRUE(simulation.reset(m.q, m.v).ok());
  const Control jumps = [](double t, const VectorXd&, const VectorXd&, VectorXd& tau) {
    tau.setZero();
    tau[0] = std::fmod(std::floor(t * 1e4 + 0.25) * 0.6180339887498949, 1.0) - 0.5;
  };
  const double start = simulation.energy().total();
  const Status status = simulation.advance_to(3, jumps);
  const double off = std::abs(simulation.energy().total() - start - simulation.work());
  std::printf("to %g s, off by %.1e J: %s\n", simulation.time(), off, status.message(model).c_str());
  if (status.ok())
    EXPECT_LE(off, 1e-7);
  else
    EXPECT_EQ(status.code, StatusCode::change_point);
}

TEST(TightChangePointsLong, ManyWindowsPassOrAreRefusedSoon) {
  for (const int windows : {20, 40}) {
    const auto [angle, rate] = falling_windows(windows, 10);
    for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-11, 4e-12, 3e-12, 1e-12, 1e-13}) {
      const Fallen fallen = fall(windows, tolerance);
      if (fallen.status.ok()) {
        EXPECT_NEAR(fallen.angle, angle, 1e4 * tolerance + 1e-9) << windows << " " << tolerance;
      } else {
        EXPECT_LE(fallen.seconds, 1) << windows << " " << tolerance;
        EXPECT_GT(fallen.status.value, tolerance);
        EXPECT_LT(fallen.status.value, 1e-11) << windows << " " << tolerance;
        EXPECT_GT(fall(windows, fallen.status.value, fallen.time + 0.4).time, fallen.time + 0.3) << "which passes";
      }
      if (tolerance >= 1e-8) {
        EXPECT_TRUE(fallen.status.ok()) << windows << " " << tolerance;
      }
    }
  }
}

}  // namespace
}  // namespace kinetree::oracle
