// The stiff integrator: digits and evaluations beside the explicit one's, loops closed and quaternions units in what is
// read off between its steps, events, forces that change from call to call, and what ends a motion.
#include <gtest/gtest.h>

#include <cmath>
#include <kinetree/load_model.hpp>
#include <kinetree/simulation/simulation.hpp>
#include <stdexcept>
#include <string>

#include "simulation/backward_differences.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::VectorXd;

Model model_of(const std::string& text) {
  const Reading reading = read_yaml_text(text, "stiff.yaml");
  return make_model(reading.description, {}, reading.findings);
}

Model file(const std::string& name) { return load_model(KINETREE_MODELS "/" + name); }

SimulationOptions by(Integrator integrator, double tolerance = 1e-10) { return {integrator, 1e-3, tolerance}; }

double difference(const Simulation& a, const Simulation& b) {
  const auto worst = [](const VectorXd& x, const VectorXd& y) {
    return ((x - y).array().abs() / (1 + y.array().abs())).maxCoeff();
  };
  return std::max(worst(a.q(), b.q()), worst(a.v(), b.v()));
}

class StiffMotion : public testing::Test {
 protected:
  void SetUp() override {
    if (!BackwardDifferences::available()) GTEST_SKIP() << "built without CVODE";
  }
};

/// The flyball governor of the IFToMM's benchmarks (A05 of González et al. 2006), couplers being springs with dampers.
const char* const governor = R"(name: governor
bodies:
  - {name: shaft, parent: world, joint: {name: spin, type: revolute, axis: [0, 0, 1]},
     inertial: {mass: 0.3, com: [0, 0, 0.5], inertia: [0.0250025, 0.0250025, 5e-6, 0, 0, 0]}}
  - {name: slider, parent: shaft, joint: {name: slide, type: prismatic, axis: [0, 0, 1]},
     inertial: {mass: 3, inertia: [0.005, 0.005, 0.005, 0, 0, 0]}}
  - {name: rod_AC, parent: shaft, joint: {name: swing_A, type: revolute, axis: [0, 1, 0], origin: {xyz: [0.05, 0, 1]}},
     inertial: {mass: 0.3, com: [0.5, 0, 0], inertia: [5e-6, 0.0250025, 0.0250025, 0, 0, 0]}}
  - {name: ball_C, parent: rod_AC, joint: {type: fixed, origin: {xyz: [1, 0, 0]}}, inertial: {mass: 5}}
  - {name: rod_BD, parent: shaft, joint: {name: swing_B, type: revolute, axis: [0, -1, 0], origin: {xyz: [-0.05, 0, 1]}},
     inertial: {mass: 0.3, com: [-0.5, 0, 0], inertia: [5e-6, 0.0250025, 0.0250025, 0, 0, 0]}}
  - {name: ball_D, parent: rod_BD, joint: {type: fixed, origin: {xyz: [-1, 0, 0]}}, inertial: {mass: 5}}
)";

/// The couplers, from the middles of the rods to the slider, 0.5 m long at rest.
void couple(double, const VectorXd& q, const VectorXd& v, VectorXd& tau) {
  tau.setZero();
  for (const int rod : {2, 3}) {
    const double c = 0.5 * std::cos(q[rod]), s = 0.5 * std::sin(q[rod]), height = 1 - s - q[1];
    const double length = std::hypot(c, height), by_rod = -(c * s + height * c) / length, by_slide = -height / length;
    const double force = 8e5 * (length - 0.5) + 4e4 * (by_rod * v[rod] + by_slide * v[1]);
    tau[rod] -= force * by_rod, tau[1] -= force * by_slide;
  }
}

