// Plans that an earlier run printed, run again.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/plan_json.hpp"
#include "tests/bench/in_process.hpp"

namespace kinetree::bench {
namespace {

TEST(Replay, EveryMemberOfAPlanIsReadBack) {
  std::vector<Plan> plans{Plan(Algorithm::ab), Plan(Algorithm::crb), Plan(Algorithm::cfa), Plan(Algorithm::modular)};
  plans[0].loops = Loops::multipliers, plans[0].batch_loops = Loops::embed, plans[0].lanes = 4;
  plans[1].factorization = Factorization::dense, plans[1].executor = ExecutorKind::openmp;
  plans[2].grain = 1, plans[2].refinements = 3, plans[2].cuts = Cuts::main, plans[2].batch_threads = 3;
  plans[2].batch_from = 7;
  plans[3].grain = 5, plans[3].elimination = Elimination::leaves_first, plans[3].formulation = Formulation::literal;
  plans[3].limbs = 2, plans[3].end_chains = 4, plans[3].one_threads = 9, plans[3].executor = ExecutorKind::team;
  plans[3].pinning = Pinning::cores, plans[3].batch_algorithm = Algorithm::ab;
  plans.emplace_back(Algorithm::ab);
  plans.back().limbs = 4, plans.back().grain = 16, plans.back().one_threads = 3;
  for (const Plan& plan : plans) {
    const std::string text = plan_json(plan).dump();
    EXPECT_TRUE(plan_from_json(text, "plan.json") == plan) << text;
    EXPECT_TRUE(plan_from_json(R"({"plan": )" + text + "}", "plan.json") == plan) << text;
  }
}

TEST(Replay, GivesTheBitsOfTheRunThatPrintedThePlan) {
  const TemporaryFile states("replay_states.json", R"({"states": [{"q": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]}]})");
  const Ended first =
      command({"solve", "chain:8", "--states", states.path(), "--algorithm", "modular", "--grain", "3"});
  ASSERT_EQ(first.status, 0) << first.err;
  const TemporaryFile printed("replay_printed.json", first.out);
  const Ended again = command({"solve", "chain:8", "--states", states.path(), "--replay", printed.path()});
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(again.out, first.out);
  const auto json = nlohmann::json::parse(again.out);
  EXPECT_EQ(json["plan"]["grain"], 3);
}

TEST(Replay, FaultsOfAPlanAreAllToldAndNameTheFile) {
  const TemporaryFile states("replay_any.json", R"({"states": []})");
  const TemporaryFile wrong("replay_wrong.json",
                            R"({"plan": {"algorithm": "abc", "grain": -1, "speed": 3, "lanes": 1.5}})");
  const Ended outcome = command({"solve", "chain:2", "--states", states.path(), "--replay", wrong.path()});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "");
  for (const char* text : {"algorithm is \"abc\"; give one of automatic, ab", "grain is -1; give a whole number",
                           "unknown key \"speed\"; known are algorithm", "lanes is 1.5", wrong.path()})
    EXPECT_NE(outcome.err.find(text), std::string::npos) << text << "\n" << outcome.err;
}

TEST(Replay, APlanThatLeavesAChoiceOpenIsWrongUsage) {
  const TemporaryFile states("replay_any.json", R"({"states": []})");
  const TemporaryFile open("replay_open.json", R"({"algorithm": "modular"})");
  const Ended outcome = command({"solve", "chain:2", "--states", states.path(), "--replay", open.path()});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("grain is 0, which leaves it open"), std::string::npos) << outcome.err;
}

TEST(Replay, OptionsBesideAPlanAreWrongUsage) {
  const Ended outcome =
      command({"solve", "chain:2", "--states", "none.json", "--replay", "none.json", "--threads", "2"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("--threads has no effect with --replay"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace kinetree::bench
