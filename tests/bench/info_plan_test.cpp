// What `kinetree info --plan` says, under calibrations that are made up.
#include "bench/info_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <kinetree/forward_dynamics.hpp>
#include <string>

#include "library/option_words.hpp"

namespace kinetree::bench {
namespace {

Calibration machine(double fork) {
  const SchedulingCost cost{.task = 0, .fork = fork, .thread = fork};
  return {.ab = 0.2, .dial = 0.3, .lanes = {2, 2, 2}, .tbb = cost, .openmp = cost, .team = cost};
}

TEST(InfoPlan, ShowsEveryPlanAndWhyOneIsTaken) {
  const Model tree = make_model("random:600:seed=4");
  for (const double fork : {0.0, 1e9}) {
    const auto json = prediction_json(tree, {.threads = 3}, machine(fork), 8);
    int chosen = 0, threads = 0;
    for (const auto& c : json["candidates"]) {
      EXPECT_GT(c["predicted_ns"].get<double>(), 0);
      EXPECT_DOUBLE_EQ(c["predicted_ns"].get<double>() * c["states_per_second"].get<double>(), 1e9);
      threads = std::max(threads, c["threads"].get<int>());
      if (!c["chosen"].get<bool>()) continue;
      ++chosen;
      EXPECT_EQ(c["plan"], json["chosen"]);
    }
    EXPECT_EQ(chosen, 1);
    EXPECT_EQ(threads, 3);
    const bool shared = json["chosen"].get<std::string>().find("3 threads") != std::string::npos;
    EXPECT_EQ(shared, fork == 0);
    EXPECT_EQ(json["why"].get<std::string>().find("predicted to save ") == 0, shared);
    EXPECT_FALSE(json.contains("overruled"));
    EXPECT_EQ(json, prediction_json(tree, {.threads = 3}, machine(fork), 8)) << "the same again";
  }
}

TEST(InfoPlan, SaysThatOneThreadLeavesNothingToChoose) {
  const Model chain = make_model("chain:7");
  const auto allowed = prediction_json(chain, {}, machine(0), 8),
             there = prediction_json(chain, {.threads = 4}, machine(0), 1);
  for (const auto& json : {allowed, there}) EXPECT_EQ(json["candidates"][0]["chosen"], true);
  EXPECT_EQ(allowed["why"].get<std::string>().find("one thread is allowed"), 0u);
  EXPECT_EQ(there["why"].get<std::string>().find("there is 1 core to use"), 0u);
}

/// Whatever this machine's calibration: on one thread the plan that runs is the one that is marked.
TEST(InfoPlan, MarksThePlanThatRunsOnOneThread) {
  for (const int bodies : {100, 232, 240, 300, 1000}) {
    const Model chain = make_model("chain:" + std::to_string(bodies));
    Calibration odd = machine(0);
    odd.dial = 10 * odd.ab;
    const auto json = prediction_json(chain, {}, odd, 2);
    const auto marked =
        std::ranges::find_if(json["candidates"], [](const auto& c) { return c["chosen"].template get<bool>(); });
    ASSERT_NE(marked, json["candidates"].end());
    EXPECT_EQ((*marked)["algorithm"].get<std::string>(), to_word(ForwardDynamics(chain).plan().algorithm)) << bodies;
  }
}

TEST(InfoPlan, SaysWhereAnAlgorithmWasNamed) {
  const auto json = prediction_json(make_model("chain:7"), {.algorithm = Algorithm::cfa}, machine(0), 2);
  EXPECT_EQ(json["overruled"], "--algorithm cfa is what runs");
}

}  // namespace
}  // namespace kinetree::bench
