// Kinds of scaling in a sweep file: the cases that they make, and what is said of a run that is not of its kind.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "bench/arguments.hpp"
#include "bench/in_process.hpp"
#include "bench/sweep/cases.hpp"
#include "bench/sweep/family_size.hpp"
#include "bench/sweep/problems.hpp"

namespace kinetree::bench {
namespace {

SweepInput read_run(const std::string& run) { return read_sweep_text("runs:\n  - {" + run + "}\n", "s.yaml", "."); }

Cases run_cases(const std::string& run) {
  SweepInput reading = read_run(run);
  EXPECT_TRUE(reading.findings.empty()) << to_string(reading.findings.front());
  Cases cases = make_cases(reading.sweep, 1, reading.findings);
  EXPECT_TRUE(reading.findings.empty());
  return cases;
}

/// "chain:64 ab 2 1": model, algorithm, threads, batch.
std::set<std::string> case_words(const Cases& cases) {
  std::set<std::string> all;
  for (const Case& c : cases.cases)
    all.insert(cases.models[c.model].entry.name + " " + algorithm_label(c.options) + " " +
               std::to_string(c.options.threads) + " " + std::to_string(c.batch));
  return all;
}

std::string fault_of(const std::string& run) {
  const SweepInput reading = read_run(run);
  EXPECT_EQ(reading.findings.size(), 1U) << run;
  return reading.findings.empty() ? "" : to_string(reading.findings.front());
}

TEST(FamilySize, FindsTheSizeWithSoManyBodies) {
  EXPECT_EQ(FamilySize("chain:64:ratio=10").times(3), "chain:192:ratio=10");
  EXPECT_EQ(FamilySize("random:8:seed=1").form(), "random:N:seed=1");
  EXPECT_EQ(FamilySize("star:4x3").times(4), "star:16x3") << "more arms, none longer";
  EXPECT_EQ(FamilySize("tree:2x9").times(4), "tree:2x11");
  EXPECT_FALSE(FamilySize("tree:2x9").times(3).has_value()) << "511 bodies, 1023, 2047";
  EXPECT_EQ(FamilySize("tree:2x9").form(), "tree:2xN");
  EXPECT_FALSE(FamilySize("chain:15000000").times(2).has_value()) << "beyond the bodies that a family may have";
  EXPECT_EQ(FamilySize("tree:4x2").least_size(10), 3) << "of 1, 5, 21 bodies";
  EXPECT_EQ(FamilySize("chain:64").least_size(10), 10);
  EXPECT_FALSE(FamilySize("chain:64").least_size(1e9).has_value());
  const FamilySize comb("comb:16");
  ASSERT_TRUE(comb.times(2).has_value());
  EXPECT_NEAR(FamilySize(*comb.times(2)).bodies(), 2 * comb.bodies(), 0.1 * 2 * comb.bodies());
}

TEST(ScalingKind, StrongHasOneThreadAndAutomatic) {
  const Cases cases = run_cases("kind: strong, models: [chain:8], algorithms: [ab], threads: [4, 2]");
  EXPECT_EQ(case_words(cases),
            (std::set<std::string>{"chain:8 automatic 1 1", "chain:8 automatic 2 1", "chain:8 automatic 4 1",
                                   "chain:8 ab 1 1", "chain:8 ab 2 1", "chain:8 ab 4 1"}));
  for (const Case& c : cases.cases) EXPECT_EQ(c.kinds, std::vector<ScalingKind>{ScalingKind::strong});
}

TEST(ScalingKind, WeakByBodiesTimesEverySizeOnOneThreadToo) {
  const Cases cases = run_cases("kind: weak-bodies, models: [chain:8], algorithms: [automatic], threads: [1, 2, 4]");
  EXPECT_EQ(case_words(cases),
            (std::set<std::string>{"chain:8 automatic 1 1", "chain:16 automatic 1 1", "chain:16 automatic 2 1",
                                   "chain:32 automatic 1 1", "chain:32 automatic 4 1"}));
  int shares = 0;
  for (const Case& c : cases.cases) {
    const int times = cases.models[c.model].model.body_count() / 8;
    ASSERT_EQ(c.weak.size(), c.options.threads == times ? 1U : 0U);
    for (const WeakBase& share : c.weak) {
      EXPECT_EQ(share.kind, ScalingKind::weak_bodies);
      EXPECT_EQ(cases.models[share.model].entry.name, "chain:8");
      EXPECT_EQ(share.batch, 1);
      ++shares;
    }
  }
  EXPECT_EQ(shares, 3);
}

TEST(ScalingKind, WeakByStatesMultipliesBatches) {
  const Cases cases =
      run_cases("kind: weak-states, models: [chain:8], algorithms: [automatic], threads: [2], batch: [1, 16]");
  EXPECT_EQ(case_words(cases),
            (std::set<std::string>{"chain:8 automatic 1 1", "chain:8 automatic 1 2", "chain:8 automatic 2 2",
                                   "chain:8 automatic 1 16", "chain:8 automatic 1 32", "chain:8 automatic 2 32"}));
  for (const Case& c : cases.cases)
    for (const WeakBase& share : c.weak) EXPECT_EQ(share.batch * c.options.threads, c.batch);
}

TEST(ScalingKind, ACaseOfSeveralKindsIsMeasuredOnce) {
  SweepInput reading = read_sweep_text(
      "runs:\n  - {name: a, kind: strong, models: [chain:16], algorithms: [automatic], threads: [1, 2]}\n"
      "  - {name: b, kind: weak-bodies, models: [chain:8], algorithms: [automatic], threads: [1, 2]}\n",
      "s.yaml", ".");
  const Cases cases = make_cases(reading.sweep, 1, reading.findings);
  ASSERT_EQ(cases.models.size(), 2U);
  ASSERT_EQ(cases.cases.size(), 3U);
  EXPECT_EQ(cases.cases[1].kinds, (std::vector<ScalingKind>{ScalingKind::strong, ScalingKind::weak_bodies}));
  EXPECT_EQ(cases.cases[1].weak.size(), 1U);
}

TEST(ScalingKind, RanksAreAnAxisBesideThreads) {
  SweepInput reading = read_sweep_text(
      "runs:\n  - {kind: strong, models: [chain:16], algorithms: [automatic, crb], threads: [1, 2], ranks: [1, 2, 4]}\n"
      "  - {kind: weak-bodies, models: [chain:8], algorithms: [automatic], ranks: [2]}\n",
      "s.yaml", ".");
  const Cases cases = make_cases(reading.sweep, 2, reading.findings);
  std::multiset<std::string> all;
  for (const Case& c : cases.cases)
    all.insert(cases.models[c.model].entry.name + " " + algorithm_label(c.options) + " " +
               std::to_string(c.options.threads) + " " + std::to_string(c.ranks));
  EXPECT_EQ(all, (std::multiset<std::string>{"chain:16 automatic 1 1", "chain:16 automatic 1 2",
                                             "chain:16 automatic 2 1", "chain:16 automatic 2 2", "chain:16 crb 1 1",
                                             "chain:16 crb 2 1", "chain:8 automatic 1 1"}));
  ASSERT_EQ(cases.notes.size(), 2U);
  EXPECT_NE(cases.notes[0].find("more than 2 ranks are left out; start the command by mpirun -n 4"), std::string::npos);
  EXPECT_NE(cases.notes[1].find("crb is left out over ranks"), std::string::npos);
  for (const Case& c : cases.cases) {
    if (c.weak.empty()) continue;
    EXPECT_EQ(workers(c), cases.models[c.model].model.body_count() / 8) << "8 bodies for each";
  }
  EXPECT_EQ(words_of(cases.models[0], cases.cases[0]), "chain:16 automatic serial threads 1 batch 1");
  EXPECT_EQ(words_of(cases.models[0], cases.cases[1]), "chain:16 automatic serial ranks 2 threads 1 batch 1");
}

TEST(ScalingKind, RunsThatAreNotOfTheirKindAreRefused) {
  const std::string run = "models: [\"chain:{4,8}\"], algorithms: [ab]", on = "s.yaml:2: error: run 1: ";
  EXPECT_EQ(fault_of(run + ", kind: fast"),
            on + "kind is \"fast\"; known are strong, weak-bodies, weak-states, size, batch, dial");
  EXPECT_EQ(fault_of(run + ", kind: strong"),
            on + "kind strong varies threads or ranks, and both are 1; give a list such as threads: [1, 2, 4]");
  EXPECT_EQ(fault_of(run + ", kind: strong, threads: 2, time: false"),
            on + "kind strong is of times, and time is false; leave `time` out");
  EXPECT_EQ(fault_of(run + ", kind: batch, batch: 16, threads: 2, executors: serial"),
            on + "kind batch varies threads, and executors is serial; give team, tbb or openmp");
  EXPECT_EQ(fault_of(run + ", kind: batch, threads: 2, batch: [1, 16]"),
            on + "kind batch is of many states per call, and batch is 1; give a number such as 256");
  EXPECT_EQ(
      fault_of(run + ", kind: weak-states, threads: 64, batch: 100000"),
      on + "kind weak-states gives 64 threads 100000 states each, and a call takes 1048576; give a smaller batch");
  EXPECT_EQ(fault_of("models: [\"tree:2x5\"], algorithms: [ab], kind: weak-bodies, threads: 3"),
            on + "kind weak-bodies takes 3 times the bodies of tree:2x5 to 3 threads, and the family has no such size; "
                 "leave that number of threads out, or take chain:N");
  EXPECT_EQ(fault_of("models: [{model: a.urdf, optional: true}], algorithms: [ab], kind: weak-bodies, threads: 2"),
            on + "kind weak-bodies varies bodies, and \"a\" is a file; give a family such as chain:1024, or take kind "
                 "weak-states");
  EXPECT_EQ(fault_of("models: [chain:4, \"tree:2x3\"], algorithms: [ab], kind: size"),
            on + "kind size varies bodies, and no family of its models has two sizes; give braces such as "
                 "\"chain:{16,256}\"");
  EXPECT_EQ(fault_of("models: [chain:4], algorithms: [ab, {algorithm: modular, grain: 2}], kind: dial"),
            on + "kind dial varies the grain, and modular has 1 grains here; give a list such as {algorithm: modular, "
                 "grain: [1, 4, 16]}");
  EXPECT_NE(fault_of("models: [\"chain:x\"], algorithms: [ab], kind: size").find("size \"x\" is not"),
            std::string::npos);
}

TEST(ScalingKind, FaultsOfListsComeAlone) {
  EXPECT_EQ(fault_of("models: [chain:4], algorithms: [ab], kind: strong, threads: [0]"),
            "s.yaml:2: error: run 1: threads is \"0\"; give a whole number from 1 to 4096");
}

TEST(ScalingKind, ADryRunListsTheCases) {
  const TemporaryFile sweep("weak.yaml",
                            "runs:\n  - {name: w, kind: weak-bodies, models: [chain:4], algorithms: [ab], threads: [1, "
                            "2]}\n  - {name: s, kind: strong, models: [chain:4], algorithms: [ab], threads: [1, 2]}\n");
  const Ended ended = command({"sweep", sweep.path(), "--dry-run", "--only", "w"});
  EXPECT_EQ(ended.status, done) << ended.err;
  EXPECT_NE(ended.out.find("6 cases of 2 models"), std::string::npos) << ended.out;
  EXPECT_NE(ended.out.find("chain:8"), std::string::npos) << ended.out;
}

}  // namespace
}  // namespace kinetree::bench
