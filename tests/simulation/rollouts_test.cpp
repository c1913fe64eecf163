// Rollouts: a column is a Simulation bit for bit, whatever threads there are; columns that fail; faults by name.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <kinetree/forces.hpp>
#include <kinetree/load_model.hpp>
#include <kinetree/simulation/rollouts.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/scalar/worst.hpp"
#include "oracle/random_state.hpp"
#include "parallel/allocations.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Model robot(const std::string& name, bool floating) {
  return load_model(std::string(KINETREE_MODELS) + "/" + name + ".yaml", {.floating_base = floating});
}

/// Of one column at a time, so that Simulation may have them too.
void push(double t, const Eigen::Ref<const VectorXd>& v, Eigen::Ref<VectorXd> tau, Eigen::Ref<VectorXd> f_ext) {
  tau = -0.2 * v;
  if (f_ext.size() > 0) f_ext.tail(6) = std::cos(5 * t) * VectorXd::LinSpaced(6, -1, 1);
}

const RolloutForces pushes = [](RolloutColumns& c) {
  for (Eigen::Index k = 0; k < c.q.cols(); ++k) push(c.time[k], c.v.col(k), c.tau.col(k), c.f_ext.col(k));
};

struct States {
  MatrixXd q, v;
  States(const Model& model, int count) : q(model.nq(), count), v(model.nv(), count) {
    EXPECT_TRUE(random_state(model, 3, q, v).ok());
  }
};

/// States one by one and in lanes, both integrators, threads 1 and 2; gears and coupled fingers, closed at every step.
TEST(Rollouts, AreSimulations) {
  constexpr int count = 9, steps = 6;
  for (const Model& model : {make_model("chain:5"), robot("humanoid", true), make_model("geared:3"),
                             make_model("random:6:seed=5:floating=1:joints=spherical"),
                             make_model("random:6:seed=2:joints=floating"), make_model("random:50:seed=7")}) {
    const States s(model, count);
    for (const Integrator integrator : {Integrator::semi_implicit_euler, Integrator::rk4}) {
      const auto run = [&](int lanes, int threads) {
        Rollouts rollouts(model, count, {.algorithm = Algorithm::ab, .threads = threads, .lanes = lanes},
                          {integrator, true});
        EXPECT_TRUE(rollouts.reset(s.q, s.v, 0.5).ok());
        EXPECT_TRUE(rollouts.step(2e-3, pushes, steps / 2).ok());
        for (int k = 0; k < steps / 2; ++k) EXPECT_TRUE(rollouts.step(2e-3, pushes).ok());
        MatrixXd all(model.nq() + model.nv() + 1, count);
        all << rollouts.q(), rollouts.v(), rollouts.time().transpose();
        return all;
      };
      const MatrixXd alone = run(1, 1), in_lanes = run(0, 1);
      EXPECT_EQ(run(1, 2), alone) << model.name();
      EXPECT_EQ(run(0, 2), in_lanes) << model.name();
      EXPECT_LE(largest_of(alone - in_lanes), 1e-11 * (1 + largest_of(alone))) << model.name();
      Simulation simulation(model, {.algorithm = Algorithm::ab}, {integrator});
      for (int c = 0; c < count; ++c) {
        ASSERT_TRUE(simulation.reset(s.q.col(c), s.v.col(c), 0.5).ok());
        for (int k = 0; k < steps; ++k)
          ASSERT_TRUE(simulation
                          .step(2e-3, [](double t, const VectorXd&, const VectorXd& v, VectorXd& tau,
                                         VectorXd& f_ext) { push(t, v, tau, f_ext); })
                          .ok());
        VectorXd end(alone.rows());
        end << simulation.q(), simulation.v(), simulation.time();
        EXPECT_EQ(end, alone.col(c)) << model.name() << ", column " << c;
      }
    }
  }
}

