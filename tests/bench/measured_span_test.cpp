// Work and span in time: of cases of a sweep, kept over an interruption, in a study's words, and as Cilkscale's table.
#include "bench/sweep/measured_span.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <kinetree/kinetree.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bench/arguments.hpp"
#include "bench/compare/cilkscale.hpp"
#include "bench/in_process.hpp"
#include "bench/pictures.hpp"
#include "bench/sweep/results.hpp"
#include "bench/sweep/write_results.hpp"

namespace kinetree::bench {
namespace {

using Json = nlohmann::ordered_json;

const std::string one_run =
    "repetitions: 2\nseconds: 1e-5\nruns:\n  - {models: [chain:64, \"tree:2x6\"], algorithms: [ab, crb, cfa, "
    "automatic],"
    " executors: [team, tbb], threads: [1, 2], batch: [1, 4], span: true}\n";

SweepResults swept(const std::string& text) {
  SweepInput reading = read_sweep_text(text, "s.yaml", ".");
  EXPECT_TRUE(reading.findings.empty());
  SweepResults results = prepare_sweep(reading.sweep, reading.findings);
  measure(results);
  return results;
}

TEST(MeasuredSpan, IsOfEachPlanOnSeveralThreads) {
  const SweepResults results = swept(one_run);
  const Json json = results_json(results, {});
  int spans = 0;
  for (std::size_t k = 0; k < results.cases.size(); ++k) {
    const CaseResult& c = results.cases[k];
    ASSERT_EQ(c.failure, "");
    ASSERT_TRUE(c.plan.has_value());
    EXPECT_EQ(c.span.has_value(), c.what.batch == 1 && c.plan->one_threads > 1) << algorithm_label(c.what.options);
    EXPECT_EQ(json["cases"][k].contains("work_ns"), c.span.has_value());
    if (!c.span) continue;
    ++spans;
    EXPECT_GT(c.span->span_ns, 0);
    EXPECT_GE(c.span->parallelism(), 1 - 1e-9);
    EXPECT_GE(c.span->burdened_span_ns, c.span->span_ns);
    EXPECT_EQ(json["cases"][k]["span_ns"], c.span->span_ns);
    EXPECT_EQ(json["cases"][k]["burdened_parallelism"], c.span->burdened_parallelism());
    const bool row = c.what.model == 0 && c.plan->algorithm == Algorithm::ab && c.plan->limbs == 1;
    if (row) {
      EXPECT_NEAR(c.span->parallelism(), 1, 1e-9) << "a chain's bodies wait for each other by ab";
    }
  }
  EXPECT_GE(spans, 12) << "two mechanisms, at least three algorithms, two executors";
}

/// Tasks of equal size side by side, with one above them: those of a tree on many threads, as many as its branches.
TEST(MeasuredSpan, OfATreeIsLessThanItsWork) {
  const Model model = make_model("tree:2x9");
  Options options{.algorithm = Algorithm::ab, .executor = ExecutorKind::team, .threads = 8, .limbs = 1};
  const Plan plan = ForwardDynamics(model, options).plan();
  const auto span = measured_span(model, plan, random_states(model, 2, 1));
  ASSERT_TRUE(span.has_value());
  EXPECT_GT(span->parallelism(), 2) << "whatever the machine does beside it";
  options.threads = 1;
  EXPECT_FALSE(measured_span(model, ForwardDynamics(model, options).plan(), random_states(model, 2, 1)).has_value());
}

TEST(MeasuredSpan, NeedsNoTimingAndStaysOverAnInterruption) {
  const pictures::Folder folder;
  std::ofstream(folder / "s.yaml") << "repetitions: 2\nseconds: 1e-5\nruns:\n"
                                      "  - {models: [chain:40, chain:50], algorithms: [cfa], threads: 2, span: true, "
                                      "time: false}\n";
  const auto sweep = [&](const char* shard, const char* out) {
    return command({"sweep", (folder / "s.yaml").c_str(), "--shard", shard, "--out", (folder / out).c_str()});
  };
  EXPECT_EQ(sweep("1/2", "one").status, done);
  EXPECT_EQ(sweep("2/2", "two").status, done);
  const std::string one = folder / "one", two = folder / "two", whole = folder / "whole";
  const Ended merged = command({"merge", one.c_str(), two.c_str(), "--out", whole.c_str()});
  ASSERT_EQ(merged.status, done) << merged.err;
  const auto results = [](const std::string& out, const char* file) {
    return Json::parse(std::ifstream(std::filesystem::path(out) / file));
  };
  const Json all = results(whole, "results.json"), part = results(two, "results.incomplete.json");
  ASSERT_EQ(all["cases"].size(), 2U);
  for (const char* key :
       {"work_ns", "span_ns", "burdened_span_ns", "parallelism", "burdened_parallelism", "span_disagreement"})
    EXPECT_EQ(all["cases"][1][key], part["cases"][0][key]) << key;
  EXPECT_FALSE(all["cases"][1].contains("median_ns"));
  EXPECT_GT(all["cases"][1]["parallelism"], 1.0);
}

TEST(MeasuredSpan, ColumnsAreInTheTable) {
  const SweepResults results = swept(
      "repetitions: 2\nseconds: 1e-5\nruns:\n  - {models: [chain:64], algorithms: [cfa], threads: [1, 2], span: "
      "true}\n");
  std::istringstream lines(results_csv(results, {}));
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    std::istringstream cells(line + ",");
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  ASSERT_EQ(rows.size(), 3U);
  const auto cell = [&](std::size_t row, const char* column) {
    const auto found = std::find(rows[0].begin(), rows[0].end(), column);
    EXPECT_NE(found, rows[0].end()) << column;
    return rows[row].at(static_cast<std::size_t>(found - rows[0].begin()));
  };
  EXPECT_EQ(cell(1, "work_ns"), "") << "on one thread all is one task";
  ASSERT_TRUE(results.cases[1].span.has_value());
  EXPECT_NEAR(std::stod(cell(2, "work_ns")), results.cases[1].span->work_ns, 1e-4 * results.cases[1].span->work_ns);
  EXPECT_NEAR(std::stod(cell(2, "parallelism")), results.cases[1].span->parallelism(), 1e-2);
  EXPECT_FALSE(cell(2, "predicted_ns").empty());
}

/// The columns of OpenCilk's documentation (doc/reference/cilkscale, doc/users-guide/cilkscale), read by their names.
TEST(Cilkscale, ReadsBackAsItsScriptWouldReadIt) {
  const auto timed = [](const char* model, const char* executor, int threads, double ns) {
    return Json{{"model", model},     {"label", "ab"},          {"executor", executor},
                {"threads", threads}, {"threads_run", threads}, {"batch", 1},
                {"lanes", 1},         {"median_ns", ns},        {"low_ns", ns},
                {"high_ns", ns},      {"repetitions_ns", {ns}}};
  };
  const auto spanned = [&](const char* model, const char* executor, int threads, double ns, double work, double span) {
    Json c = timed(model, executor, threads, ns);
    c["work_ns"] = work, c["span_ns"] = span, c["burdened_span_ns"] = 2 * span;
    c["parallelism"] = work / span, c["burdened_parallelism"] = work / span / 2;
    return c;
  };
  Json results{{"context", Json::object()}, {"settings", Json::object()}};
  Json batch = timed("m", "team", 2, 5);
  batch["batch"] = 16;
  results["cases"] = {timed("m", "serial", 1, 2e6),
                      spanned("m", "team", 2, 1.25e6, 2e6, 8e5),
                      spanned("m", "team", 4, 1e6, 2.1e6, 7e5),
                      spanned("m, \"2\"", "tbb", 2, 3e6, 4e6, 4e6),
                      batch,
                      timed("n", "serial", 1, 1)};
  const std::string text = cilkscale(results);
  std::istringstream lines(text);
  std::string head, first, second, none;
  std::getline(lines, head), std::getline(lines, first), std::getline(lines, second);
  EXPECT_EQ(head,
            "tag,work (seconds),span (seconds),parallelism,burdened_span (seconds),burdened_parallelism,"
            "1c time (seconds),2c time (seconds),4c time (seconds)");
  EXPECT_EQ(first, "\"m ab team\",0.0021,0.0007,3,0.0014,1.5,0.002,0.00125,0.001");
  EXPECT_EQ(second, "\"m, \"\"2\"\" ab tbb\",0.004,0.004,1,0.008,0.5,nan,0.003,nan");
  EXPECT_FALSE(std::getline(lines, none)) << "of n there is no span: " << none;

  const TemporaryFile in("results.json", results.dump()), out("cilkscale.csv", "");
  ASSERT_EQ(command({"export", in.path(), "cilkscale", out.path()}).status, done);
  std::ifstream written(out.path());
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(written), {}), text);
  results["cases"] = {timed("m", "serial", 1, 2e6)};
  const TemporaryFile without("without.json", results.dump());
  const Ended refused = command({"export", without.path(), "cilkscale", out.path()});
  EXPECT_EQ(refused.status, wrong_input);
  EXPECT_NE(refused.err.find("has no case with `work_ns`"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("span: true"), std::string::npos) << refused.err;
  results["cases"][0]["work_ns"] = 1;
  const TemporaryFile half("half.json", results.dump());
  EXPECT_NE(command({"export", half.path(), "cilkscale", out.path()}).err.find("lacks what a sweep"),
            std::string::npos);
}

}  // namespace
}  // namespace kinetree::bench
