// Couplings with powers of positions: cams whose motion is written out by hand, in every algorithm, lane and thread.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <kinetree/configuration.hpp>
#include <kinetree/load_model.hpp>
#include <kinetree/simulation/rollouts.hpp>
#include <kinetree/simulation/simulation.hpp>
#include <stdexcept>
#include <string>

#include "bench/sweep/random_states.hpp"
#include "engine/model/closure.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/worst.hpp"
#include "loops/closed_oracle.hpp"
#include "oracle/environment.hpp"
#include "oracle/instruction_sets.hpp"
#include "oracle/mechanisms.hpp"
#include "oracle/plans.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

BodyDescription simple(const std::string& name, const char* type, const Numbers3& axis) {
  BodyDescription b;
  b.name = name, b.parent = "world";
  b.joint.name = "j_" + name, b.joint.type = type, b.joint.axis = axis;
  b.inertial = InertialDescription{2, {}, {0.3, 0.3, 0.3, 0, 0, 0}};
  return b;
}

/// Pairs of a turning cam x (0.3 kg m²) and a slide y (2 kg, in gravity): y = 0.1 x + 0.5 x² - 0.2 x³ + 0.05 x⁴.
Description cams(int pairs) {
  Description d;
  d.name = "cams";
  for (int k = 0; k < pairs; ++k) {
    const std::string n = std::to_string(k);
    d.bodies.push_back(simple("cam" + n, "revolute", {0, 0, 1}));
    d.bodies.push_back(simple("slide" + n, "prismatic", {0, 0, 1}));
    const double scale = 1 + 0.1 * k;  // limbs side by side differ in their factors
    d.couplings.push_back(
        {"lift" + n, {{"j_slide" + n, 1}, {"j_cam" + n, -0.1 * scale, {-0.5 * scale, 0.2 * scale, -0.05 * scale}}}, 0});
  }
  return d;
}

/// (J + m p'²) a = tau_x + p' (tau_y - m g) - m p' p'' v², by hand.
void by_hand(const Model& model, const VectorXd& q, const VectorXd& v, const VectorXd& tau, VectorXd& a) {
  for (int k = 0; 2 * k < model.nv(); ++k) {
    const double s = 1 + 0.1 * k, x = q[2 * k], rate = v[2 * k];
    const double slope = s * (0.1 + x - 0.6 * x * x + 0.2 * x * x * x), bend = s * (1 - 1.2 * x + 0.6 * x * x);
    a[2 * k] =
        (tau[2 * k] + slope * (tau[2 * k + 1] - 2 * 9.81) - 2 * slope * bend * rate * rate) / (0.3 + 2 * slope * slope);
    a[2 * k + 1] = slope * a[2 * k] + bend * rate * rate;
  }
}

TEST(CurvedCouplings, CamsMoveAsByHandInEveryAlgorithmLaneAndThread) {
  double worst = 0, worst_float = 0;
  for (const int pairs : {1, 9}) {
    const Model model = make_model(cams(pairs));
    const bench::StateSet states = bench::random_states(model, 19, 4);
    MatrixXd truth(model.nv(), states.count());
    for (Eigen::Index c = 0; c < states.count(); ++c) {
      VectorXd a(model.nv());
      by_hand(model, states.q.col(c), states.v.col(c), states.tau.col(c), a);
      truth.col(c) = a;
    }
    const double size = std::max(1.0, largest_of(truth));
    for (const Algorithm algorithm : {Algorithm::ab, Algorithm::crb, Algorithm::cfa, Algorithm::modular})
      for (const Loops loops : {Loops::embed, Loops::multipliers})
        for (const ExecutorKind executor : executors)
          for (const InstructionSet set : sets()) {
            const Environment limited(name_of(set));
            Options o = serial(algorithm);
            if (algorithm == Algorithm::crb) o.lanes = 1;
            o.executor = executor;
            if (algorithm == Algorithm::ab || algorithm == Algorithm::modular) o.loops = loops;
            ForwardDynamics dynamics(model, o);
            MatrixXd a(model.nv(), states.count());
            const Status status = dynamics.solve(states.q, states.v, states.tau, a);
            ASSERT_TRUE(status.ok()) << describe(o) << ": " << status.message(model);
            keep_worst(worst, largest_of(a - truth) / size);
            VectorXd one(model.nv());
            ASSERT_TRUE(dynamics.solve(states.q.col(3), states.v.col(3), states.tau.col(3), one).ok());
            keep_worst(worst, largest_of(one - truth.col(3)) / size);
            const Eigen::MatrixXf q = states.q.cast<float>(), v = states.v.cast<float>(),
                                  tau = states.tau.cast<float>();
            Eigen::MatrixXf b(model.nv(), states.count());
            ASSERT_TRUE(dynamics.solve(q, v, tau, b).ok());
            keep_worst(worst_float, largest_of(b.cast<double>() - truth) / size);
          }
  }
  std::printf("worst %.1e, of floats %.1e\n", worst, worst_float);
  EXPECT_LE(worst, 1e-12);
  EXPECT_LE(worst_float, 1e-4);
}

