// step, reset and set_state: exact lengths, what is counted since when, faults by name, no memory after the first step.
#include <gtest/gtest.h>

#include <cmath>
#include <kinetree/forces.hpp>
#include <kinetree/simulation/simulation.hpp>
#include <string>

#include "bench/sweep/random_states.hpp"
#include "oracle/random_state.hpp"
#include "parallel/allocations.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::VectorXd;

constexpr Integrator integrators[]{Integrator::semi_implicit_euler, Integrator::rk4, Integrator::adaptive};

/// A step of a length that is not that of the options is one step of fixed integrators, exactly that of v += h a,
/// q (+)= h v of joints that do not float; ten of the options' own are what advance_to takes.
TEST(SimulationSteps, AreOfTheLengthThatIsAsked) {
  const Model model = make_model("random:8:seed=3");
  const TestState s = random_state(model, 2);
  Simulation simulation(model, {}, {Integrator::semi_implicit_euler, 0.25});
  ASSERT_TRUE(simulation.reset(s.q, s.v, 3).ok());
  const VectorXd q = simulation.q();
  const Control control = [&](double, const VectorXd&, const VectorXd&, VectorXd& tau) { tau = s.tau; };
  ASSERT_TRUE(simulation.step(0.1, control).ok());
  EXPECT_EQ(simulation.steps(), 1);
  EXPECT_EQ(simulation.evaluations(), 1);
  EXPECT_EQ(simulation.time(), 3 + 0.1);
  ForwardDynamics dynamics(model);
  VectorXd a(model.nv()), there(model.nq());
  ASSERT_TRUE(dynamics.solve(q, s.v, s.tau, a).ok());
  const VectorXd v = s.v + 0.1 * a;
  ASSERT_TRUE(integrate(model, q, 0.1 * v, there).ok());
  int compared = 0;
  for (int b = 0; b < model.body_count(); ++b) {
    const ModelData& m = model.data();
    const std::size_t k = static_cast<std::size_t>(b);
    if (m.joint_type[k] == JointType::floating) continue;
    for (int i = m.v_index[k]; i < m.v_index[k + 1]; ++i, ++compared)
      EXPECT_NEAR(simulation.v()[i], v[i], 1e-13 * v.norm());
    for (int i = m.q_index[k]; i < m.q_index[k + 1]; ++i)
      EXPECT_NEAR(simulation.q()[i], there[i], 1e-13 * there.norm());
  }
  EXPECT_GE(compared, 8);

  for (const Integrator integrator : integrators) {
    Simulation stepped(model, {}, {integrator, 1e-3}), advanced(model, {}, {integrator, 1e-3});
    ASSERT_TRUE(stepped.reset(s.q, s.v).ok() && advanced.reset(s.q, s.v).ok());
    for (int k = 0; k < 10; ++k) ASSERT_TRUE(stepped.step(1e-3, control).ok());
    ASSERT_TRUE(advanced.advance_to(0.01, control).ok());
    EXPECT_LE((stepped.q() - advanced.q()).norm(), 1e-10);
    if (integrator != Integrator::adaptive) {
      EXPECT_EQ(stepped.steps(), 10);
    }
  }
}

/// A blow of one second's gravity: energies and work know of it, time goes on. reset counts anew.
TEST(SimulationSteps, AStateSetAtAnyTimeIsAccountedFor) {
  const Model model = make_model("chain:4");
  const TestState s = random_state(model, 2);
  for (const Integrator integrator : integrators) {
    Simulation simulation(model, {}, {integrator, 1e-4});
    ASSERT_TRUE(simulation.reset(s.q, s.v).ok());
    const double start = simulation.energy().total();
    const Control control = [&](double, const VectorXd&, const VectorXd&, VectorXd& tau) { tau = s.tau; };
    ASSERT_TRUE(simulation.advance_to(0.1, control).ok());
    const VectorXd blow = simulation.v() + VectorXd::LinSpaced(4, -4, 9);
    const double before = simulation.energy().total();
    ASSERT_TRUE(simulation.set_state(simulation.q(), blow).ok());
    EXPECT_EQ(simulation.v(), blow);
    EXPECT_EQ(simulation.energy_set(), simulation.energy().total() - before);
    EXPECT_GT(std::abs(simulation.energy_set()), 0.1);
    EXPECT_EQ(simulation.time(), 0.1);
    ASSERT_TRUE(simulation.advance_to(0.2, control).ok());
    const double grown = simulation.energy().total() - start;
    EXPECT_NEAR(grown, simulation.work() + simulation.energy_set(),
                integrator == Integrator::semi_implicit_euler ? 0.05 : 1e-6);
    ASSERT_TRUE(simulation.reset(s.q, s.v, 7).ok());
    EXPECT_EQ(simulation.work(), 0);
    EXPECT_EQ(simulation.energy_set(), 0);
    EXPECT_EQ(simulation.steps(), 0);
    EXPECT_EQ(simulation.time(), 7);
  }
}