/// A column that fails stands still and says why; the others go on; it goes again when reset.
TEST(Rollouts, AColumnThatFailsStopsAlone) {
  const Model model = make_model("chain:4");
  const States s(model, 7);
  for (const Integrator integrator : {Integrator::semi_implicit_euler, Integrator::rk4}) {
    Rollouts rollouts(model, 7, {.threads = 2}, {integrator, false}), untouched(model, 7, {}, {integrator, false});
    ASSERT_TRUE(rollouts.reset(s.q, s.v).ok() && untouched.reset(s.q, s.v).ok());
    ASSERT_TRUE(rollouts.step(1e-3).ok() && untouched.step(1e-3).ok());
    const VectorXd q = rollouts.q().col(4), v = rollouts.v().col(4);
    const Status status = rollouts.step(
        1e-3,
        [&](RolloutColumns& c) {
          for (int k = 0; k < c.q.cols(); ++k)
            if (c.first + k == 4 && (integrator == Integrator::semi_implicit_euler || c.time[k] > 1.2e-3))
              c.tau(2, k) = std::nan("");
        },
        3);
    EXPECT_EQ(status.code, StatusCode::not_finite);
    EXPECT_EQ(status.column, 4);
    EXPECT_EQ(status.body, 2);
    ASSERT_TRUE(untouched.step(1e-3, {}, 3).ok());
    for (int c = 0; c < 7; ++c) {
      EXPECT_EQ(rollouts.statuses()[static_cast<std::size_t>(c)].ok(), c != 4);
      EXPECT_EQ(rollouts.q().col(c), c == 4 ? q : VectorXd(untouched.q().col(c))) << c;
      EXPECT_EQ(rollouts.v().col(c), c == 4 ? v : VectorXd(untouched.v().col(c))) << c;
    }
    EXPECT_EQ(rollouts.time()[4], 1e-3);
    EXPECT_FALSE(rollouts.step(1e-3).ok()) << "until it is reset";
    EXPECT_EQ(rollouts.q().col(4), q);
    ASSERT_TRUE(rollouts.reset(4, untouched.q().col(4), untouched.v().col(4), 2).ok());
    ASSERT_TRUE(rollouts.step(1e-3).ok() && untouched.step(1e-3, {}, 2).ok());
    EXPECT_EQ(rollouts.q().col(3), untouched.q().col(3));
    EXPECT_EQ(rollouts.time()[4], 2 + 1e-3);
  }
}

/// Forces on entry are zero in every step and stage, whatever the one before has left: those that add do what those
/// that assign do.
TEST(Rollouts, ForcesThatAddAreForcesThatAssign) {
  const Model model = robot("humanoid", true);
  const States s(model, 7);
  for (const Integrator integrator : {Integrator::semi_implicit_euler, Integrator::rk4}) {
    Rollouts assigned(model, 7, {.threads = 2}, {integrator, true}),
        added(model, 7, {.threads = 2}, {integrator, true});
    ASSERT_TRUE(assigned.reset(s.q, s.v).ok() && added.reset(s.q, s.v).ok());
    ASSERT_TRUE(assigned.step(1e-3, pushes, 3).ok());
    const RolloutForces adds = [](RolloutColumns& c) {
      MatrixXd tau = c.tau, f_ext = c.f_ext;
      EXPECT_TRUE(tau.isZero(0) && f_ext.isZero(0));
      for (Eigen::Index k = 0; k < c.q.cols(); ++k) push(c.time[k], c.v.col(k), tau.col(k), f_ext.col(k));
      c.tau += tau, c.f_ext += f_ext;
    };
    ASSERT_TRUE(added.step(1e-3, adds, 3).ok());
    EXPECT_EQ(added.q(), assigned.q());
    EXPECT_EQ(added.v(), assigned.v());
  }
}

/// A function of forces gets 2 to 65 neighbouring columns, each column once a stage, and what comes of a column depends
/// neither on how many there are nor on the threads.
TEST(Rollouts, NoRangeHasOneColumnOfSeveral) {
  const Model model = make_model("chain:3");
  const States s(model, 200);
  Rollouts all(model, 200, {.algorithm = Algorithm::ab});
  ASSERT_TRUE(all.reset(s.q, s.v).ok() && all.step(1e-3, pushes).ok());
  for (const int threads : {1, 2, 3})
    for (int count = 2; count <= 200; count += count < 70 ? 1 : 7) {
      Rollouts rollouts(model, count, {.algorithm = Algorithm::ab, .threads = threads});
      ASSERT_TRUE(rollouts.reset(s.q.leftCols(count), s.v.leftCols(count)).ok());
      std::vector<std::atomic<int>> seen(static_cast<std::size_t>(count));
      const RolloutForces forces = [&](RolloutColumns& c) {
        EXPECT_GE(c.q.cols(), 2) << count << " columns, " << threads << " threads";
        EXPECT_LE(c.q.cols(), 65);
        for (Eigen::Index k = 0; k < c.q.cols(); ++k) ++seen[static_cast<std::size_t>(c.first + k)];
        pushes(c);
      };
      ASSERT_TRUE(rollouts.step(1e-3, forces).ok());
      for (const std::atomic<int>& times : seen) EXPECT_EQ(times, 1);
      EXPECT_EQ(rollouts.q(), all.q().leftCols(count));
      EXPECT_EQ(rollouts.v(), all.v().leftCols(count));
    }
}