TEST_F(StiffMotion, TheGovernorTakesATwentiethOfTheEvaluations) {
  const Model model = model_of(governor);
  const VectorXd q = (VectorXd(4) << 0, 0.5, M_PI / 6, M_PI / 6).finished();
  const VectorXd v = (VectorXd(4) << 2 * M_PI, 0, 0, 0).finished();
  const auto end = [&](Simulation& simulation) {
    ASSERT_TRUE(simulation.reset(q, v).ok());
    const double energy = simulation.energy().total();
    for (int k = 1; k <= 1000; ++k) ASSERT_TRUE(simulation.advance_to(0.01 * k, couple).ok());
    EXPECT_NEAR(simulation.energy().total() - energy, simulation.work(), 1e-8);  // of 169 J
  };
  Simulation reference(model, {}, by(Integrator::adaptive, 1e-12)), adaptive(model, {}, by(Integrator::adaptive)),
      stiff(model, {}, by(Integrator::stiff));
  end(reference), end(adaptive), end(stiff);
  EXPECT_GE(adaptive.evaluations(), 250'000);
  EXPECT_LE(stiff.evaluations(), 25'000);
  // 2.7e-12 and 6.9e-12 were seen; the explicit one's steps are as long as its stability allows, where they are noisy
  EXPECT_LE(difference(stiff, reference), 1e-11);
  EXPECT_GE(stiff.limit().share, 0.2);
}

/// A mass in a hard damper and on a spring: x = A exp(-r t) + B exp(-s t).
TEST_F(StiffMotion, ADampedMassIsWhereItsEquationSays) {
  const Model model = model_of(
      "bodies: [{name: mass, parent: world, joint: {name: rail, type: prismatic, axis: [1, 0, 0]}, inertial: {mass: "
      "1}}]\n");
  const double c = 1e5, k = 1e6, root = std::sqrt(c * c / 4 - k), s = c / 2 + root, r = k / s;
  const Control control = [&](double, const VectorXd& q, const VectorXd& v, VectorXd& tau) { tau = -k * q - c * v; };
  Simulation simulation(model, {}, by(Integrator::stiff));
  ASSERT_TRUE(simulation.reset(VectorXd::Constant(1, 0.3), VectorXd::Constant(1, 2)).ok());
  const double B = -(2 + r * 0.3) / (s - r), A = 0.3 - B;
  for (const double t : {1e-5, 1e-3, 0.1, 0.5}) {
    ASSERT_TRUE(simulation.advance_to(t, control).ok());
    EXPECT_NEAR(simulation.q()[0], A * std::exp(-r * t) + B * std::exp(-s * t), 2e-12);
    EXPECT_NEAR(simulation.v()[0], -r * A * std::exp(-r * t) - s * B * std::exp(-s * t), 2e-11);
  }
  EXPECT_LE(simulation.evaluations(), 3000);  // steps within the explicit one's stability would take 300,000
}

/// CVODE interpolates quaternions number by number: at 1e-4 they are 2e-5 from units.
TEST_F(StiffMotion, QuaternionsAreUnitsBetweenSteps) {
  const Model model = load_model(KINETREE_MODELS "/quadruped.yaml", {.floating_base = true});
  ASSERT_EQ(model.joint_type(0), JointType::floating);
  VectorXd damping = VectorXd::Constant(model.nv(), 30);
  damping.head(6).setZero();
  const Control control = [&](double, const VectorXd&, const VectorXd& v, VectorXd& tau) {
    tau = -damping.cwiseProduct(v);
  };
  const int base = model.q_index(0) + 3;
  const auto run = [&](Simulation& simulation) {
    VectorXd v = VectorXd::Constant(model.nv(), 0.5);
    v.head(6) << 3, -2, 4, 1, 0, 2;
    ASSERT_TRUE(simulation.reset(simulation.q(), v).ok());
    for (int k = 1; k <= 97; ++k) {
      ASSERT_TRUE(simulation.advance_to(0.003 * k, control).ok());
      EXPECT_NEAR(simulation.q().segment<4>(base).norm(), 1, 4e-16) << simulation.time();
    }
  };
  Simulation loose(model, {}, by(Integrator::stiff, 1e-4)), tight(model, {}, by(Integrator::stiff)),
      adaptive(model, {}, by(Integrator::adaptive));
  run(loose), run(tight), run(adaptive);
  EXPECT_LE(difference(tight, adaptive), 1e-10);
  EXPECT_LE(difference(loose, adaptive), 1e-4);
  EXPECT_LE(tight.evaluations(), adaptive.evaluations() / 10);
}

TEST_F(StiffMotion, LoopsStayClosed) {
  const Model model = file("standing_biped.yaml");
  const Control control = [&](double, const VectorXd&, const VectorXd& v, VectorXd& tau) {
    tau = -50 * v;
    tau.head(6).setZero();
  };
  const auto run = [&](Simulation& simulation) {
    for (int k = 1; k <= 50; ++k) {
      ASSERT_TRUE(simulation.advance_to(0.005 * k, control).ok());
      EXPECT_LE(simulation.closure_error(), 3e-15);
    }
  };
  Simulation stiff(model, {}, by(Integrator::stiff)), adaptive(model, {}, by(Integrator::adaptive));
  run(stiff), run(adaptive);
  EXPECT_LE(difference(stiff, adaptive), 1e-8);
  EXPECT_LE(stiff.evaluations(), adaptive.evaluations() / 5);
}

/// Change points of a four-bar are passed as by the explicit integrator, the work of the forces among what tells it.
TEST_F(StiffMotion, ChangePointsArePassed) {
  const Model model = file("four_bar.yaml");
  Simulation stiff(model, {}, by(Integrator::stiff, 1e-8)), adaptive(model, {}, by(Integrator::adaptive));
  ASSERT_TRUE(stiff.advance_to(2).ok() && adaptive.advance_to(2).ok());
  EXPECT_LE(difference(stiff, adaptive), 1e-6);
}

const char* const ball_on_rail =
    "bodies: [{name: ball, parent: world, joint: {name: rail, type: prismatic, axis: [0, 0, 1]}, inertial: {mass: "
    "2}}]\n";

/// A ball falls, bounces with half its speed, and the second impact ends the call: 0.45 s and 0.9 s, by hand.
TEST_F(StiffMotion, EventsEndStepsWithinThem) {
  const Model model = model_of(ball_on_rail);
  const double g = 9.81, height = 1, first = std::sqrt(2 * height / g), second = 2 * first;
  Simulation simulation(model, {}, by(Integrator::stiff));
  ASSERT_TRUE(simulation.reset(VectorXd::Constant(1, height), VectorXd::Zero(1)).ok());
  int impacts = 0;
  simulation.watch({{.value = [](double, const VectorXd& q, const VectorXd&) { return q[0]; },
                     .direction = EventDirection::falling,
                     .act =
                         [&](double, VectorXd&, VectorXd& v) {
                           v *= -0.5;
                           return ++impacts < 2;
                         }}});
  ASSERT_TRUE(simulation.advance_to(10).ok());
  EXPECT_EQ(impacts, 2);
  EXPECT_EQ(simulation.happened().size(), 1u);
  EXPECT_NEAR(simulation.time(), second, 3e-9);
  EXPECT_NEAR(simulation.v()[0], 0.25 * g * first, 3e-8);
  EXPECT_NEAR(simulation.energy().total() - 2 * g * height, simulation.energy_set(), 1e-9);
}

/// What an event's `act` switches acts from there on, though the state stays as it was.
TEST_F(StiffMotion, ForcesThatAnEventSwitchesActFromThere) {
  const Model model = model_of(ball_on_rail);
  double push = 2 * 9.81;  // holds the weight
  Simulation simulation(model, {}, by(Integrator::stiff));
  ASSERT_TRUE(simulation.reset(VectorXd::Constant(1, 0), VectorXd::Constant(1, 1)).ok());
  simulation.watch({{.value = [](double t, const VectorXd&, const VectorXd&) { return t - 0.3; },
                     .act =
                         [&](double, VectorXd&, VectorXd&) {
                           push += 4;
                           return true;
                         },
                     .tolerance = 1e-12}});
  const Control control = [&](double, const VectorXd&, const VectorXd&, VectorXd& tau) { tau[0] = push; };
  ASSERT_TRUE(simulation.advance_to(1, control).ok());
  EXPECT_NEAR(simulation.q()[0], 1 + 0.5 * 2 * 0.49, 1e-10);
  EXPECT_NEAR(simulation.v()[0], 1 + 2 * 0.7, 1e-10);
}

/// The function of one call is not applied in the next one's time; the same one goes on without beginning anew.
TEST_F(StiffMotion, EveryCallHasItsOwnForces) {
  const Model model = model_of(ball_on_rail);
  const auto damped = [](double by) {
    return Control([by](double, const VectorXd&, const VectorXd& v, VectorXd& tau) { tau[0] = -by * v[0]; });
  };
  const double g = 9.81, m = 2;
  Simulation simulation(model, {}, by(Integrator::stiff));
  ASSERT_TRUE(simulation.reset(VectorXd::Zero(1), VectorXd::Zero(1)).ok());
  double v = 0;
  for (const auto& [until, c] : {std::pair{0.7, 1e3}, {0.7001, 1e5}, {1.5, 3e3}}) {
    const double before = simulation.time(), limit = -m * g / c;
    v = limit + (v - limit) * std::exp(-c / m * (until - before));
    ASSERT_TRUE(simulation.advance_to(until, damped(c)).ok());
    EXPECT_NEAR(simulation.v()[0], v, 1e-12) << c;
  }
  Simulation whole(model, {}, by(Integrator::stiff)), rows(model, {}, by(Integrator::stiff));
  ASSERT_TRUE(whole.advance_to(1, damped(1e3)).ok());
  for (int k = 1; k <= 200; ++k) ASSERT_TRUE(rows.advance_to(0.005 * k, damped(1e3)).ok());
  EXPECT_LE(difference(rows, whole), 1e-12);
  EXPECT_LE(rows.evaluations(), whole.evaluations() + 20);
}

TEST_F(StiffMotion, ForcesThatAreNoNumbersEndAtTheLastGoodState) {
  const Model model = model_of(ball_on_rail);
  const Control nan = [](double t, const VectorXd&, const VectorXd&, VectorXd& tau) {
    tau[0] = t > 0.2 ? std::nan("") : 0;
  };
  Simulation simulation(model, {}, by(Integrator::stiff));
  const Status status = simulation.advance_to(1, nan);
  EXPECT_EQ(status.code, StatusCode::not_finite) << status.message(model);
  EXPECT_EQ(std::string(status.argument), "tau");
  EXPECT_LE(simulation.time(), 0.2);
  EXPECT_GT(simulation.time(), 0.19);
  EXPECT_NEAR(simulation.v()[0], -9.81 * simulation.time(), 1e-11);
  const Control throws = [](double t, const VectorXd&, const VectorXd&, VectorXd&) {
    if (t > 0.4) throw std::runtime_error("the caller's own");
  };
  EXPECT_THROW((void)simulation.advance_to(1, throws), std::runtime_error);
  EXPECT_LE(simulation.time(), 0.4);
  EXPECT_NEAR(simulation.v()[0], -9.81 * simulation.time(), 1e-11);
  ASSERT_TRUE(simulation.advance_to(0.5).ok()) << "it goes on";
  EXPECT_NEAR(simulation.v()[0], -9.81 * 0.5, 1e-11);
}

/// v' = v²: infinite at 1 s.
TEST_F(StiffMotion, AMotionWithoutBoundEndsBeforeItIsInfinite) {
  const Model model = model_of("gravity: [0, 0, 0]\n" + std::string(ball_on_rail));
  const Control control = [](double, const VectorXd&, const VectorXd& v, VectorXd& tau) { tau[0] = 2 * v[0] * v[0]; };
  Simulation simulation(model, {}, by(Integrator::stiff));
  ASSERT_TRUE(simulation.reset(VectorXd::Zero(1), VectorXd::Constant(1, 1)).ok());
  const Status status = simulation.advance_to(2, control);
  EXPECT_TRUE(status.code == StatusCode::step_too_small || status.code == StatusCode::diverged)
      << status.message(model);
  EXPECT_NEAR(simulation.time(), 1, 1e-3);
  EXPECT_TRUE(simulation.q().allFinite() && simulation.v().allFinite());
}

TEST(StiffSimulationWithoutCvode, SaysWhatToInstall) {
  if (BackwardDifferences::available()) GTEST_SKIP() << "built with CVODE";
  try {
    const Simulation simulation(make_model("chain:2"), {}, by(Integrator::stiff));
    FAIL() << "it was made";
  } catch (const std::invalid_argument& e) {
    EXPECT_NE(std::string(e.what()).find("libsundials-dev"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace kinetree::oracle
