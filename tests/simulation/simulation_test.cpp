// Motion over time: orders of the integrators, what physics keeps, loops that stay closed, and what fails with a word.
#include <gtest/gtest.h>

#include <cmath>
#include <kinetree/load_model.hpp>
#include <kinetree/simulation/simulation.hpp>
#include <map>
#include <string>

#include "engine/model/closure.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/worst.hpp"
#include "oracle/dense_oracle.hpp"
#include "oracle/mechanisms.hpp"
#include "oracle/random_state.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::VectorXd;

Model config(const std::string& name) { return load_model(std::string(KINETREE_MODELS) + "/" + name + ".yaml"); }

VectorXd end_of(const Model& model, const TestState& s, const SimulationOptions& how, double seconds) {
  Simulation simulation(model, {}, how);
  EXPECT_TRUE(simulation.reset(s.q, s.v).ok());
  const Status status =
      simulation.advance_to(seconds, [&](double t, const VectorXd&, const VectorXd& v, VectorXd& tau) {
        tau = std::cos(3 * t) * s.tau - 0.3 * v;  // driven and damped
      });
  EXPECT_TRUE(status.ok()) << status.message(model);
  EXPECT_EQ(simulation.time(), seconds);
  VectorXd state(model.nq() + model.nv());
  state << simulation.q(), simulation.v();
  return state;
}

/// Halving the step divides the error by 2 to the order; all agree in the limit.
TEST(Simulation, IntegratorsHaveTheirOrders) {
  for (const char* family : {"chain:3", "random:6:seed=3", "random:5:seed=8:floating=1:joints=spherical"}) {
    const Model model = make_model(family);
    TestState s = random_state(model, 4);
    s.v *= 0.5, s.tau *= 0.2;
    const double seconds = 0.25;
    const VectorXd exact = end_of(model, s, {Integrator::adaptive, 1e-3, 1e-13}, seconds);
    const auto error = [&](Integrator integrator, int steps) {
      return (end_of(model, s, {integrator, seconds / steps, 1e-10}, seconds) - exact).norm();
    };
    const double euler =
        std::log2(error(Integrator::semi_implicit_euler, 400) / error(Integrator::semi_implicit_euler, 800));
    const double rk4 = std::log2(error(Integrator::rk4, 50) / error(Integrator::rk4, 100));
    EXPECT_NEAR(euler, 1, 0.15) << family;
    EXPECT_NEAR(rk4, 4, 0.4) << family;
    EXPECT_LE((end_of(model, s, {Integrator::adaptive, 1e-3, 1e-10}, seconds) - exact).norm(), 1e-7 * exact.norm());
  }
}

TEST(Simulation, EnergyIsTheOracles) {
  for (int seed = 1; seed <= 20; ++seed) {
    const Description d = make_description("random:12:seed=" + std::to_string(seed) + ":special=1:floating=1");
    const Model model = make_model(d);
    const TestState s = random_state(model, static_cast<std::uint64_t>(seed));
    DenseOracle<double> oracle(d, model);
    oracle.set(s.q, s.v);
    Workspace workspace(model);
    Energy e;
    ASSERT_TRUE(energy(model, workspace, s.q, s.v, e).ok());
    EXPECT_NEAR(e.kinetic, oracle.kinetic_energy(), 1e-12 * std::abs(oracle.kinetic_energy()));
    EXPECT_NEAR(e.potential, oracle.potential_energy(), 1e-12 * (1 + std::abs(oracle.potential_energy())));
  }
}

/// What a rotor adds is half its reflected inertia times the square of its joint's rate, freedom by freedom.
TEST(Simulation, RotorsHaveEnergyToo) {
  Description d = make_description("random:12:seed=3:special=1:floating=0");
  const Model bare = make_model(d);
  const TestState s = random_state(bare, 3);
  std::map<std::string, double> armature;
  for (BodyDescription& b : d.bodies)
    armature[b.joint.name] = b.joint.armature = 0.1 + 0.05 * static_cast<double>(armature.size());
  double rotors = 0;
  for (int b = 0; b < bare.body_count(); ++b)
    for (int v = bare.data().v_index[static_cast<std::size_t>(b)];
         v < bare.data().v_index[static_cast<std::size_t>(b) + 1]; ++v)
      rotors += 0.5 * armature.at(std::string(bare.joint_name(b))) * s.v[v] * s.v[v];
  const Model model = make_model(d);
  Workspace without(bare), with(model);
  Energy less, more;
  ASSERT_TRUE(energy(bare, without, s.q, s.v, less).ok());
  ASSERT_TRUE(energy(model, with, s.q, s.v, more).ok());
  EXPECT_GT(rotors, 0.1);
  EXPECT_NEAR(more.kinetic - less.kinetic, rotors, 1e-12 * more.kinetic);
  EXPECT_EQ(more.potential, less.potential);
}