/// The text names the argument, its size or value, and the one expected; nothing has changed.
TEST(SimulationSteps, WrongArgumentsAreNamed) {
  const Model model = make_model("chain:3");
  Simulation simulation(model);
  const VectorXd q = VectorXd::Constant(3, 0.2), v = VectorXd::Zero(3);
  ASSERT_TRUE(simulation.reset(q, v, 1).ok());
  const double nan = std::nan("");
  const auto says = [&](const Status& status, const std::string& words) {
    EXPECT_NE(status.message(model).find(words), std::string::npos) << status.message(model);
    EXPECT_EQ(simulation.q(), q);
    EXPECT_EQ(simulation.time(), 1);
  };
  says(simulation.reset(VectorXd::Zero(2), v), "q has 2 rows; 3 are expected");
  says(simulation.set_state(q, VectorXd::Zero(4)), "v has 4 rows; 3 are expected");
  says(simulation.set_state(q, VectorXd::Constant(3, nan)), "v of joint \"joint1\" is nan");
  says(simulation.reset(q, v, nan), "time is nan; give a finite number");
  says(simulation.advance_to(nan), "time is nan; give a finite number");
  says(simulation.step_towards(nan), "time is nan; give a finite number");
  says(simulation.step(0), "dt is 0; give a finite number above 0");
  says(simulation.step(nan), "dt is nan; give a finite number above 0");
  says(simulation.step(0.1, [](double, const VectorXd&, const VectorXd&, VectorXd& tau) { tau.resize(5); }),
       "tau has 5 rows; 3 are expected");
  says(simulation.step(0.1, [](double, const VectorXd&, const VectorXd&, VectorXd&, VectorXd& f) { f.resize(6); }),
       "f_ext has 6 rows; 18 are expected");
  EXPECT_THROW(Simulation(model, {}, {Integrator::adaptive, 1e-3, 1e-10, 0}), std::invalid_argument);
}

TEST(SimulationSteps, AllocateNothingAfterTheFirst) {
  if (!can_count_allocations()) GTEST_SKIP() << "the sanitizer has the allocator";
  for (const char* family : {"random:20:seed=5:floating=1", "geared:3", "fourbars:2"}) {
    const Model model = make_model(family);
    const bench::StateSet s = bench::random_states(model, 1, 2);
    const VectorXd q = s.q, v = 0.1 * s.v, tau = s.tau, f_ext = VectorXd::Constant(6 * model.body_count(), 0.1);
    for (const Integrator integrator : integrators) {
      Simulation simulation(model, {}, {integrator, 1e-3});
      Event e;
      e.value = [](double t, const VectorXd&, const VectorXd&) { return std::sin(900 * t); };
      e.act = [](double, VectorXd&, VectorXd& speed) { return speed *= 0.99, true; };
      simulation.watch({e, e});
      const Forces forces = [&](double, const VectorXd&, const VectorXd&, VectorXd& own, VectorXd& external) {
        own = tau, external = f_ext;
      };
      ASSERT_TRUE(simulation.reset(q, v).ok());
      ASSERT_TRUE(simulation.step(0.01, forces).ok());
      (void)simulation.energy();
      start_counting();
      bool ok = true;
      for (int k = 0; k < 5; ++k) ok = simulation.step(0.01, forces).ok() && ok;
      ok = simulation.set_state(q, simulation.v()).ok() && simulation.reset(q, v).ok() && ok;
      const Allocations seen = stop_counting();
      EXPECT_TRUE(ok) << family;
      EXPECT_EQ(seen.ours + seen.runtimes, 0u) << family << ", integrator " << static_cast<int>(integrator);
    }
  }
}

}  // namespace
}  // namespace kinetree::oracle
