// Runs end where a body branches, where a joint does more than turn, and where a third screw places it.
#include "engine/model/turn_runs.hpp"

#include <gtest/gtest.h>

#include <kinetree/model.hpp>
#include <string>

namespace kinetree {
namespace {

/// A digit per body: its run's first body; '-' where it is in none.
std::string runs(const std::string& family, bool floating = false) {
  const Model model = make_model(family, {.floating_base = floating});
  std::string text;
  for (const Range& run : turn_runs(model.data())) {
    text += run.end > run.begin ? static_cast<char>('0' + run.begin) : '-';
    EXPECT_LE(run.end, model.body_count());
  }
  return text;
}

TEST(TurnRuns, EndWhereABodyBranches) {
  EXPECT_EQ(runs("chain:5"), "00000");
  EXPECT_EQ(runs("star:2x3"), "000333");
  EXPECT_EQ(runs("tree:2x3"), "0123456") << "every other body has two children";
}

TEST(TurnRuns, HoldJointsThatOnlyTurn) {
  EXPECT_EQ(runs("chain:4:joints=spherical"), "----");
  EXPECT_EQ(runs("chain:4:joints=prismatic"), "----");
  EXPECT_EQ(runs("chain:4", true).substr(0, 1), "-") << "a floating joint";
  EXPECT_EQ(runs("chain:4", true).substr(1), "111");
  EXPECT_EQ(runs("fourbars:1").find_first_not_of('-'), std::string::npos) << "aggregates";
}

}  // namespace
}  // namespace kinetree
