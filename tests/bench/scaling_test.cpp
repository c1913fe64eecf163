// Efficiency, cost, serial fraction, weak efficiency and isoefficiency, of results that are made up so that each is
// known in closed form.
#include "bench/sweep/scaling.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <kinetree/kinetree.hpp>
#include <regex>
#include <sstream>

#include "bench/sweep/isoefficiency.hpp"
#include "bench/sweep/prediction.hpp"
#include "bench/sweep/write_results.hpp"

namespace kinetree::bench {
namespace {

/// Results of these families, no case yet.
SweepResults results_of(std::initializer_list<const char*> families) {
  SweepResults r;
  for (const char* name : families) {
    ModelEntry entry;
    entry.name = entry.source = name, entry.is_family = true;
    r.models.push_back({entry, make_model(name), "chain"});
  }
  return r;
}

/// A case of `ns` on median, from 2 % below to 2 % above.
CaseResult& put_timing(SweepResults& r, std::size_t model, int threads, double ns, int batch = 1) {
  CaseResult c;
  c.what.model = model, c.what.batch = batch, c.what.time = true, c.what.kinds = {ScalingKind::size};
  c.what.options = {.algorithm = Algorithm::modular, .threads = threads};
  for (int k = -4; k <= 4; ++k) c.ns.push_back(ns * (1 + 0.005 * k));
  c.time = median_interval(c.ns), c.holds = true;
  return r.cases.emplace_back(std::move(c));
}

TEST(Scaling, EfficiencyAndCostFollowFromTheSpeedup) {
  SweepResults r = results_of({"chain:64"});
  put_timing(r, 0, 1, 100), put_timing(r, 0, 4, 50);
  find_scaling(r);
  const CaseResult& c = r.cases[1];
  EXPECT_DOUBLE_EQ(efficiency(c)->value, 0.5);
  EXPECT_DOUBLE_EQ(efficiency(c)->low, c.speedup.low / 4);
  EXPECT_DOUBLE_EQ(efficiency(c)->high, c.speedup.high / 4);
  EXPECT_DOUBLE_EQ(cost_ns(c), 200);
  EXPECT_DOUBLE_EQ(efficiency(r.cases[0])->value, 1);
  EXPECT_FALSE(serial_fraction(r.cases[0]).has_value()) << "one thread has no serial fraction";
}

TEST(Scaling, TheSerialFractionOfAmdahlsLawIsItsOwn) {  // T_P = T_1 (f + (1 - f) / P)
  const double f = 0.15;
  SweepResults r = results_of({"chain:64"});
  put_timing(r, 0, 1, 1000);
  for (const int threads : {2, 3, 8, 64}) put_timing(r, 0, threads, 1000 * (f + (1 - f) / threads));
  find_scaling(r);
  for (std::size_t k = 1; k < r.cases.size(); ++k) {
    const Ratio e = *serial_fraction(r.cases[k]);
    EXPECT_NEAR(e.value, f, 1e-12);
    EXPECT_LT(e.low, f);
    EXPECT_GT(e.high, f);
    EXPECT_NEAR(e.low,
                (1 / r.cases[k].speedup.high - 1.0 / r.cases[k].what.options.threads) /
                    (1 - 1.0 / r.cases[k].what.options.threads),
                1e-12)
        << "the fastest end has the least serial work";
  }
}

TEST(Scaling, CountsThreadsThatRan) {
  SweepResults r = results_of({"chain:64"});
  put_timing(r, 0, 1, 100);
  CaseResult& c = put_timing(r, 0, 4, 50);
  c.plan = Plan(Algorithm::modular), c.plan->executor = ExecutorKind::team, c.plan->one_threads = 2;
  find_scaling(r);
  EXPECT_EQ(threads_run(r.cases[1]), 2);
  EXPECT_DOUBLE_EQ(efficiency(r.cases[1])->value, 1);
  EXPECT_DOUBLE_EQ(cost_ns(r.cases[1]), 100);
  EXPECT_DOUBLE_EQ(serial_fraction(r.cases[1])->value, 0);
}

TEST(Scaling, WeakEfficiencyIsOfTheTimeOfOneShare) {
  SweepResults r = results_of({"chain:64", "chain:256"});
  put_timing(r, 0, 1, 900), put_timing(r, 0, 1, 1000),
      put_timing(r, 1, 4, 1200).what.weak = {{ScalingKind::weak_bodies, 0, 1}};
  put_timing(r, 0, 1, 100, 16), put_timing(r, 0, 4, 31.25, 64).what.weak = {{ScalingKind::weak_states, 0, 16}};
  find_scaling(r);
  ASSERT_EQ(r.cases[2].weak.size(), 1U);
  EXPECT_EQ(r.cases[2].weak[0].serial, 0U) << "the fastest serial one";
  EXPECT_DOUBLE_EQ(r.cases[2].weak[0].efficiency.value, 0.75) << "900 ns of 1200";
  EXPECT_FALSE(r.cases[2].serial.has_value()) << "no serial time of four times the bodies";
  ASSERT_EQ(r.cases[4].weak.size(), 1U);
  EXPECT_DOUBLE_EQ(r.cases[4].weak[0].efficiency.value, 0.8) << "16 states in 1600 ns, 64 on four threads in 2000";
}

TEST(Scaling, WeakEfficiencyOfSizesThatAreNotQuiteProportional) {
  SweepResults r = results_of({"tree:2x5", "tree:2x6"});
  put_timing(r, 0, 1, 31), put_timing(r, 1, 2, 31.5).what.weak = {{ScalingKind::weak_bodies, 0, 1}};
  find_scaling(r);
  EXPECT_DOUBLE_EQ(r.cases[1].weak[0].efficiency.value, 1) << "63 bodies of half a ns each on two threads";
}

TEST(Scaling, NamesTheAlgorithmOfTheSerialTime) {
  SweepResults r = results_of({"chain:64"});
  put_timing(r, 0, 1, 100);
  EXPECT_EQ(algorithm_words(r.cases[0]), "modular");
  r.cases[0].what.options.algorithm = Algorithm::automatic, r.cases[0].plan = Plan(Algorithm::ab);
  EXPECT_EQ(algorithm_words(r.cases[0]), "automatic: ab");
}

TEST(Scaling, StandsInTheFiles) {
  SweepResults r = results_of({"chain:64"});
  put_timing(r, 0, 1, 100), put_timing(r, 0, 4, 50).what.weak = {{ScalingKind::weak_states, 0, 1}};
  find_scaling(r);
  const nlohmann::ordered_json json = results_json(r, {}), &c = json["cases"][1];
  EXPECT_EQ(c["kinds"][0], "size");
  EXPECT_EQ(c["serial_ns"], 100);
  EXPECT_EQ(c["efficiency"], 0.5);
  EXPECT_EQ(c["cost_ns"], 200);
  EXPECT_NEAR(c["serial_fraction"], 1. / 3, 1e-12);
  EXPECT_EQ(c["weak"][0]["of"], "chain:64");
  EXPECT_EQ(c["weak"][0]["efficiency"], 0.5);
  const std::string csv = results_csv(r, {});
  EXPECT_NE(csv.find(",2e+07,2,1.941,2.061,\"modular\",100,0.5,0.4852,0.5152,200,0.3333,0.3136,0.3536,,,,0.5,"),
            std::string::npos)
      << csv;
}

TEST(Scaling, EveryColumnIsDocumented) {
  std::ifstream file(std::filesystem::path(KINETREE_MODELS).parent_path().parent_path() / "docs" / "using.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::size_t begin = page.find("| column | meaning |"), end = page.find("\n\n", begin);
  ASSERT_NE(begin, std::string::npos);
  const std::string rows = page.substr(begin, end - begin), csv = results_csv({}, {});
  std::istringstream columns(csv.substr(0, csv.find('\n')));
  int seen = 0;
  for (std::string column; std::getline(columns, column, ','); ++seen)
    EXPECT_NE(rows.find("`" + column + "`"), std::string::npos) << column;
  EXPECT_GT(seen, 50);
}

TEST(Isoefficiency, IsExactWhereTheOverheadIsAPowerOfTheSize) {
  const auto with = [](double power) {  // 1 / E - 1 = (n0 / n)^power
    std::vector<std::pair<double, double>> all;
    for (double n = 4; n < 1e5; n *= 2) all.emplace_back(n, 1 / (1 + std::pow(3000 / n, power)));
    return all;
  };
  EXPECT_NEAR(*size_for(0.5, with(1)), 3000, 1e-6);
  EXPECT_NEAR(*size_for(0.5, with(0.5)), 3000, 1e-6);
  EXPECT_NEAR(*size_for(0.8, with(1)), 4 * 3000, 1e-6);
  EXPECT_NEAR(*size_for(0.8, with(2)), 2 * 3000, 1e-6);
}

TEST(Isoefficiency, IsTheSizeFromWhichOnAllLargerOnesHaveIt) {
  EXPECT_FALSE(size_for(0.5, {}).has_value());
  EXPECT_FALSE(size_for(0.5, {{1, 0.9}, {2, 0.4}}).has_value()) << "the largest has it not";
  EXPECT_EQ(size_for(0.5, {{1, 0.6}, {2, 0.7}}), 1);
  const auto later = size_for(0.5, {{1, 0.6}, {2, 0.4}, {4, 0.6}, {8, 0.7}});
  ASSERT_TRUE(later.has_value());
  EXPECT_GT(*later, 2);
  EXPECT_LT(*later, 4);
  EXPECT_EQ(size_for(0.5, {{1, 0.4}, {2, 1.2}}), 2) << "faster than P times: no overhead to draw a line by";
}

/// On two threads chain:16 has an efficiency of 0.3, chain:64 one that may be more than half or less, chain:256 of 0.9.
SweepResults three_sizes() {
  SweepResults r = results_of({"chain:16", "chain:64", "chain:256"});
  const double efficiencies[] = {0.3, 0.5, 0.9};
  for (std::size_t m = 0; m < 3; ++m) put_timing(r, m, 1, 1000), put_timing(r, m, 2, 1000 / (2 * efficiencies[m]));
  find_scaling(r);
  return r;
}

TEST(Isoefficiency, OfTimingsIsAsSureAsTheirIntervals) {
  SweepResults r = three_sizes();
  std::vector<Isoefficiency> all = isoefficiencies(r);
  ASSERT_EQ(all.size(), 2U) << "half and a quarter";
  EXPECT_EQ(all[0].sentence, "For half efficiency chain:N needs between 16 and 256 bodies on 2 threads (measured).")
      << "there is no calibration to predict by";
  EXPECT_EQ(all[1].sentence, "For a quarter efficiency chain:N needs at most 16 bodies on 2 threads (measured).");
  r.cases[5].holds = false;
  EXPECT_EQ(isoefficiencies(r)[0].sentence,
            "For half efficiency chain:N needs more than 16 bodies on 2 threads (measured).");
  r.cases[0].holds = false;
  all = isoefficiencies(r);
  ASSERT_EQ(all.size(), 1U) << "chain:64 has a quarter, and half or not; the others are over a time that does not hold";
  EXPECT_EQ(all[0].efficiency, 0.25);
}

TEST(Isoefficiency, ATimingThatDoesNotHoldMayBeTheFastest) {
  SweepResults r = three_sizes();
  put_timing(r, 0, 2, 600).holds = false;  // chain:16 with an efficiency of 0.83, or not
  find_scaling(r);
  EXPECT_EQ(isoefficiencies(r)[0].sentence,
            "For half efficiency chain:N needs at most 256 bodies on 2 threads (measured).");
}

TEST(Isoefficiency, OfMoreThreadsThanCoresIsNotMeasured) {
  SweepResults r = three_sizes();
  for (CaseResult& c : r.cases)
    if (c.what.options.threads == 2) c.machine.assign(9, 1.1);
  EXPECT_TRUE(isoefficiencies(r).empty());
}

TEST(Isoefficiency, InWords) {
  SweepResults r = three_sizes();
  put_timing(r, 0, 1, 1000), put_timing(r, 0, 4, 1000);  // chain:16 with an efficiency of a quarter
  find_scaling(r);
  r.calibration.emplace();
  r.calibration->ab = r.calibration->dial = 1, r.calibration->cache = 0;
  r.calibration->team = {.task = 0, .fork = 1e9, .thread = 0, .meet = 0, .efficiency = 1};
  EXPECT_EQ(isoefficiencies(r)[0].sentence,
            "For half efficiency chain:N needs larger sizes (predicted for team; on 2 threads 32,770 bodies do not "
            "suffice), and between 16 and 256 bodies on 2 threads and more than 16 on 4 (measured).");
}

TEST(Isoefficiency, OfCasesWithoutAKindIsNotAsked) {
  SweepResults r = three_sizes();
  for (CaseResult& c : r.cases) c.what.kinds.clear();
  EXPECT_TRUE(isoefficiencies(r).empty());
}

TEST(Isoefficiency, OfTreesIsPredictedUpToAsManyBodies) {
  SweepResults r = results_of({"tree:2x3"});
  put_timing(r, 0, 1, 1000);
  find_scaling(r);
  r.calibration.emplace();
  r.calibration->ab = r.calibration->dial = 1, r.calibration->cache = 0;
  r.calibration->team = {.task = 0, .fork = 1e9, .thread = 0, .meet = 0, .efficiency = 1};
  const std::vector<Isoefficiency> all = isoefficiencies(r);
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all[0].sentence,
            "For half efficiency tree:2xN needs larger sizes (predicted for team; on 2 threads 32,770 bodies do not "
            "suffice).")
      << "tree:2x15: each level doubles the bodies, and threads that cost a second never pay";
}

TEST(Isoefficiency, IsPredictedByTheMachineModel) {
  SweepResults r = three_sizes();
  r.calibration.emplace();
  r.calibration->ab = 1, r.calibration->dial = 0.8, r.calibration->cache = 0;
  r.calibration->team = {.task = 0, .fork = 1000, .thread = 100, .meet = 200, .efficiency = 1};
  const std::vector<Isoefficiency> all = isoefficiencies(r);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_NE(all[0].sentence.find("bodies do not suffice"), std::string::npos)
      << "modules take longer than ab: half is out of reach";
  const std::string predicted = all[1].sentence.substr(0, all[1].sentence.find('('));
  const std::regex item("([0-9,]+) (?:bodies )?on ([0-9]+)");
  int before = 0, seen = 0;
  for (std::sregex_iterator it(predicted.begin(), predicted.end(), item), end; it != end; ++it, ++seen) {
    std::string digits = (*it)[1];
    std::erase(digits, ',');
    const int bodies = std::stoi(digits), threads = std::stoi((*it)[2]);
    EXPECT_GE(bodies, before) << "more threads need no fewer bodies";
    if (threads > 2) before = bodies;  // where two gain at all they are half used
    const auto times = predicted_times(make_model("chain:" + digits), ExecutorKind::team, *r.calibration, {1, threads});
    const double speedup = times[0].fastest().ns / times[1].fastest().ns;
    EXPECT_GT(speedup, 1) << "one thread that runs all does not count, " << threads;
    if (threads > 4)
      EXPECT_NEAR(speedup / threads, 0.25, 0.05) << threads;
    else
      EXPECT_LT(speedup / threads, 0.75) << threads;
  }
  EXPECT_EQ(seen, 6) << "2 to 64 threads: " << all[1].sentence;
}

}  // namespace
}  // namespace kinetree::bench
