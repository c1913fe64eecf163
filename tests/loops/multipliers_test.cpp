// Multipliers on the spanning tree against an oracle that shares nothing with them, and where constraints are redundant
// or lose rank.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>

#include "engine/algorithm/solver/solver.hpp"
#include "engine/scalar/worst.hpp"
#include "loops/closed_at_zero.hpp"
#include "parallel/allocations.hpp"

namespace kinetree::oracle {
namespace {

using namespace closed_at_zero;

void compare_random_mechanisms_with_the_oracle(std::uint64_t count) {
  double worst = 0;
  int constraints = 0, mixed = 0;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    const ClosedMechanism m = random_closed_mechanism(seed);
    const Model& model = m.model;
    ClosedOracle oracle(m.description, m.tree);
    const bool external = seed % 3 == 0;
    oracle.set(m.state.q, m.state.v, external ? m.state.f_ext : Eigen::VectorXd{});
    const Eigen::VectorXd truth = oracle.accelerations(m.state.tau);
    constraints += static_cast<int>(m.description.loops.size() + m.description.couplings.size());
    for (const Loops loops : {Loops::multipliers, Loops::automatic}) {
      ForwardDynamics dynamics(model, plan_with(loops));
      mixed += dynamics.plan().loops == Loops::automatic;
      Eigen::VectorXd a(model.nv());
      const Status status = external ? dynamics.solve(m.state.q, m.state.v, m.state.tau, m.state.f_ext, a)
                                     : dynamics.solve(m.state.q, m.state.v, m.state.tau, a);
      ASSERT_TRUE(status.ok()) << seed << ": " << status.message(model);
      EXPECT_LE(difference(a, truth), 2e-9) << seed << (loops == Loops::automatic ? ", automatic" : "");
      keep_worst(worst, difference(a, truth));
    }
  }
  std::printf("%d constraints, worst %.1e; %d models with aggregates of both kinds\n", constraints, worst, mixed);
  EXPECT_GT(mixed, 0);
}

TEST(Multipliers, RandomMechanismsAgreeWithTheOracle) { compare_random_mechanisms_with_the_oracle(few_mechanisms); }
TEST(MultipliersLong, RandomMechanismsAgreeWithTheOracle) {
  compare_random_mechanisms_with_the_oracle(mechanism_count);
}

TEST(Multipliers, RedundantConstraintsAreLeftOut) {
  for (const int closures : {1, 2, 3}) {
    const Case c(chained_four_bars(4, closures));
    for (const Loops loops : {Loops::embed, Loops::multipliers}) {
      ForwardDynamics dynamics(c.model, plan_with(loops));
      EXPECT_LE(difference(accelerations(dynamics, c.state), c.truth), 1e-10) << closures;
    }
  }
}

TEST(Multipliers, RingsAndNets) {
  for (const Description& d : {ring(6), ring(17), net(2), net(5)}) {
    const Case c(d);
    ForwardDynamics dynamics(c.model, plan_with(Loops::multipliers));
    EXPECT_LE(difference(accelerations(dynamics, c.state), c.truth), 1e-9) << d.name << c.model.body_count();
  }
}

TEST(Multipliers, InFloat) {
  for (const Description& d : {chained_four_bars(3), ring(8)}) {
    const Case c(d);
    ForwardDynamics dynamics(c.model, plan_with(Loops::multipliers));
    const Eigen::VectorXf q = c.state.q.cast<float>(), v = c.state.v.cast<float>(), tau = c.state.tau.cast<float>();
    Eigen::VectorXf a(c.model.nv());
    const Status status = dynamics.solve(q, v, tau, a);
    ASSERT_TRUE(status.ok()) << status.message(c.model);
    EXPECT_LE(difference(a.cast<double>(), c.truth), 2e-3) << d.name;
  }
}

TEST(Multipliers, WhereRankIsLostAStatusOrTheRightAnswer) {
  const Model model = make_model(parallelogram());
  for (const Loops loops : {Loops::embed, Loops::multipliers}) {
    ForwardDynamics dynamics(model, plan_with(loops));
    int answers = 0;
    for (const double angle : {0.5, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-9, 0.0}) {
      const Eigen::Vector3d q(angle, -angle, angle), v(0.3, -0.3, 0.3), tau(1, -2, 0.5);
      Eigen::VectorXd a(3);
      const Status status = dynamics.solve(q, v, tau, a);
      // as a parallelogram all three turn alike, whatever the forces
      const double off = std::abs(a[0] + a[1]) + std::abs(a[0] - a[2]);
      if (status.ok()) {
        EXPECT_LE(off, 1e-15 / (angle * angle) + 1e-12) << angle;
        ++answers;
      } else {
        EXPECT_EQ(status.code, StatusCode::singular_loop) << angle;
        EXPECT_TRUE(a.hasNaN());
        EXPECT_NE(status.message(model).find("closure"), std::string::npos);
      }
      if (loops == Loops::multipliers) std::printf("angle %.0e: %s, off %.1e\n", angle, status.ok() ? "ok" : "no", off);
      if (angle == 0.0) {
        EXPECT_FALSE(status.ok());
      }
    }
    EXPECT_GE(answers, 5);
  }
}

TEST(Multipliers, ContradictingRowsAreRefused) {
  // what the loop of a parallelogram implies, once more as a gear: with velocities that open the loop the two ask for
  // different accelerations
  Description d = parallelogram();
  d.couplings.push_back({"gear", {{"j_crank", 1}, {"j_rocker", -1}}, 0});
  const Model model = make_model(d);
  ForwardDynamics dynamics(model, plan_with(Loops::multipliers));
  const Eigen::Vector3d q(0.5, -0.5, 0.5), tau(1, -2, 0.5);
  Eigen::Vector3d a;
  ASSERT_TRUE(dynamics.solve(q, Eigen::Vector3d(0.3, -0.3, 0.3), tau, a).ok());
  EXPECT_LE(std::abs(a[0] - a[2]) + std::abs(a[0] + a[1]), 1e-12);
  EXPECT_EQ(dynamics.solve(q, Eigen::Vector3d(0.3, -0.3, 0.6), tau, a).code, StatusCode::singular_loop);
  EXPECT_TRUE(a.hasNaN());
}

TEST(Multipliers, AModelWithoutLoopsIsAsEver) {
  const Model model = make_model("random:30:seed=4:floating=1");
  const TestState s = random_state(model, 2);
  ForwardDynamics plain(model, serial(Algorithm::ab));
  const Eigen::VectorXd expected = accelerations(plain, s, true);
  for (const Loops loops : {Loops::automatic, Loops::multipliers}) {
    ForwardDynamics dynamics(model, plan_with(loops));
    EXPECT_EQ(dynamics.plan().loops, Loops::embed);
    EXPECT_EQ(accelerations(dynamics, s, true), expected);
  }
}

TEST(Multipliers, CompositeBodiesEmbedAndRefuseThem) {
  const Model model = make_model(chained_four_bars(2));
  Options o = serial(Algorithm::crb);
  EXPECT_EQ(ForwardDynamics(model, o).plan().loops, Loops::embed);
  o.loops = Loops::multipliers;
  EXPECT_THROW(ForwardDynamics(model, o), OptionError);
}

// ---- executors and memory ------------------------------------------------------------------------------------------

TEST(Multipliers, SameBytesOnEveryExecutor) {
  for (const Description& d : {chained_four_bars(60), net(6)}) {
    const Case c(d);
    for (const Loops loops : {Loops::multipliers, Loops::automatic}) {
      Options o = plan_with(loops);
      ForwardDynamics serially(c.model, o);
      const Eigen::VectorXd expected = accelerations(serially, c.state);
      ASSERT_FALSE(expected.hasNaN());
      const Eigen::MatrixXd q = c.state.q.replicate(1, 5), v = c.state.v.replicate(1, 5),
                            tau = c.state.tau.replicate(1, 5);
      Eigen::MatrixXd batch(c.model.nv(), 5), several(c.model.nv(), 5);
      ASSERT_TRUE(serially.solve(q, v, tau, batch).ok());
      if (serially.plan().lanes == 1) {
        EXPECT_EQ(batch, expected.replicate(1, 5));
      }
      for (const ExecutorKind executor : {ExecutorKind::tbb, ExecutorKind::openmp, ExecutorKind::team})
        for (const int threads : {2, 3}) {
          o.executor = executor, o.threads = threads;
          ForwardDynamics dynamics(c.model, o);
          const Eigen::VectorXd a = accelerations(dynamics, c.state);
          EXPECT_EQ(std::memcmp(a.data(), expected.data(), sizeof(double) * static_cast<std::size_t>(a.size())), 0)
              << d.name << ", " << name_of(executor) << " on " << threads;
          ASSERT_TRUE(dynamics.solve(q, v, tau, several).ok());
          EXPECT_EQ(several, batch);
        }
    }
  }
}

TEST(Multipliers, NoAllocationAfterTheFirstCall) {
  if (!can_count_allocations()) GTEST_SKIP() << "the sanitizer has the allocator";
  const Case c(net(4));
  for (const ExecutorKind executor :
       {ExecutorKind::serial, ExecutorKind::tbb, ExecutorKind::openmp, ExecutorKind::team}) {
    Options o = plan_with(Loops::multipliers);
    o.executor = executor, o.threads = executor == ExecutorKind::serial ? 1 : 2;
    ForwardDynamics dynamics(c.model, o);
    Eigen::VectorXd a(c.model.nv());
    ASSERT_TRUE(dynamics.solve(c.state.q, c.state.v, c.state.tau, a).ok());
    start_counting();
    const bool solved = dynamics.solve(c.state.q, c.state.v, c.state.tau, a).ok();
    EXPECT_EQ(stop_counting().ours, 0u) << name_of(executor);
    EXPECT_TRUE(solved);
  }
}

}  // namespace
}  // namespace kinetree::oracle