/// A thrown body turns as it likes; its centre of mass follows the parabola.
TEST(Simulation, ThrownBodyFollowsItsParabola) {
  Random random(5);
  Description d;
  d.gravity = {1, -2, -9};
  d.bodies.push_back(random_body(random, "stone", "world", JointType::floating));
  d.bodies.back().joint.origin = {};
  const Model model = make_model(d);
  const TestState s = random_state(model, 2);
  DenseOracle<double> oracle(d, model);
  const Vec<double> centre = vec<double>(d.bodies[0].inertial->frame.xyz);
  const auto place = [&](const VectorXd& q, const VectorXd& v) {
    oracle.set(q, v);
    return oracle.to_world(0, centre);
  };
  const Vec<double> start = place(s.q, s.v);
  const auto& link = oracle.link("stone");
  const Vec<double> speed = link.speed + cross(link.omega, link.R * centre);
  Simulation simulation(model);
  ASSERT_TRUE(simulation.reset(s.q, s.v).ok());
  const double before = simulation.energy().total(), t = 2;
  ASSERT_TRUE(simulation.advance_to(t).ok());
  const Vec<double> there = place(simulation.q(), simulation.v()), g = vec<double>(d.gravity);
  const Vec<double> off = there - (start + t * speed + (t * t / 2) * g);
  EXPECT_LE(std::sqrt(dot(off, off)), 1e-8);
  EXPECT_NEAR(simulation.energy().total(), before, 1e-8 * std::abs(before));
}

/// Also the state that the next step starts from, which q() and v() do not show.
TEST(Simulation, ARefusedStartLeavesTheState) {
  const Model model = config("four_bar");
  const VectorXd rest = VectorXd::Zero(model.nv());
  VectorXd q = VectorXd::Zero(model.nq());
  q[0] = 0.9, q[1] = -0.6, q[2] = 1.4;
  for (const Integrator integrator : {Integrator::rk4, Integrator::adaptive}) {
    Simulation asked(model, {}, {.integrator = integrator}), other(model, {}, {.integrator = integrator});
    for (Simulation* s : {&asked, &other}) ASSERT_TRUE(s->assemble(q, rest).ok());
    VectorXd open = asked.q();
    open[0] += 0.1;
    EXPECT_FALSE(asked.reset(open, rest).ok());
    for (Simulation* s : {&asked, &other}) ASSERT_TRUE(s->step(0.01).ok());
    EXPECT_EQ(VectorXd(asked.q()), VectorXd(other.q()));
    EXPECT_EQ(VectorXd(asked.v()), VectorXd(other.v()));
  }
}

/// A step that only the end of a call cut short says nothing of the next one's length.
TEST(Simulation, AShortLastStepShortensNoOther) {
  const Model model = make_model("chain:3");
  VectorXd q(model.nq()), v(model.nv());
  ASSERT_TRUE(random_state(model, 3, q, v).ok());
  Simulation at_once(model, {}, {.integrator = Integrator::adaptive}),
      cut(model, {}, {.integrator = Integrator::adaptive});
  for (Simulation* s : {&at_once, &cut}) ASSERT_TRUE(s->reset(q, v).ok() && s->advance_to(1).ok());
  ASSERT_TRUE(cut.advance_to(1 + 1e-7).ok());
  for (Simulation* s : {&at_once, &cut}) ASSERT_TRUE(s->advance_to(2).ok());
  EXPECT_LE(cut.steps(), at_once.steps() + 2);
}

/// A body on a slide, whose acceleration is a function's.
Model slide() {
  Description d;
  d.name = "slide", d.gravity = {0, 0, 0};
  BodyDescription body;
  body.name = "finger", body.parent = "world";
  body.joint.name = "slide", body.joint.type = "prismatic";
  body.inertial = InertialDescription{0.1, {}, {1e-5, 1e-5, 1e-5, 0, 0, 0}};
  d.bodies.push_back(body);
  return make_model(d);
}

/// Fehlberg's own estimate of a step under such a force is zero, however long the step.
TEST(Simulation, AdaptiveStepsFollowForcesOfTimeAlone) {
  const Model model = slide();
  for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12}) {
    Simulation simulation(model, {}, {.integrator = Integrator::adaptive, .tolerance = tolerance});
    const Control shaken = [](double t, const VectorXd&, const VectorXd&, VectorXd& tau) {
      tau[0] = 0.1 * std::sin(30 * t);
    };
    ASSERT_TRUE(simulation.advance_to(5, shaken).ok());
    EXPECT_NEAR(simulation.q()[0], 5 / 30.0 - std::sin(150.0) / 900, 100 * tolerance + 1e-13);
    EXPECT_NEAR(simulation.v()[0], (1 - std::cos(150.0)) / 30, 100 * tolerance + 1e-13);
  }
}

