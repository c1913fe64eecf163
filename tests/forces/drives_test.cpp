// Joint forces as tables over time: motion against closed forms, steps that end at kinks and jumps.
#include <gtest/gtest.h>

#include <cmath>
#include <kinetree/kinetree.hpp>
#include <kinetree/simulation/drives.hpp>
#include <limits>
#include <stdexcept>

namespace kinetree {
namespace {

using Eigen::VectorXd;

Model slide(double mass) {
  Description d;
  BodyDescription b;
  b.name = "cart", b.parent = "world";
  b.joint.name = "rail", b.joint.type = "prismatic", b.joint.axis = {1, 0, 0};
  b.inertial = InertialDescription{};
  b.inertial->mass = mass;
  d.bodies = {b};
  return make_model(d);
}

/// Position and velocity of a mass from rest under a force whose pieces are a + b (t - t0): exact.
std::pair<double, double> moved(const Drive& d, double mass, double until) {
  double x = 0, v = 0;
  for (std::size_t k = 0; k < d.times.size() && d.times[k] < until; ++k) {
    const bool last = k + 1 == d.times.size();
    const double end = last ? until : std::min(until, d.times[k + 1]), h = end - d.times[k];
    const double slope = d.held || last || h == 0 ? 0 : (d.forces[k + 1] - d.forces[k]) / (d.times[k + 1] - d.times[k]);
    x += v * h + (d.forces[k] / 2 + slope * h / 6) * h * h / mass;
    v += (d.forces[k] + slope * h / 2) * h / mass;
  }
  return {x, v};
}

const std::vector<double> times{0, 0.13, 0.35, 0.35, 0.7, 1.1}, forces{1, -3, 2, 5, 5, 0};

/// Fourth order is exact on each piece, and on none that has a kink within.
TEST(Drives, MoveAMassAsItsIntegralsSay) {
  const Model model = slide(2);
  for (const bool held : {false, true})
    for (const auto& [integrator, bound] : {std::pair{Integrator::adaptive, 1e-12}, {Integrator::rk4, 1e-13}}) {
      const Drive drive{0, times, forces, held};
      Drives drives(model, {drive});
      Simulation simulation(model, {}, {.integrator = integrator, .step = 0.1});
      const VectorXd zero = VectorXd::Zero(1);
      ASSERT_TRUE(simulation.reset(zero, zero).ok());
      for (const double until : {0.35, 0.8, 1.5}) {
        ASSERT_TRUE(advance_to(simulation, until, drives).ok());
        const auto [x, v] = moved(drive, 2, until);
        EXPECT_EQ(simulation.time(), until);
        EXPECT_NEAR(simulation.q()[0], x, bound) << held << until;
        EXPECT_NEAR(simulation.v()[0], v, bound) << held << until;
        EXPECT_NEAR(simulation.work(), v * v, bound + 1e-10) << held << until;
      }
      // 5 pieces, a tail, and the ends of three calls; rk4's steps of 0.1 besides
      EXPECT_LE(simulation.steps(), integrator == Integrator::rk4 ? 25 : 40);
    }
}

/// Energy grows by the work of a driven arm, which other forces act on too; before and after the table its ends act.
TEST(Drives, ActBesideOtherForcesAndDoTheirWork) {
  const Model model = make_model("chain:3");
  Drives drives(model, {{0, {0.2, 0.4, 0.6}, {3, -20, 1}, false}, {2, {0.1, 0.3}, {0.5, -0.5}, true}});
  Simulation driven(model), by_function(model);
  const VectorXd q = VectorXd::Constant(3, 0.4), v = VectorXd::Zero(3);
  ASSERT_TRUE(driven.reset(q, v).ok() && by_function.reset(q, v).ok());
  const double before = driven.energy().total();
  const auto damped = [](double, const VectorXd&, const VectorXd& rate, VectorXd& tau) { tau = -0.1 * rate; };
  ASSERT_TRUE(advance_to(driven, 0.9, drives, Control(damped)).ok());
  EXPECT_NEAR(driven.energy().total() - before, driven.work(), 1e-8);
  EXPECT_GT(std::abs(driven.work()), 0.1);
  const auto first = [](double t) {
    return t < 0.2 ? 3 : t < 0.4 ? 3 - 115 * (t - 0.2) : t < 0.6 ? -20 + 105 * (t - 0.4) : 1;
  };
  const Control same = [&](double t, const VectorXd&, const VectorXd& rate, VectorXd& tau) {
    tau = -0.1 * rate;
    tau[0] += first(t), tau[2] += t < 0.3 ? 0.5 : -0.5;
  };
  for (const double kink : {0.2, 0.3 - 1e-15, 0.4, 0.6, 0.9}) ASSERT_TRUE(by_function.advance_to(kink, same).ok());
  EXPECT_LE((driven.q() - by_function.q()).norm(), 1e-6);  // a stage at 0.3 sees the jump from its other side
  const Forces pushed = [&](double, const VectorXd&, const VectorXd&, VectorXd&, VectorXd& f_ext) { f_ext[3] = 1; };
  ASSERT_TRUE(advance_to(driven, 1.2, drives, pushed).ok());
  EXPECT_NEAR(driven.energy().total() - before, driven.work(), 1e-8);
}

TEST(Drives, AnEventEndsTheCall) {
  const Model model = slide(1);
  Drives drives(model, {{0, {0, 1}, {2, 2}, true}});
  Simulation simulation(model);
  const VectorXd zero = VectorXd::Zero(1);
  ASSERT_TRUE(simulation.reset(zero, zero).ok());
  simulation.watch({{.value = [](double, const VectorXd& q, const VectorXd&) { return q[0] - 0.25; }}});
  ASSERT_TRUE(advance_to(simulation, 3, drives).ok());
  EXPECT_NEAR(simulation.time(), 0.5, 1e-8);
}

TEST(Drives, WrongTablesAreRefused) {
  const Model model = slide(1);
  const auto refusal = [&](Drive d) {
    try {
      Drives drives(model, {{0, {0}, {1}, false}, std::move(d)});
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal({0, {0, 0, 1}, {1, 2, 3}, false}), "");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [drive, words] :
       {std::pair{Drive{-1, {0}, {1}, false}, "drive 1: there is no entry -1 of v, which has 1"},
        {Drive{1, {0}, {1}, false}, "no entry 1 of v"},
        {Drive{0, {}, {}, false}, "no times"},
        {Drive{0, {0, 1}, {1}, false}, "2 times and 1 forces"},
        {Drive{0, {0, nan}, {1, 2}, false}, "row 1 is nan"},
        {Drive{0, {0, 1}, {1, HUGE_VAL}, false}, "row 1 is 1, inf"},
        {Drive{0, {0, 2, 1}, {1, 2, 3}, true}, "1 stands after 2"},
        {Drive{0, {1, 1, 1}, {1, 2, 3}, true}, "three times"}})
    EXPECT_NE(refusal(drive).find(words), std::string::npos) << words << ": " << refusal(drive);
}

}  // namespace
}  // namespace kinetree
