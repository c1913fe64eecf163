// A whole small sweep: what is timed is checked, what is wrong is refused, what is written reads back.

#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <cmath>

#include "bench/report/report.hpp"
#include "bench/sweep/results.hpp"
#include "bench/sweep/scaling.hpp"
#include "bench/sweep/timing.hpp"
#include "bench/sweep/write_results.hpp"
#include "engine/algorithm/lanes/instruction_set.hpp"
#include "parallel/processors.hpp"

namespace kinetree::bench {
namespace {

SweepResults swept(const std::string& settings, const std::string& run) {
  SweepInput reading =
      read_sweep_text("repetitions: 3\nseconds: 1e-5\nstates: 4\n" + settings + "runs:\n" + run, "s.yaml", ".");
  EXPECT_TRUE(reading.findings.empty());
  SweepResults results = prepare_sweep(reading.sweep, reading.findings);
  measure(results);
  EXPECT_TRUE(reading.findings.empty());
  return results;
}

const std::string small =
    "  - {name: a, models: [chain:6, \"tree:2x3\"], algorithms: [ab, crb, cfa, {algorithm: modular, grain: 2}], "
    "threads: [1, 2], count: true}\n";

/// Where the time is over, the fewest rounds are made, and from the second on as short as can be.
TEST(Timing, EndsEarlyWhereTimeRunsOut) {
  for (const bool late : {false, true}) {
    int made = 0, rounds = 0;
    std::vector<TimedCall> calls{{"a", [&] { return ++made > 0; }, 100}};
    Rounds all{7};
    if (late) all.until = std::chrono::steady_clock::now();
    const auto timings = time_interleaved(
        calls, all, [] { return false; }, [&](std::size_t) { ++rounds; });
    EXPECT_EQ(rounds, late ? fewest_repetitions : 7);
    EXPECT_EQ(timings[0].ns.size(), static_cast<std::size_t>(rounds));
    EXPECT_EQ(made, late ? 101 + (fewest_repetitions - 1) * 2 : 7 * 101) << "one of them to warm up";
    EXPECT_EQ(calls[0].iterations, late ? 1 : 100);
  }
}

TEST(RunSweep, TimesChecksAndCounts) {
  const SweepResults results = swept("", small);
  ASSERT_EQ(results.cases.size(), 16u);
  for (const CaseResult& c : results.cases) {
    EXPECT_EQ(c.failure, "");
    EXPECT_EQ(c.ns.size(), 3u);
    ASSERT_TRUE(c.check.has_value());
    EXPECT_LE(c.check->error, 1e-12);
    EXPECT_LE(c.check->residual, 1e-12);
    EXPECT_GT(c.speedup.value, 0);
    EXPECT_EQ(c.work.has_value(), c.what.options.threads == 1);
    EXPECT_EQ(c.machine.size(), c.what.options.threads == 1 ? 0u : 3u) << "after each repetition on several threads";
    EXPECT_EQ(c.line_transfer.size(), c.machine.size());
    EXPECT_EQ(c.predicted_ns.has_value(),
              c.what.options.algorithm != Algorithm::crb && c.what.options.threads <= physical_cores());
    for (const double gives : c.machine) EXPECT_TRUE(gives > 0 && std::isfinite(gives)) << gives;
  }
}

TEST(RunSweep, LoopsAreEmbeddedOrHeldByMultipliers) {
  const SweepResults results =
      swept("",
            "  - {models: [\"geared:3\", \"geared:3:rotors=none\", \"fourbars:2\"], "
            "algorithms: [{algorithm: ab, loops: [embed, multipliers]}, crb, cfa], count: true}\n");
  ASSERT_EQ(results.cases.size(), 4u + 3u + 4u) << "without loops the two ways are one case";
  for (const CaseResult& c : results.cases) {
    EXPECT_EQ(c.failure, "");
    ASSERT_TRUE(c.check.has_value());
    EXPECT_LE(c.check->error, 1e-9);
    EXPECT_LE(c.check->residual, 1e-9);
  }
  EXPECT_LT(results.cases[0].work->counts.total(), results.cases[1].work->counts.total());
  const nlohmann::ordered_json json = results_json(results, {});
  EXPECT_EQ(json["cases"][0]["loops"], "embed");
  EXPECT_EQ(json["cases"][1]["loops"], "multipliers");
  EXPECT_EQ(json["cases"][1]["label"], "ab multipliers");
  const std::string csv = results_csv(results, {});
  EXPECT_NE(csv.find(",loops,"), std::string::npos);
  EXPECT_NE(csv.find(",multipliers,serial,"), std::string::npos);
}

TEST(RunSweep, RefusesAnswersBeyondTheTolerance) {
  const SweepResults results = swept("tolerance: 0\n", small);
  int refused = 0;
  for (const CaseResult& c : results.cases) {
    refused += c.failure.find("answers are wrong") != std::string::npos;
    EXPECT_EQ(c.ns.empty(), !c.failure.empty());
  }
  EXPECT_GT(refused, 0);
}

TEST(RunSweep, EqualCasesOfSeveralRunsAreOne) {
  const SweepResults results = swept(
      "", small + small +
              "  - {name: b, models: [chain:6], algorithms: [ab], executors: [serial, openmp], threads: [1, 2]}\n");
  EXPECT_EQ(results.cases.size(), 17u);
}

TEST(RunSweep, BatchesAreTimedPerState) {
  const SweepResults results = swept("", "  - {models: [chain:6], algorithms: [ab], threads: [1, 2], batch: [8]}\n");
  ASSERT_EQ(results.cases.size(), 2u);
  for (const CaseResult& c : results.cases) {
    EXPECT_EQ(c.failure, "");
    EXPECT_GT(c.time.median, 0);
  }
}

TEST(RunSweep, LanesThatAModelHasNotAreDropped) {
  const int lanes = lane_width(instruction_set());
  if (lanes == 1) GTEST_SKIP() << "this build has no packs";
  const SweepResults results =
      swept("", "  - {models: [chain:6, \"fourbars:1\"], algorithms: [ab, crb], batch: 8, lanes: [1, " +
                    std::to_string(lanes) + "]}\n");
  ASSERT_EQ(results.cases.size(), 4u + 3u) << "crb takes a four-bar's states one by one";
  for (const CaseResult& c : results.cases) {
    EXPECT_EQ(c.failure, "");
    ASSERT_TRUE(c.plan.has_value());
    EXPECT_EQ(c.plan->lanes, c.what.options.lanes);
  }
}

/// oneTBB gives no more threads than it is allowed.
TEST(RunSweep, SaysHowManyThreadsRan) {
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism, 2);
  const SweepResults results = swept("",
                                     "  - {models: [chain:40], algorithms: [ab, {algorithm: modular, grain: 5}], "
                                     "executors: [tbb, openmp], threads: [1, 4]}\n");
  ASSERT_EQ(results.cases.size(), 6u);
  const nlohmann::ordered_json json = results_json(results, {});
  for (const auto& c : json["cases"]) {
    const int run = c["executor"] == "tbb" ? 2 : c["threads"].get<int>();
    EXPECT_EQ(c["threads_run"], run) << c["executor"] << " on " << c["threads"];
  }
  EXPECT_NE(results_csv(results, {}).find(",tbb,4,1,2,"), std::string::npos);
}

TEST(RunSweep, ModulesAreThoseOfInfo) {
  const SweepResults results = swept("", "  - {models: [chain:256, chain:100], algorithms: [automatic]}\n");
  ASSERT_EQ(results.cases.size(), 2u);
  for (const CaseResult& c : results.cases) {
    ASSERT_TRUE(c.plan.has_value());
    const int modules = c.plan->end_chains;
    const int bodies = results.models[c.what.model].model.body_count();
    const int rest = modules > 1 && bodies > modules * c.plan->grain ? 1 : 0;
    EXPECT_EQ(c.modules, modules + rest) << "one of each chain goes with its like side by side";
    EXPECT_EQ(c.cut_joints, modules > 1 ? modules : 0);
  }
}

TEST(RunSweep, MissingOptionalModelsAreSaidOnce) {
  const SweepResults results =
      swept("", "  - {models: [chain:2, {model: no.urdf, optional: true}], algorithms: [ab, crb]}\n");
  EXPECT_EQ(results.notes.size(), 1u);
  EXPECT_EQ(results.cases.size(), 2u);
}

TEST(RunSweep, WritesWhatReadsBack) {
  const SweepResults results = swept("", small);
  const nlohmann::ordered_json json = results_json(results, {{"date", "today"}});
  EXPECT_EQ(json["cases"].size(), results.cases.size());
  EXPECT_EQ(json["cases"][0]["median_ns"].get<double>(), results.cases[0].time.median);
  for (const auto& c : json["cases"]) {
    EXPECT_EQ(c.contains("machine_gives"), c["threads"] > 1);
    EXPECT_EQ(c.contains("line_transfer_ns"), c["threads"] > 1 && physical_cores() > 1);
  }
  const std::string csv = results_csv(results, {});
  const auto head_end = csv.find('\n');
  const auto columns = std::count(csv.begin(), csv.begin() + static_cast<std::ptrdiff_t>(head_end), ',');
  for (std::size_t at = head_end + 1; at < csv.size();) {
    const std::size_t end = csv.find('\n', at);
    EXPECT_EQ(
        std::count(csv.begin() + static_cast<std::ptrdiff_t>(at), csv.begin() + static_cast<std::ptrdiff_t>(end), ','),
        columns);
    at = end + 1;
  }
}

TEST(RunSweep, ThePageHoldsItsDataAndNothingFromANetwork) {
  nlohmann::ordered_json json = results_json(swept("", small), {{"date", "</script><script>alert(1)"}});
  const std::string page = report_page(json);
  EXPECT_EQ(page.find("{{"), std::string::npos);
  EXPECT_EQ(page.find("</script><script>alert"), std::string::npos);
  EXPECT_EQ(page.find("src=\"http"), std::string::npos);
  EXPECT_NE(page.find("\"chain:6\""), std::string::npos);
}

TEST(FindSpeedups, AreOverTheFastestSerialOfTheSameModelAndBatch) {
  SweepResults results;
  const auto add = [&](std::size_t model, Algorithm algorithm, int threads, int batch, double ns) {
    CaseResult c;
    c.what = {model, {.algorithm = algorithm, .threads = threads}, batch, true, false, {}};
    c.ns = {ns};
    c.time = median_interval(c.ns);
    results.cases.push_back(c);
  };
  add(0, Algorithm::crb, 1, 1, 200);
  add(0, Algorithm::ab, 1, 1, 100);
  add(0, Algorithm::modular, 2, 1, 80);
  add(0, Algorithm::ab, 1, 16, 90);
  add(1, Algorithm::ab, 2, 1, 50);
  find_scaling(results);
  EXPECT_DOUBLE_EQ(results.cases[0].speedup.value, 0.5);
  EXPECT_DOUBLE_EQ(results.cases[2].speedup.value, 1.25);
  EXPECT_EQ(results.cases[2].serial, 1U) << "ab";
  EXPECT_DOUBLE_EQ(results.cases[3].speedup.value, 1);
  EXPECT_FALSE(results.cases[4].serial.has_value());
}

}  // namespace
}  // namespace kinetree::bench