/// A finger that a motor presses on a stiff spring with a damper comes to rest on it: stages in the spring throw it out
/// again, where both ends of a step know nothing of it.
TEST(Simulation, AdaptiveStepsSeeForcesThatJumpWithinThem) {
  const Model model = slide();
  const Control pressed = [](double, const VectorXd& q, const VectorXd& v, VectorXd& tau) {
    tau[0] = -10 + (q[0] < 0.02 ? 4e4 * (0.02 - q[0]) - 200 * v[0] : 0);
  };
  for (const double tolerance : {1e-4, 1e-7, 1e-10})
    for (const double leg : {1e-3, 1e-2, 3e-2, 0.5}) {
      Simulation simulation(model, {}, {.integrator = Integrator::adaptive, .tolerance = tolerance});
      ASSERT_TRUE(simulation.reset(VectorXd::Constant(1, 0.03), VectorXd::Zero(1)).ok());
      for (double t = leg; t < 0.5 + 1e-9; t += leg) ASSERT_TRUE(simulation.advance_to(t, pressed).ok());
      EXPECT_NEAR(simulation.q()[0], 0.02 - 10 / 4e4, tolerance + 1e-10) << tolerance << " in legs of " << leg << " s";
    }
}

/// Ten seconds unforced: energy within 1e-8 of the largest kinetic energy, loops within 1e-12, by every algorithm.
TEST(Simulation, UnforcedLoopsKeepTheirEnergy) {
  for (const char* name : {"four_bar", "five_bar", "geared_arm"})
    for (const Algorithm algorithm : {Algorithm::ab, Algorithm::crb}) {
      const Model model = config(name);
      Simulation simulation(model, {.algorithm = algorithm});
      VectorXd q = VectorXd::Zero(model.nq());
      q[0] = 0.9, q[1] = -0.6, q[2] = 1.4;
      const Status started = simulation.assemble(q, VectorXd::Zero(model.nv()));
      ASSERT_TRUE(started.ok()) << started.message(model);
      const double energy = simulation.energy().total();
      double drift = 0, kinetic = 0, error = 0;
      for (int k = 1; k <= 500; ++k) {
        const Status status = simulation.advance_to(0.02 * k);
        ASSERT_TRUE(status.ok()) << name << ": " << status.message(model);
        const Energy now = simulation.energy();
        keep_worst(drift, std::abs(now.total() - energy));
        keep_worst(kinetic, now.kinetic);
        keep_worst(error, simulation.closure_error());
      }
      std::printf("%s: drift %.1e of the largest kinetic energy, loops within %.1e, %ld steps\n", name, drift / kinetic,
                  error, simulation.steps());
      EXPECT_LE(drift, 1e-8 * kinetic) << name;
      EXPECT_LE(error, 1e-12) << name;
    }
}

/// The nearest closed configuration: the same side of the four-bar, mirrored when started mirrored.
TEST(Simulation, StartClosesInTheSameAssemblyMode) {
  const Model model = config("four_bar");
  Simulation up(model), down(model);
  VectorXd q(3), v = VectorXd::Zero(3);
  q << -0.8, 0.5, -1.6;
  v[0] = 2;
  ASSERT_TRUE(up.assemble(q, v).ok());
  ASSERT_TRUE(down.assemble(-q, v).ok());
  EXPECT_LE(up.closure_error(), 1e-14);
  EXPECT_LE(largest_of(up.q() + down.q()), 1e-12);
  EXPECT_GT(std::abs(up.q()[2] - down.q()[2]), 0.5);
  Closure closure(model.data());
  EXPECT_TRUE(closure.violations(up.q().data(), up.v().data()).empty());
}

TEST(Simulation, SaysWhatFails) {
  const Model model = config("four_bar");
  EXPECT_THROW(Simulation(model, {}, {Integrator::rk4, 0}), std::invalid_argument);
  EXPECT_THROW(Simulation(model, {}, {Integrator::adaptive, 1e-3, -1}), std::invalid_argument);
  Simulation simulation(model);
  EXPECT_EQ(simulation.reset(VectorXd::Zero(2), VectorXd::Zero(3)).code, StatusCode::wrong_size);
  EXPECT_EQ(simulation.reset(VectorXd::Constant(3, std::nan("")), VectorXd::Zero(3)).code, StatusCode::not_finite);
  VectorXd q(3);
  q << -0.8, 0.5, -1.6;
  ASSERT_TRUE(simulation.assemble(q, VectorXd::Zero(3)).ok());
  ASSERT_TRUE(simulation.advance_to(0.1).ok());
  const VectorXd good = simulation.q();
  const Status status = simulation.advance_to(1, [](double t, const VectorXd&, const VectorXd&, VectorXd& tau) {
    if (t > 0.2) tau[0] = std::nan("");
  });
  EXPECT_EQ(status.code, StatusCode::not_finite);
  EXPECT_LE(simulation.time(), 0.2);
  EXPECT_TRUE(simulation.q().allFinite());
  EXPECT_GT((simulation.q() - good).norm(), 0);
  // a force that never settles
  Simulation noisy(model, {}, {Integrator::adaptive, 1e-3, 1e-13});
  ASSERT_TRUE(noisy.assemble(q, VectorXd::Zero(3)).ok());
  long calls = 0;
  const Status stuck = noisy.advance_to(
      1, [&](double, const VectorXd&, const VectorXd&, VectorXd& tau) { tau[0] = ++calls % 2 == 0 ? 1e3 : -1e3; });
  EXPECT_EQ(stuck.code, StatusCode::step_too_small) << stuck.message(model);
  EXPECT_NE(stuck.message(model).find("tolerance"), std::string::npos);
}

}  // namespace
}  // namespace kinetree::oracle
