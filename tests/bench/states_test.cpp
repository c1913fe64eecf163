// The states that are timed are valid and repeatable.

#include <gtest/gtest.h>

#include <kinetree/kinetree.hpp>

#include "bench/sweep/cases.hpp"
#include "bench/sweep/random_states.hpp"

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

TEST(Labels, NameTheAlgorithmAndWhatIsNotDefault) {
  EXPECT_EQ(algorithm_label({.algorithm = Algorithm::ab}), "ab");
  EXPECT_EQ(algorithm_label({.algorithm = Algorithm::crb, .factorization = Factorization::dense}), "crb dense");
  EXPECT_EQ(algorithm_label({.algorithm = Algorithm::modular, .grain = 8, .cuts = Cuts::main, .corrections = 0}),
            "modular:8 main +0");
}

TEST(Labels, Families) {
  EXPECT_EQ(family_of("chain:64"), "chain");
  EXPECT_EQ(family_of("tree:2x5"), "tree:2x");
  EXPECT_EQ(family_of("random:50:seed=3"), "random");
}

}  // namespace
}  // namespace kinetree::bench
