// Whether loops and couplings are closed: NaN never is, thresholds from both sides, one measure for couplings of any
// size.
#include "engine/model/closure.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <kinetree/compose.hpp>
#include <kinetree/configuration.hpp>
#include <kinetree/load_model.hpp>

#include "io/expect_finding.hpp"
#include "loops/regular_mechanisms.hpp"
#include "model/describe.hpp"

namespace kinetree::test {
namespace closure {

using Eigen::VectorXd;

/// Joints ja and jb, coupled: `first` ja + `second` jb = `offset`.
Description coupled(double first, double second, double offset = 0) {
  Description d = mechanism({body("a", "world"), body("b", "world")});
  d.name = "coupled";
  d.couplings = {{"tie", {{"ja", first}, {"jb", second}}, offset}};
  return d;
}

bool holds(const Model& model, const VectorXd& q, const VectorXd& v) {
  Closure closure(model.data());
  const std::vector<Violation> broken = closure.violations(q.data(), v.data());
  EXPECT_EQ(closure.fault(q.data(), v.data()).ok(), broken.empty());
  return broken.empty();
}

TEST(Closure, WhatIsNoNumberIsNotClosed) {
  for (const Model& model : {make_model("fourbars:1"), make_model(coupled(1, -1))}) {
    Closure closure(model.data());
    for (int k = 0; k < model.nq(); ++k) {
      VectorXd q = neutral(model);
      const Aggregate& a = model.data().aggregates[0];
      EXPECT_LE(closure.opening(a, q.data()), 1e-15);
      q[k] = NAN;
      EXPECT_FALSE(closure.opening(a, q.data()) <= 1e300);
      EXPECT_FALSE(closure.project(a, q.data()) <= 1e300);
      const VectorXd rest = VectorXd::Zero(model.nv());
      EXPECT_FALSE(holds(model, q, rest));
      EXPECT_FALSE(holds(model, neutral(model), VectorXd::Constant(model.nv(), NAN)));
    }
  }
}

/// Squares of such velocities overflow; the measure of |v| must not.
TEST(Closure, FastIsNotClosedForItsSpeed) {
  for (const Model& model : {make_model("fourbars:1"), make_model(coupled(1, -1))}) {
    const VectorXd q = neutral(model);
    for (const double speed : {1.0, 1e150, 1e160, 1e300}) {
      VectorXd v = VectorXd::Zero(model.nv());
      v[0] = speed;
      EXPECT_FALSE(holds(model, q, v)) << speed;
      Closure(model.data()).project_velocity(model.data().aggregates[0], q.data(), v.data());
      EXPECT_TRUE(holds(model, q, v)) << speed;
    }
  }
}

/// The largest violation is the one that is no number, wherever it stands.
TEST(Closure, ANanIsTheLargestViolation) {
  const Model model = make_model("fourbars:2");
  ASSERT_EQ(model.data().aggregates.size(), 2u);
  for (int k = 0; k < model.nq(); ++k) {
    VectorXd q = neutral(model) + VectorXd::Constant(model.nq(), 0.1);
    q[k] = NAN;
    const Status status = Closure(model.data()).fault(q.data(), nullptr);
    EXPECT_TRUE(std::isnan(status.value)) << k;
  }
}

/// A pin on a circle of radius 1 m, and what the same coordinates are in a coupling: 1e-8 m and rad, 1e-8 of 1 + |v|.
TEST(Closure, ThresholdsAreWhereTheyAreSaidToBe) {
  const Description bar = oracle::four_bars(1);
  const Model loop = make_model(bar);
  const Model ratio = make_model(coupled(1, -1));
  for (const double part : {0.9, 1.1}) {
    // the positions: the error of the loop along one joint's turn, and of the coupling
    VectorXd q = neutral(loop), rest = VectorXd::Zero(loop.nv());
    Closure closure(loop.data());
    VectorXd turned = q;
    turned[2] += 1e-6;
    const double lever = closure.opening(loop.data().aggregates[0], turned.data()) / 1e-6;
    ASSERT_GT(lever, 0.01);
    q[2] += part * 1e-8 / lever;
    EXPECT_EQ(holds(loop, q, rest), part < 1);
    VectorXd two = Eigen::Vector2d(0.1, 0.1 + part * 1e-8);  // below 1 rad, of the largest coefficient
    EXPECT_EQ(holds(ratio, two, VectorXd::Zero(2)), part < 1);
    two = Eigen::Vector2d(1e3, 1e3 + part * 2e-5);  // far above, of the sum of both terms
    EXPECT_EQ(holds(ratio, two, VectorXd::Zero(2)), part < 1);
    // the velocities, beside slow and fast ones
    for (const double speed : {0.0, 1e-3, 1.0, 1e3}) {
      VectorXd v = speed * Eigen::Vector2d(1, 1);
      v[1] += part * 1e-8 * (1 + v.norm());
      EXPECT_EQ(holds(ratio, Eigen::Vector2d::Zero(), v), part < 1) << speed;
      VectorXd allowed = VectorXd::Constant(loop.nv(), speed);
      closure.project_velocity(loop.data().aggregates[0], neutral(loop).data(), allowed.data());
      ASSERT_TRUE(holds(loop, neutral(loop), allowed));
      allowed[2] += part * 1e-8 * (1 + allowed.norm()) / lever;
      EXPECT_EQ(holds(loop, neutral(loop), allowed), part < 1) << speed;
    }
  }
}

/// y = x at [0, 1e-17] holds, and so it does multiplied by anything: what counts is how far off a joint is.
TEST(Closure, CouplingsNearZeroAndOfAnySizeAreMeasuredAlike) {
  for (const double size : {1e-9, 1e-3, 1.0, 50.0, 1e9})
    for (const double offset : {0.0, 0.3 * size}) {
      const Model model = make_model(coupled(size, -size, offset));
      const double off = offset / size;
      for (const double x : {0.0, 1e-17, 1e-6, 0.02, 30.0}) {
        const double allowed = 1e-8 * std::max(1.0, std::abs(off) + x + std::abs(x - off));
        for (const double error : {1e-17, 0.9 * allowed, 1.1 * allowed})
          EXPECT_EQ(holds(model, Eigen::Vector2d(x, x - off + error), Eigen::Vector2d::Zero()), error < allowed)
              << size << ", " << x << ", " << error;
        EXPECT_TRUE(holds(model, Eigen::Vector2d(x, x - off), Eigen::Vector2d(2, 2 + 2e-8)));
        EXPECT_FALSE(holds(model, Eigen::Vector2d(x, x - off), Eigen::Vector2d(2, 2 + 5e-8)));
      }
      // loading, and Newton's method, which measure by the same: a joint that has turned ten million times is closed
      VectorXd far = Eigen::Vector2d(6.3e7, 0);
      Closure closure(model.data());
      EXPECT_LE(closure.project(model.data().aggregates[0], far.data()), 1e-15);
    }
}

TEST(Closure, LockingTakesTheSameMeasure) {
  for (const double part : {0.9, 1.1}) {
    const auto locks = [&](const Description& d, const VectorXd& q) {
      const Model model = make_model(d);
      std::vector<JointPositions> joints;
      for (int i = 0; i < model.body_count(); ++i)
        joints.push_back({std::string(model.joint_name(i)), {q[model.q_index(i)]}});
      try {
        (void)locked(d, joints);
        return true;
      } catch (const InputError& e) {
        EXPECT_NE(all(e.findings()).find("it is off by"), std::string::npos) << all(e.findings());
        return false;
      }
    };
    EXPECT_EQ(locks(coupled(1, -1), Eigen::Vector2d(0, part * 1e-8)), part < 1);
    EXPECT_EQ(locks(coupled(1e6, -1e6), Eigen::Vector2d(0, part * 1e-8)), part < 1);
    EXPECT_EQ(locks(coupled(1, -1), Eigen::Vector2d(1e3, 1e3 + part * 2e-5)), part < 1);
    EXPECT_TRUE(locks(coupled(1, -1), Eigen::Vector2d(0, 1e-17)));
    const Description bar = oracle::four_bars(1);
    const Model loop = make_model(bar);
    Closure closure(loop.data());
    VectorXd q = neutral(loop), turned = q;
    turned[2] += 1e-6;
    q[2] += part * 1e-2 / closure.opening(loop.data().aggregates[0], turned.data()) * 1e-12;
    EXPECT_EQ(locks(bar, q), part < 1);
  }
}

/// Joints held while Newton's method closes the others.
TEST(Closure, HeldColumnsStayAsTheyAre) {
  const Model model = make_model("fourbars:1");
  const Aggregate& a = model.data().aggregates[0];
  Closure closure(model.data());
  for (int held = 0; held < a.velocities; ++held) {
    VectorXd q = neutral(model);
    q += 0.01 * VectorXd::LinSpaced(model.nq(), 1, -2);
    const double before = q[held];
    EXPECT_LE(closure.project(a, q.data(), 1e-15, {held}), 1e-14);
    EXPECT_EQ(q[held], before);
  }
}

}  // namespace closure
}  // namespace kinetree::test
