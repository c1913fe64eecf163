// Whether a run is fit to be read: results made up to be good or bad in one respect each.
#include "bench/sweep/fitness.hpp"

#include <gtest/gtest.h>

#include "bench/sweep/results.hpp"
#include "bench/sweep/scaling.hpp"

namespace kinetree::bench {
namespace {

CaseResult timing(std::vector<double> ns, int threads = 1, std::vector<double> worth = {}) {
  CaseResult c;
  c.what.options.threads = threads;
  c.ns = std::move(ns), c.time = median_interval(c.ns), c.machine = std::move(worth);
  return c;
}

const std::vector<double> calm{100, 101, 99, 100, 102, 98, 100, 101, 100};

/// Ten calm timings of one thread and two of two threads, on a machine that nothing else used.
SweepResults quiet() {
  SweepResults r;
  for (int k = 0; k < 10; ++k) r.cases.push_back(timing(calm));
  for (int k = 0; k < 2; ++k) r.cases.push_back(timing(calm, 2, std::vector<double>(9, 1.95)));
  r.observed = {100, 1, 0.5, std::vector<double>(108, 50000.0)};
  return r;
}

Verdict judged(SweepResults r) {
  judge(r);
  return r.verdict;
}

/// The one reason there should be.
std::string reason(const SweepResults& r) {
  const Verdict v = judged(r);
  EXPECT_FALSE(v.fit);
  EXPECT_EQ(v.reasons.size(), 1u) << sentence(v);
  EXPECT_NE(sentence(v).find("Not fit to be read"), std::string::npos);
  return v.reasons.empty() ? "" : v.reasons.front();
}

TEST(Fitness, AQuietRunIsFit) {
  const Verdict v = judged(quiet());
  EXPECT_TRUE(v.fit) << sentence(v);
  EXPECT_EQ(v.timed, 12);
  EXPECT_EQ(v.holding, 12);
  EXPECT_EQ(sentence(v), "Fit to be read: 12 of 12 timings hold, and the machine was quiet.");
}

TEST(Fitness, OtherProcessesAndMachinesSpoilARun) {
  SweepResults r = quiet();
  r.observed.others = 20;
  EXPECT_EQ(reason(r), "other processes took 20 % of the processors' time, and 5 % are allowed");
  r = quiet();
  r.observed.stolen = 3;
  EXPECT_NE(reason(r).find("other virtual machines took 3 %"), std::string::npos);
}

TEST(Fitness, AProcessorThatChangesItsSpeedSpoilsARun) {
  SweepResults r = quiet();
  for (std::size_t k = 0; k < 20; ++k) r.observed.yardstick[k] = 70000;
  EXPECT_NE(reason(r).find("took 50 us, and 70 us at other times"), std::string::npos);
}

TEST(Fitness, WideIntervalsSpoilARun) {
  SweepResults r = quiet();
  for (std::size_t k = 0; k < 3; ++k) r.cases[k] = timing({100, 130, 99, 100, 140, 98, 100, 125, 100});
  EXPECT_NE(reason(r).find("9 of 12 timings hold, and 80 % should"), std::string::npos);
}

TEST(Fitness, FewRepetitionsHoldNothing) {
  EXPECT_FALSE(holds(median_interval({100, 100, 100, 100}), {}, 0));
  EXPECT_TRUE(holds(median_interval({100, 100, 100, 100, 100}), {}, 0));
  EXPECT_FALSE(holds({}, {}, 0)) << "nothing was timed";
}

TEST(Fitness, ATimingBesideNeighboursDoesNotHold) {
  SweepResults r = quiet();
  r.cases.back().machine.assign(9, 1.2);  // of 1.95 that two threads are worth at other times
  judge(r);
  EXPECT_TRUE(r.cases.front().holds);
  EXPECT_FALSE(r.cases.back().holds);
  EXPECT_TRUE(r.verdict.fit) << "one case of twelve is marked, and the rest may be read";
}

TEST(Fitness, NumbersThatAreNoneHoldNothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(holds({nan, nan, nan, 0.96}, {}, 0));
  EXPECT_FALSE(holds({100, 99, 101, 0.96}, {nan}, 1.9));
}

TEST(Fitness, SpeedupsStandBetweenTheFarEndsOfBothIntervals) {
  SweepResults r;
  r.cases = {timing({100, 90, 110, 100, 95}), timing({50, 40, 60, 50, 50}, 2, {1.9})};
  find_scaling(r);
  EXPECT_EQ(r.cases[1].speedup.value, 2);
  EXPECT_EQ(r.cases[1].speedup.low, 90. / 60);
  EXPECT_EQ(r.cases[1].speedup.high, 110. / 40);
  EXPECT_EQ(r.cases[0].speedup.low, 1) << "against itself";
}

TEST(Fitness, TheWatchSeesThisProcessApartFromOthers) {
  MachineWatch watch;
  for (int k = 0; k < 300; ++k) watch.look();
  const Observation seen = watch.seen();
  EXPECT_EQ(seen.yardstick.size(), 300u);
  for (const double ns : seen.yardstick) EXPECT_GT(ns, 0);
  EXPECT_GE(seen.others, 0);
  EXPECT_LE(seen.others, seen.seconds + 0.1);
}

}  // namespace
}  // namespace kinetree::bench
