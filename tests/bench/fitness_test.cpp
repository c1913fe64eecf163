// Whether a run is fit to be read: results made up to be good or bad in one respect each.
#include "bench/sweep/fitness.hpp"

#include <gtest/gtest.h>

#include "bench/sweep/results.hpp"
#include "bench/sweep/scaling.hpp"
#include "parallel/processors.hpp"

namespace kinetree::bench {
namespace {

constexpr double usually = 50000;  ///< ns of the yardstick

CaseResult timing(std::vector<double> ns, int threads = 1, std::vector<double> worth = {}) {
  CaseResult c;
  c.what.options.threads = threads;
  c.yardstick.assign(ns.size(), usually);
  c.ns = std::move(ns), c.time = median_interval(c.ns), c.machine = std::move(worth);
  return c;
}

const std::vector<double> calm{100, 101, 99, 100, 102, 98, 100, 101, 100};

/// Ten calm timings of one thread and two of two threads, on a machine that nothing else used.
SweepResults quiet() {
  SweepResults r;
  for (int k = 0; k < 10; ++k) r.cases.push_back(timing(calm));
  for (int k = 0; k < 2; ++k) r.cases.push_back(timing(calm, 2, std::vector<double>(9, 1.95)));
  r.observed.yardstick.assign(108, usually);
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

/// The first `count` repetitions of a case as on a slow processor.
void slow_down(SweepResults& r, std::size_t which, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) {
    r.cases[which].ns[k] *= 1.5, r.cases[which].yardstick[k] = 70000;
    r.observed.yardstick[9 * which + k] = 70000;
  }
}

TEST(Fitness, RepetitionsOnASlowProcessorAreLeftOut) {
  SweepResults r = quiet();
  for (std::size_t k = 0; k < 10; ++k) slow_down(r, k, 4);
  judge(r);
  EXPECT_EQ(r.cases[0].counted, std::vector<double>(calm.begin() + 4, calm.end()));
  EXPECT_EQ(r.cases[0].time.median, 100);
  EXPECT_EQ(r.cases[11].counted, calm);
  EXPECT_TRUE(r.verdict.fit);
  EXPECT_EQ(
      sentence(r.verdict),
      "Fit to be read: 12 of 12 timings hold, and 37 % of the repetitions were left out, in which a processor was "
      "slow.");
}

TEST(Fitness, RepetitionsBesideANeighbourAreLeftOut) {
  SweepResults r = quiet();
  for (std::size_t k = 0; k < 3; ++k) r.cases[11].machine[k] = 1.3, r.cases[11].ns[k] = 150;
  judge(r);
  EXPECT_EQ(r.cases[11].counted.size(), 6u);
  EXPECT_EQ(r.cases[11].time.high, 102);
  EXPECT_TRUE(r.cases[11].holds);
}

TEST(Fitness, TooFewRepetitionsAreNotMadeFewer) {
  SweepResults r = quiet();
  slow_down(r, 0, 5);
  judge(r);
  EXPECT_EQ(r.cases[0].counted.size(), 9u);
  EXPECT_FALSE(r.cases[0].holds);
}

TEST(Fitness, AProcessorThatIsSlowMostOfTheTimeSpoilsARun) {
  SweepResults r = quiet();
  for (std::size_t k = 0; k < 12; ++k) {
    r.cases[k].ns.insert(r.cases[k].ns.end(), 9, 150.0);
    r.cases[k].yardstick.insert(r.cases[k].yardstick.end(), 9, 70000.0);
    r.observed.yardstick.insert(r.observed.yardstick.end(), 9, 70000.0);
  }
  slow_down(r, 0, 1);
  judge(r);
  ASSERT_EQ(r.verdict.reasons.size(), 2u) << sentence(r.verdict);
  EXPECT_NE(r.verdict.reasons[0].find("0 of 12 timings hold"), std::string::npos);
  EXPECT_NE(r.verdict.reasons[1].find("the same arithmetic took 50 us, and 70 us at other times"), std::string::npos);
  EXPECT_EQ(r.cases[1].counted, calm) << "though the others agree";
}

TEST(Fitness, MoreThanHalfOfTheRepetitionsMustBeLeft) {
  const auto of = [](int good, int disturbed) {
    std::vector<bool> all(static_cast<std::size_t>(good), true);
    all.insert(all.end(), static_cast<std::size_t>(disturbed), false);
    return all;
  };
  EXPECT_TRUE(are_enough(of(5, 4)));
  EXPECT_FALSE(are_enough(of(5, 5)));
  EXPECT_FALSE(are_enough(of(4, 0)));
  EXPECT_FALSE(are_enough({}));
}

/// The verdict is by timings alone; of cores that were moved it is told where these do not hold.
TEST(Fitness, CoresThatAreMovedExplainWhyTimingsDoNotHold) {
  SweepResults r = quiet();
  r.observed.transfers.assign(20, 200.0);
  r.observed.transfers.insert(r.observed.transfers.end(), 4, 450.0);
  EXPECT_TRUE(judged(r).fit);
  for (std::size_t k = 0; k < 3; ++k) r.cases[k] = timing({100, 130, 99, 100, 140, 98, 100, 125, 100});
  Verdict v = judged(r);
  ASSERT_EQ(v.reasons.size(), 2u) << sentence(v);
  EXPECT_NE(v.reasons[1].find("the cores were moved"), std::string::npos);
  EXPECT_NE(v.reasons[1].find("from one core to another in 200 ns and in 450 ns"), std::string::npos);
  r.observed.transfers.assign(20, 200.0);
  r.observed.transfers.push_back(330);
  EXPECT_EQ(judged(r).reasons.size(), 1u) << "that one was disturbed";
}

TEST(Fitness, PredictionsByACalibrationOfOtherCoresAreDoubted) {
  Observation o;
  o.transfers.assign(20, 210.0);
  EXPECT_EQ(doubt_of_predictions(o), "") << "it was not told";
  o.calibrated_transfer = 150;
  EXPECT_EQ(doubt_of_predictions(o), "");
  o.calibrated_transfer = 25;
  EXPECT_NE(doubt_of_predictions(o).find("in 25 ns when the machine was calibrated, and in 210 ns now"),
            std::string::npos);
  o.transfers.clear();
  EXPECT_EQ(doubt_of_predictions(o), "") << "there is one core";
}

TEST(Fitness, WideIntervalsSpoilARun) {
  SweepResults r = quiet();
  for (std::size_t k = 0; k < 3; ++k) r.cases[k] = timing({100, 130, 99, 100, 140, 98, 100, 125, 100});
  EXPECT_NE(reason(r).find("9 of 12 timings hold, and 80 % should"), std::string::npos);
}

TEST(Fitness, FewRepetitionsHoldNothing) {
  EXPECT_FALSE(is_narrow(median_interval({100, 100, 100, 100})));
  EXPECT_TRUE(is_narrow(median_interval({100, 100, 100, 100, 100})));
  EXPECT_FALSE(is_narrow({})) << "nothing was timed";
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
  EXPECT_FALSE(is_narrow({nan, nan, nan, 0.96}));
  CaseResult c = timing(calm, 2, std::vector<double>(9, nan));
  for (const bool good : undisturbed(c, {usually, {{2, 1.9}}})) EXPECT_FALSE(good);
  c = timing(calm);
  c.yardstick[0] = nan;
  EXPECT_FALSE(undisturbed(c, {usually, {}})[0]);
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

TEST(Fitness, TheWatchKeepsWhatItSees) {
  MachineWatch watch;
  for (int k = 0; k < 300; ++k) watch.look();
  EXPECT_EQ(watch.look_at_cores() > 0, physical_cores() > 1);
  const Observation& seen = watch.seen();
  EXPECT_EQ(seen.yardstick.size(), 300u);
  for (const double ns : seen.transfers) EXPECT_GT(ns, 0);
  for (const double ns : seen.yardstick) EXPECT_GT(ns, 0);
}

}  // namespace
}  // namespace kinetree::bench
