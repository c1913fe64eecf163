// The states that are timed are valid and repeatable.

#include <gtest/gtest.h>

#include <kinetree/kinetree.hpp>

#include "bench/sweep/cases.hpp"
#include "bench/sweep/random_states.hpp"
#include "engine/model/closure.hpp"

namespace kinetree::bench {
namespace {

TEST(RandomStates, FewerStatesAreAPrefixOfMore) {
  const Model model = make_model("random:30:seed=2", {.floating_base = true});
  const StateSet few = random_states(model, 2, 5), many = random_states(model, 9, 5);
  EXPECT_EQ(few.q, many.q.leftCols(2));
  EXPECT_EQ(few.tau, many.tau.leftCols(2));
  EXPECT_NE(random_states(model, 2, 6).q, few.q);
}

TEST(RandomStates, EveryJointTypeIsAccepted) {
  const Model model = make_model("random:120:seed=4", {.floating_base = true});
  const StateSet states = random_states(model, 3, 1);
  ForwardDynamics dynamics(model, {.algorithm = Algorithm::ab});
  Eigen::MatrixXd a(model.nv(), 3);
  EXPECT_TRUE(dynamics.solve(states.q, states.v, states.tau, a).ok());
}

/// States of models with loops and gears hold them, and are as spread as their independent joints can be.
TEST(RandomStates, HoldLoopsAndCouplings) {
  for (const char* family : {"geared:6", "fourbars:5"}) {
    const Model model = make_model(family);
    Closure closure(model.data());
    const StateSet states = random_states(model, 50, 3), more = random_states(model, 51, 3);
    EXPECT_EQ(states.q, more.q.leftCols(50)) << "fewer states are a prefix of more";
    Eigen::VectorXd furthest = Eigen::VectorXd::Zero(model.nq());
    for (Eigen::Index c = 0; c < 50; ++c) {
      const auto broken = closure.violations(states.q.col(c).data(), states.v.col(c).data());
      EXPECT_TRUE(broken.empty()) << family << " " << c << ": " << broken.front().constraint << " "
                                  << broken.front().amount;
      furthest = furthest.cwiseMax(states.q.col(c).cwiseAbs());
    }
    for (int b = 0; b < model.body_count(); ++b) {
      const std::string_view name = model.joint_name(b);
      if (name.starts_with("coupler") || name.starts_with("rocker")) continue;
      EXPECT_GT(furthest[b], 2) << name;
    }
    ForwardDynamics dynamics(model, {.algorithm = Algorithm::ab});
    Eigen::MatrixXd a(model.nv(), 50);
    EXPECT_TRUE(dynamics.solve(states.q, states.v, states.tau, a).ok()) << family;
  }
}

TEST(Labels, NameTheAlgorithmAndWhatIsNotDefault) {
  EXPECT_EQ(algorithm_label({.algorithm = Algorithm::ab}), "ab");
  EXPECT_EQ(algorithm_label({.algorithm = Algorithm::ab, .limbs = 4, .grain = 32}), "ab:32 limbs:4");
  EXPECT_EQ(algorithm_label({.algorithm = Algorithm::crb, .factorization = Factorization::dense}), "crb dense");
  EXPECT_EQ(algorithm_label({.algorithm = Algorithm::modular, .grain = 8, .cuts = Cuts::main, .refinements = 0}),
            "modular:8 main +0");
}

TEST(Labels, Families) {
  EXPECT_EQ(family_of("chain:64"), "chain");
  EXPECT_EQ(family_of("tree:2x5"), "tree:2x");
  EXPECT_EQ(family_of("random:50:seed=3"), "random");
  EXPECT_EQ(family_of("random:50:seed=3:joints=mixed"), "random");
  EXPECT_EQ(family_of("geared:12"), "geared");
  EXPECT_EQ(family_of("geared:12:rotors=none"), "geared:rotors=none");
}

}  // namespace
}  // namespace kinetree::bench
