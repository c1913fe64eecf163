// Comparisons of results that are made up: the share of false alarms, and whether a slower kernel is found.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "bench/arguments.hpp"
#include "bench/compare/comparison.hpp"
#include "bench/in_process.hpp"

namespace kinetree::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr int compared_cells = 400;

/// A run of so many cases; their times spread by 2 % from run to run and by 1 % within a run.
Json results_by(std::mt19937& random, double slower) {
  std::normal_distribution<double> normal;
  Json cases = Json::array();
  for (int k = 0; k < compared_cells; ++k) {
    const double ns = 1000 * (k + 1) * slower * std::exp(0.02 * normal(random));
    cases.push_back({{"model", "chain:" + std::to_string(k)},
                     {"label", "ab"},
                     {"executor", "serial"},
                     {"threads", 1},
                     {"batch", 1},
                     {"lanes", 1},
                     {"median_ns", ns},
                     {"low_ns", 0.99 * ns},
                     {"high_ns", 1.01 * ns},
                     {"repetitions_ns", std::vector<double>(9, ns)}});
  }
  return {{"context", {{"processor", "P"}, {"compiler", "g++"}}}, {"settings", {{"seed", 1}}}, {"cases", cases}};
}

std::vector<Json> all_results(std::mt19937& random, int count, double slower) {
  std::vector<Json> all;
  for (int k = 0; k < count; ++k) all.push_back(results_by(random, slower));
  return all;
}

double share_that_differs(const Comparison& c) {
  double differ = 0;
  for (const ComparedCase& one : c.cases) differ += one.differs;
  return differ / static_cast<double>(c.cases.size());
}

TEST(Compare, EqualProgramsDifferInOneCaseOfTwentyAtMost) {
  std::mt19937 random(7);
  for (const int a_side : {2, 3, 5}) {
    const Comparison c = compare(all_results(random, a_side, 1), all_results(random, a_side, 1));
    ASSERT_EQ(c.cases.size(), static_cast<std::size_t>(compared_cells));
    EXPECT_LE(share_that_differs(c), 0.07) << a_side << " runs a side";
  }
}

TEST(Compare, AKernelThatIsTenPerCentSlowerIsFound) {
  std::mt19937 random(8);
  const Comparison c = compare(all_results(random, 3, 1), all_results(random, 3, 1.10));
  EXPECT_GE(share_that_differs(c), 0.85);
  double sum = 0;
  for (const ComparedCase& one : c.cases) {
    sum += std::log(one.ratio);
    EXPECT_TRUE(one.low <= one.ratio && one.ratio <= one.high);
  }
  EXPECT_NEAR(std::exp(sum / compared_cells), 1.10, 0.01);
}

TEST(Compare, OneRunASideCountsLargeDifferencesAlone) {
  std::mt19937 random(9);
  EXPECT_LE(share_that_differs(compare(all_results(random, 1, 1), all_results(random, 1, 1))), 0.12);
  EXPECT_EQ(share_that_differs(compare(all_results(random, 1, 1), all_results(random, 1, 1.5))), 1);
}

TEST(Compare, ALostCaseAndAnUnfitRunAreTold) {
  std::mt19937 random(10);
  std::vector<Json> before = all_results(random, 2, 1), after = all_results(random, 2, 1);
  after[1]["cases"].erase(3);
  before[0]["fitness"] = {{"fit", false}, {"sentence", "Not fit to be read: noise."}};
  const Comparison c = compare(before, after);
  EXPECT_EQ(c.left_out, std::vector<std::string>{"chain:3 ab, serial threads 1, batch 1, lanes 1"});
  EXPECT_EQ(c.unfit, std::vector<std::string>{"run 1 before: Not fit to be read: noise."});
  EXPECT_TRUE(c.conflicts.empty());
}

TEST(Compare, DifferentMachinesAreRefusedUnlessForced) {
  std::mt19937 random(11);
  Json a = results_by(random, 1), b = results_by(random, 1);
  b["context"]["processor"] = "Q";
  const TemporaryFile first("a.json", a.dump()), second("b.json", b.dump()), wrong("c.json", "{}");
  const Ended refused = command({"compare", first.path(), second.path()});
  EXPECT_EQ(refused.status, wrong_input);
  EXPECT_NE(refused.err.find("processor is \"P\" and \"Q\""), std::string::npos) << refused.err;
  const Ended forced = command({"compare", first.path(), second.path(), "--force"});
  EXPECT_EQ(forced.status, done) << forced.err;
  EXPECT_NE(forced.out.find("400 cases, one run a side"), std::string::npos) << forced.out;
  EXPECT_EQ(command({"compare", first.path()}).status, wrong_usage);
  EXPECT_EQ(command({"compare", first.path(), "--before", first.path(), "--after", first.path()}).status, wrong_usage);
  EXPECT_NE(command({"compare", first.path(), wrong.path()}).err.find("has no `context`"), std::string::npos);
  EXPECT_EQ(command({"compare", first.path(), "no_such_folder"}).status, wrong_input);
}

}  // namespace
}  // namespace kinetree::bench