TEST(Rollouts, WrongArgumentsAreNamed) {
  const Model model = make_model("chain:3");
  Rollouts rollouts(model, 4);
  const States s(model, 4);
  const auto says = [&](const Status& status, const std::string& words) {
    EXPECT_NE(status.message(model).find(words), std::string::npos) << status.message(model);
  };
  says(rollouts.reset(s.q.leftCols(3), s.v), "q has 3 columns; 4 are expected");
  says(rollouts.reset(s.q, s.v.topRows(2)), "v has 2 rows; 3 are expected");
  says(rollouts.reset(s.q, s.v, HUGE_VAL), "time is inf; give a finite number");
  says(rollouts.reset(4, s.q.col(0), s.v.col(0)), "there is no column 4: columns are numbered 0 to 3");
  says(rollouts.reset(1, s.q.col(0).head(2), s.v.col(0)), "q has 2 rows; 3 are expected");
  says(rollouts.step(-1), "dt is -1; give a finite number above 0");
  says(rollouts.step(1e-3, {}, 0), "steps is 0; give a whole number above 0");
  EXPECT_TRUE(rollouts.q().isZero(0)) << "none of these did anything";
  MatrixXd q = s.q;
  q(1, 2) = std::nan("");
  const Status status = rollouts.reset(q, s.v);
  EXPECT_EQ(status.column, 2);
  says(status, "column 2: q of joint \"joint2\" is nan; give finite numbers");
  EXPECT_EQ(rollouts.q().col(3), s.q.col(3));
  EXPECT_TRUE(rollouts.q().col(2).isZero(0));
  const auto refused = [](auto make, const std::string& words) {
    try {
      make();
      ADD_FAILURE() << words;
    } catch (const std::invalid_argument& e) {
      EXPECT_NE(std::string(e.what()).find(words), std::string::npos) << e.what();
    }
  };
  refused([&] { Rollouts(model, 0); }, "columns is 0");
  refused([&] { Rollouts(model, 2, {}, {Integrator::adaptive}); }, "adaptive");
  refused([&] { Rollouts(model, 2, {}, {Integrator::stiff}); }, "stiff");
  refused([] { Rollouts(robot("four_bar", false), 2); }, "has loop \"");
  refused([&] { Rollouts(model, 2, {.threads = -1}); }, "threads");
}

TEST(Rollouts, WhatAFunctionThrowsComesOutOfTheStep) {
  const Model model = make_model("chain:3");
  const States s(model, 200);
  Rollouts fresh(model, 200, {.algorithm = Algorithm::ab});
  ASSERT_TRUE(fresh.reset(s.q, s.v).ok());
  ASSERT_TRUE(fresh.step(1e-3, pushes).ok());
  for (const ExecutorKind executor : {ExecutorKind::team, ExecutorKind::tbb, ExecutorKind::openmp})
    for (const int threads : {1, 2, 4}) {
      Rollouts rollouts(model, 200, {.algorithm = Algorithm::ab, .executor = executor, .threads = threads});
      for (const int thrower : {0, 150}) {
        ASSERT_TRUE(rollouts.reset(s.q, s.v).ok());
        const RolloutForces failing = [&](RolloutColumns& c) {
          if (c.first <= thrower && thrower < c.first + c.q.cols()) throw std::runtime_error("no more fuel");
          pushes(c);
        };
        EXPECT_THROW((void)rollouts.step(1e-3, failing), std::runtime_error) << threads << " threads";
      }
      ASSERT_TRUE(rollouts.reset(s.q, s.v).ok());
      ASSERT_TRUE(rollouts.step(1e-3, pushes).ok());
      EXPECT_EQ(rollouts.q(), fresh.q());
    }
}

TEST(Rollouts, AllocateNothingAfterTheFirstStep) {
  if (!can_count_allocations()) GTEST_SKIP() << "the sanitizer has the allocator";
  for (const Model& model : {robot("humanoid", true), robot("humanoid_with_hands", true)}) {
    const States s(model, 20);
    for (const Integrator integrator : {Integrator::semi_implicit_euler, Integrator::rk4}) {
      Rollouts rollouts(model, 20, {.threads = 2}, {integrator, true});
      const auto go = [&] {
        return rollouts.reset(s.q, s.v).ok() && rollouts.step(1e-3, pushes).ok() &&
               rollouts.reset(3, s.q.col(1), s.v.col(1)).ok();
      };
      ASSERT_TRUE(go()) << model.name();
      start_counting();
      const bool ok = go() && go();
      const Allocations seen = stop_counting();
      EXPECT_TRUE(ok) << model.name();
      EXPECT_EQ(seen.ours, 0u) << model.name();
    }
  }
}

}  // namespace
}  // namespace kinetree::oracle
