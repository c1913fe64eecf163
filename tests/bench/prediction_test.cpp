// Predicted times on numbers of threads that need not be here, from a calibration that is given.
#include "bench/sweep/prediction.hpp"

#include <gtest/gtest.h>

#include <kinetree/kinetree.hpp>

#include "bench/in_process.hpp"
#include "library/choice.hpp"
#include "library/option_table.hpp"
#include "library/planner.hpp"
#include "parallel/processors.hpp"

namespace kinetree::bench {
namespace {

/// 1 ns per operation; scheduling costs so much each.
Calibration made_up(double cost) {
  Calibration c;
  c.ab = c.dial = 1, c.cache = 0;
  c.tbb = c.team = {.task = 0, .fork = cost, .thread = cost, .meet = cost, .efficiency = 1};
  return c;
}

TEST(Prediction, WithFreeSchedulingTimesAreTheirBounds) {
  for (const PredictedThreads& p :
       predicted_times(make_model("chain:128"), ExecutorKind::team, made_up(0), doubling_threads(64))) {
    EXPECT_EQ(p.ab.ns, p.ab.bound_ns);
    EXPECT_EQ(p.cfa.ns, p.cfa.bound_ns);
    EXPECT_EQ(p.modular.ns, p.modular_bound.ns);
  }
}

TEST(Prediction, OfACaseIsThatOfItsPlan) {
  for (const char* family : {"star:64x4", "chain:1000", "chain:20"})
    for (const int threads : {1, 2}) {
      const Model model = make_model(family);
      Case c;
      c.options.threads = threads, c.options.executor = ExecutorKind::team;
      const Calibration calibration = threads == 1 ? Calibration{} : made_up(500);  // as automatic takes it
      const Plan plan = make_plan(model, c.options, calibration, 2).plan;
      if (plan.one_threads > physical_cores()) continue;
      const Choice choice = choose(model, settled(model, without_unused(c.options)), calibration, 2);
      const std::optional<double> ns = predicted_ns(model, c, plan, calibration);
      ASSERT_TRUE(ns.has_value());
      EXPECT_NEAR(*ns, choice.taken().ns, 1e-9 * *ns) << family << ", " << threads << " threads";
    }
}

TEST(Prediction, IsNotOfBatchesAndOfWhatIsNotCounted) {
  const Model model = make_model("chain:20");
  const auto is_predicted = [&](const Options& options, int batch) {
    Case c;
    c.options = options, c.batch = batch;
    return predicted_ns(model, c, make_plan(model, options).plan, made_up(0)).has_value();
  };
  EXPECT_TRUE(is_predicted({.algorithm = Algorithm::cfa, .threads = 1}, 1));
  EXPECT_FALSE(is_predicted({.algorithm = Algorithm::cfa, .threads = 1, .formulation = Formulation::literal}, 1));
  EXPECT_FALSE(is_predicted({.algorithm = Algorithm::crb, .threads = 1}, 1));
  EXPECT_FALSE(is_predicted({.algorithm = Algorithm::ab, .threads = 1}, 2));
}

TEST(Prediction, StandsBetweenTheBoundsOfBrent) {  // Brent 1974: max(work / P, depth) <= time <= work / P + depth
  const Model model = make_model("tree:2x9");
  const auto all = predicted_times(model, ExecutorKind::tbb, made_up(0), doubling_threads(256));
  const double work = all.front().ab.ns;
  EXPECT_GT(work, 0);
  for (std::size_t k = 1; k < all.size(); ++k) {
    EXPECT_GE(all[k].ab.ns, work / all[k].threads * (1 - 1e-9));
    EXPECT_LE(all[k].ab.ns, all[k - 1].ab.ns * 1.05) << "more threads take no longer, but for how tasks are cut";
  }
  EXPECT_LT(all.back().ab.ns, work / 8) << "a tree of 256 tips is parallel";
}

TEST(Prediction, BoundsOfASpeedupStandInTheirOrder) {
  const std::vector<int> threads = doubling_threads(256);
  const Model model = make_model("tree:2x9");
  const auto free = speedup_bounds(model, ExecutorKind::team, made_up(0), threads),
             dear = speedup_bounds(model, ExecutorKind::team, made_up(500), threads);
  const auto times = predicted_times(model, ExecutorKind::team, made_up(500), threads);
  ASSERT_EQ(free.size(), threads.size());
  EXPECT_EQ(free[0].most, 1);
  for (std::size_t k = 1; k < free.size(); ++k) {
    EXPECT_LE(free[k].most, threads[k] * (1 + 1e-9));
    EXPECT_LE(free[k].greedy, free[k].most);
    EXPECT_GE(free[k].greedy, free[k].most / 2 * (1 - 1e-9)) << "greedy is within twice the best: Graham, Brent";
    EXPECT_DOUBLE_EQ(free[k].burdened, free[k].greedy) << "where scheduling is free";
    EXPECT_EQ(dear[k].greedy, free[k].greedy);
    EXPECT_LT(dear[k].burdened, dear[k].greedy);
    EXPECT_LE(times[0].fastest().ns / times[k].fastest().ns, dear[k].most * (1 + 1e-9));
  }
}

TEST(Prediction, AChainIsSerialByAbAndParallelByCfa) {
  const auto all = predicted_times(make_model("chain:2048"), ExecutorKind::team, made_up(0), doubling_threads(256));
  EXPECT_GE(all.back().ab.ns, all.front().ab.ns * (1 - 1e-9));
  EXPECT_LT(all.back().cfa.ns, all.front().cfa.ns / 10);
  const std::optional<int> from = overtakes(all, false);
  ASSERT_TRUE(from.has_value());
  EXPECT_GE(*from, 8) << "cfa takes many times the work";
  EXPECT_LE(*from, 64);
  const std::optional<int> later = overtakes(
      predicted_times(make_model("chain:2048"), ExecutorKind::team, made_up(1000), doubling_threads(256)), false);
  ASSERT_TRUE(later.has_value());
  EXPECT_GT(*later, *from) << "where scheduling costs";
}

TEST(Prediction, WhereNothingIsCutEverythingIsAb) {
  for (const PredictedThreads& p : predicted_times(make_model("chain:1"), ExecutorKind::team, made_up(10), {1, 2})) {
    EXPECT_EQ(p.cfa.grain, 0);
    EXPECT_EQ(p.cfa.ns, p.ab.ns);
  }
}

TEST(Prediction, TheCommandReadsACalibrationOfAnotherMachine) {
  Calibration slow = made_up(0);
  slow.ab = 1000;
  const TemporaryFile file("slow.txt", to_text(slow));
  const Ended ended = command({"predict", "chain:{2,3}", "--threads", "1,2", "--calibration", file.path(), "--json"});
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto json = nlohmann::json::parse(ended.out);
  ASSERT_EQ(json["models"].size(), 2u);
  EXPECT_EQ(json["calibration"], file.path());
  const double ns = json["models"][0]["threads"][0]["ab"]["predicted_ns"];
  EXPECT_NEAR(ns, 1000 * predicted_times(make_model("chain:2"), ExecutorKind::team, made_up(0), {1})[0].ab.ns,
              1e-6 * ns);
  EXPECT_EQ(command({"predict", "chain:2", "--threads", "2,1"}).status, 2);
  EXPECT_EQ(command({"predict", "chain:2", "--calibration", "no_such_file"}).status, 1);
  EXPECT_EQ(command({"predict", "chain:2", "--executor", "serial"}).status, 2);
}

}  // namespace
}  // namespace kinetree::bench