/// A pendulum whose swing lifts a slide by a cubic, and a second arm on it: ten seconds unforced.
TEST(CurvedCouplings, KeepTheirEnergy) {
  Random random(3);
  Description d;
  d.name = "knee";
  d.bodies.push_back(random_body(random, "thigh", "world", JointType::revolute));
  d.bodies.push_back(random_body(random, "slide", "thigh", JointType::prismatic));
  d.bodies.push_back(random_body(random, "shank", "slide", JointType::revolute));
  d.couplings.push_back({"rolling", {{"to_slide", 1}, {"to_shank", -0.03, {0.02, -0.004, 0.001}}}, 0});
  const Model model = make_model(d);
  for (const Algorithm algorithm : {Algorithm::ab, Algorithm::crb}) {
    Simulation simulation(model, {.algorithm = algorithm});
    VectorXd q = VectorXd::Zero(model.nq());
    q[0] = 0.9, q[2] = 0.7;
    ASSERT_TRUE(simulation.assemble(q, VectorXd::Zero(model.nv())).ok());
    const double energy = simulation.energy().total();
    double drift = 0, kinetic = 0, error = 0;
    for (int k = 1; k <= 500; ++k) {
      const Status status = simulation.advance_to(0.02 * k);
      ASSERT_TRUE(status.ok()) << status.message(model);
      keep_worst(drift, std::abs(simulation.energy().total() - energy));
      keep_worst(kinetic, simulation.energy().kinetic);
      keep_worst(error, simulation.closure_error());
    }
    std::printf("drift %.1e of the largest kinetic energy, coupling within %.1e\n", drift / kinetic, error);
    EXPECT_GE(kinetic, 0.1);  // J: it moved
    EXPECT_LE(drift, 1e-8 * kinetic);
    EXPECT_LE(error, 1e-12);
  }
}

/// 100 x - 100 x² is 0 at 1, where it falls by 100 a radian: its errors are measured
/// by its powers' slopes, each by itself: 100 + 200.
TEST(CurvedCouplings, ErrorsAreMeasuredByWhatCancels) {
  Description d;
  d.bodies = {simple("x", "revolute", {0, 0, 1}), simple("y", "revolute", {0, 0, 1})};
  d.couplings = {{"hump", {{"j_x", 100, {-100, 0, 0}}, {"j_y", -1}}, 0}};
  const Model model = make_model(d);
  Closure closure(model.data());
  const VectorXd v = VectorXd::Zero(2);
  VectorXd q(2);
  q << 1, 1e-6;  // off by 1e-6 of 300
  EXPECT_TRUE(closure.violations(q.data(), v.data()).empty());
  q[1] = 1e-5;
  const std::vector<Violation> found = closure.violations(q.data(), v.data());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].amount, 1e-5 / 300, 1e-18);
}

/// x² = y² is level in both where they stand at zero: no measure, no rank, but a status rather than a NaN.
TEST(CurvedCouplings, WhereAllIsLevelAStatusSaysSo) {
  Description d;
  d.bodies = {simple("x", "revolute", {0, 0, 1}), simple("y", "revolute", {0, 0, 1})};
  d.couplings = {{"saddle", {{"j_x", 0, {1, 0, 0}}, {"j_y", 0, {-1, 0, 0}}}, 0}};
  d.assembled = {{"j_x", {0.4}}, {"j_y", {0.4}}};
  const Model model = make_model(d);
  EXPECT_EQ(independent_velocities(model).size(), 1u);
  const VectorXd zero = VectorXd::Zero(2);
  VectorXd a(2);
  EXPECT_FALSE(ForwardDynamics(model, serial(Algorithm::ab)).solve(zero, zero, zero, a).ok());
  EXPECT_FALSE(ForwardDynamics(model, plan_with(Loops::multipliers)).solve(zero, zero, zero, a).ok());
}

/// x² = y² has two branches that cross at zero. Motion goes on along its own; rollouts, which can't, say so.
TEST(CurvedCouplings, MotionsCrossWhereTheirSlopesVanish) {
  Description d;
  d.gravity = {0, 0, 0};
  d.bodies = {simple("x", "prismatic", {1, 0, 0}), simple("y", "prismatic", {0, 1, 0})};
  d.couplings = {{"cross", {{"j_x", 0, {1, 0, 0}}, {"j_y", 0, {-1, 0, 0}}}, 0}};
  d.assembled = {{"j_x", {1}}, {"j_y", {1}}};
  const Model model = make_model(d);
  for (const Integrator integrator : {Integrator::adaptive, Integrator::rk4}) {
    Simulation simulation(model, {}, {integrator, 3e-3});
    ASSERT_TRUE(simulation.reset(Eigen::Vector2d(1, 1), Eigen::Vector2d(-1, -1)).ok());
    EXPECT_TRUE(simulation.advance_to(2).ok());
    EXPECT_LE((simulation.q() - Eigen::Vector2d(-1, -1)).norm(), 1e-11);
  }
  try {
    const Rollouts rollouts(model, 3);
    ADD_FAILURE() << "not refused";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("coupling \"cross\", and change points"), std::string::npos);
  }
}

}  // namespace
}  // namespace kinetree::oracle
