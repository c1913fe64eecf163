// Predicted operations beside counted ones, and tasks put on threads by hand.
#include "parallel/prices.hpp"

#include <gtest/gtest.h>

#include <kinetree/scalar/counted.hpp>

#include "engine/algorithm/solver/solver.hpp"
#include "engine/partition/end_chains.hpp"
#include "engine/partition/price_table.hpp"
#include "library/planner.hpp"
#include "oracle/random_state.hpp"
#include "parallel/assignment.hpp"
#include "parallel/made_tasks.hpp"
#include "parallel/makespan.hpp"
#include "parallel/weighed_operations.hpp"

namespace kinetree::oracle {
namespace {

double counted(const Model& model, const Method& method) {
  const TestState s = random_state(model, 1);
  const auto numbers = [](const Eigen::VectorXd& x) { return std::vector<Counted>(x.begin(), x.end()); };
  const std::vector<Counted> q = numbers(s.q), v = numbers(s.v), tau = numbers(s.tau);
  std::vector<Counted> a(v.size());
  const auto solver = make_solver<Counted>(model, method);
  solver->set({q.data(), v.data(), nullptr, tau.data(), nullptr, a.data()});
  Counted::counts() = {};
  solver->run();
  return static_cast<double>(Counted::counts().total());
}

void expect_counted(const Model& model, const Method& method) {
  EXPECT_EQ(operations(model, method), counted(model, method))
      << model.name() << " of " << model.nv() << " velocities, grain " << method.modules.grain << ", "
      << method.refinements << " refinements";
}
void expect_counted(const std::string& family, const Method& method, bool floating = false) {
  expect_counted(make_model(family, {.floating_base = floating}), method);
}

Method dial(int grain, int refinements, Cuts cuts = Cuts::paths) {
  return {.algorithm = Algorithm::modular, .modules = {.grain = grain, .cuts = cuts}, .refinements = refinements};
}

TEST(Prices, ArticulatedBodiesArePredictedExactly) {
  for (const char* family : {"chain:1", "chain:2", "chain:64", "tree:2x6", "star:30x3", "comb:32", "tree:7x2"})
    for (const bool floating : {false, true}) expect_counted(family, {}, floating);
  for (int seed = 1; seed <= 8; ++seed) expect_counted("random:40:special=1:seed=" + std::to_string(seed), {});
}

TEST(Prices, ModulesArePredictedExactly) {
  for (const int refinements : {0, 1, 2}) {
    for (const int grain : {1, 2, 4, 16, 50, 100, 1000}) expect_counted("chain:128", dial(grain, refinements));
    for (const int grain : {1, 3, 16})
      for (const char* family : {"comb:64", "star:4x64", "tree:2x7"})
        for (const bool floating : {false, true}) expect_counted(family, dial(grain, refinements), floating);
    for (int seed = 1; seed <= 4; ++seed) {
      expect_counted("random:200:seed=" + std::to_string(seed), dial(10, refinements));
      expect_counted("random:40:special=1:seed=" + std::to_string(seed), dial(2, refinements));
    }
  }
  expect_counted("tree:2x4", dial(1, 1, Cuts::all));
  expect_counted("comb:16", dial(2, 1, Cuts::main));
  Description stands = make_description("chain:12");
  stands.bodies.front().joint.armature = 0.1;  // a joint that can't be cut: its module stands on the ground
  expect_counted(make_model(stands), dial(2, 1, Cuts::all));
}

TEST(Prices, LoopsArePredictedExactly) {
  for (const char* family : {"geared:12", "geared:5:rotors=armature", "geared:5:rotors=none", "fourbars:4"})
    for (const Loops loops : {Loops::embed, Loops::multipliers, Loops::automatic}) {
      Method method;
      method.loops = loops;
      expect_counted(family, method);
    }
}

TEST(Prices, ModulesBetweenLoopsAndSplitBodiesArePredictedExactly) {
  for (const char* family :
       {"geared:12", "geared:12:rotors=armature", "fourbars:4", "chain:20:armature=0.1", "comb:8:armature=0.1"})
    for (const Loops loops : {Loops::embed, Loops::multipliers})
      for (const int grain : {1, 2, 7}) {
        Method method = dial(grain, 1);
        method.loops = loops;
        expect_counted(family, method);
      }
}

TEST(Prices, PredictionsLeaveTheCountsOfTheirCallersAlone) {
  Counted::counts() = {.additions = 3};
  operations(make_model("random:30:seed=99"), dial(2, 1));
  EXPECT_EQ(Counted::counts().total(), 3u);
}

const Calibration costly{.ab = 0.2,
                         .dial = 0.3,
                         .lanes = {2, 2, 2},
                         .tbb = {200, 3000, 500, 400},
                         .openmp = {100, 2000, 300, 200, 0.3},
                         .team = {20, 400, 100, 150, 0.75}};

TEST(Prices, BoundsAreBounds) {
  for (const char* family : {"chain:1", "chain:300", "tree:2x8", "star:5x40", "comb:100", "random:300:seed=2"}) {
    const Model model = make_model(family);
    const Prices costs(model, Loops::embed, costly);
    for (const ExecutorKind executor : {ExecutorKind::tbb, ExecutorKind::openmp, ExecutorKind::team})
      for (const int threads : {1, 2, 3, 8})
        for (const int grain : {0, 1, 7, 64}) {
          const Method method = grain > 0 ? dial(grain, 1) : Method{};
          const Threads on{executor, threads};
          EXPECT_LE(costs.lower_bound_ns(method, on), costs.predicted_ns(method, on) * (1 + 1e-12))
              << family << ", " << threads << " threads, grain " << grain;
        }
  }
}

TEST(Prices, BodiesThatNoCacheHoldsComeFromMemoryToEveryThreadAtOnce) {
  const Model model = make_model("tree:2x10");
  Calibration little = costly, vast = costly, unknown = costly;
  little.cache = 1e5, vast.cache = 1e8, unknown.cache = 0;
  const auto ns = [&](const Calibration& c, int threads) {
    return Prices(model, Loops::embed, c).predicted_ns(Method{}, {ExecutorKind::tbb, threads});
  };
  for (const int threads : {1, 2}) EXPECT_EQ(ns(vast, threads), ns(unknown, threads)) << threads;
  const double one = ns(little, 1) - ns(vast, 1), two = ns(little, 2) - ns(vast, 2);
  EXPECT_GT(one, 0);
  EXPECT_NEAR(two, one / 2, 0.1 * one);
}

/// What a plan takes more where nothing is held by a cache than where all is.
double from_memory(const Model& model, const Method& method, int threads, Bandwidth memory, double cache = 1) {
  Calibration little = costly, vast = costly;
  little.bandwidths.memory = vast.bandwidths.memory = memory;
  little.cache = cache, vast.cache = 1e12, little.core_cache = vast.core_cache = 0;
  const auto ns = [&](const Calibration& c) {
    return Prices(model, Loops::embed, c).predicted_ns(method, {ExecutorKind::team, threads});
  };
  return ns(little) - ns(vast);
}

TEST(Prices, ThreadsShareTheBandwidthOfMemory) {
  const Model tree = make_model("tree:2x10"), chain = make_model("chain:1000");
  const double one = from_memory(tree, {}, 1, {10, 25});
  EXPECT_GT(one, 0);
  EXPECT_DOUBLE_EQ(from_memory(tree, {}, 1, {20, 25}), one / 2);
  EXPECT_EQ(from_memory(tree, {}, 2, {10, 25}), from_memory(tree, {}, 2, {10, 0})) << "there is enough for two";
  EXPECT_NEAR(from_memory(tree, {}, 8, {10, 25}), one / 2.5, 0.05 * one) << "and no more for eight";
  EXPECT_LT(from_memory(tree, {}, 8, {10, 0}), one / 4) << "not known: as if each had its own";
  EXPECT_NEAR(from_memory(tree, {}, 8, {10, 5}), one, 0.05 * one) << "all have as much as one at least";
  EXPECT_NEAR(from_memory(chain, {}, 8, {10, 10}), from_memory(chain, {}, 1, {10, 10}), 1e-3)
      << "one thread at a time: nothing to share";
  EXPECT_EQ(from_memory(tree, {}, 2, {0, 0}), 0) << "not known";
}

TEST(Prices, ThreadsThatShareCoresAreSlowWhereSeveralAreBusy) {
  const Model tree = make_model("tree:2x10"), chain = make_model("chain:1000");
  const auto ns = [](const Model& model, double efficiency) {
    Calibration c = costly;
    c.team = {.task = 0, .fork = 0, .thread = 0, .meet = 0, .efficiency_of_two = efficiency, .efficiency = efficiency};
    return Prices(model, Loops::embed, c).predicted_ns({}, {ExecutorKind::team, 4});
  };
  EXPECT_GT(ns(tree, 0.5), 1.7 * ns(tree, 1)) << "most of the time all are busy";
  EXPECT_LE(ns(tree, 0.5), 2 * ns(tree, 1));
  EXPECT_NEAR(ns(chain, 0.5), ns(chain, 1), 1e-9 * ns(chain, 1));
}

TEST(Prices, PlansGoOverMemoryAsTheyCompute) {
  const Model chain = make_model("chain:1000");
  const auto of_operation = [&](const Method& m) {
    return from_memory(chain, m, 1, {10, 10}) / (weighed_operations(chain, m) - price::solve);
  };
  const double ab = of_operation({});
  EXPECT_NEAR(of_operation(dial(500, 1)), ab, 0.1 * ab) << "hardly a merge";
  EXPECT_GT(of_operation(dial(1, 1)), 1.5 * ab) << "merges fetch line by line";
  for (const int grain : {1, 500})
    EXPECT_NEAR(from_memory(chain, dial(grain, 1), 1, {10, 10}), 2 * from_memory(chain, dial(grain, 1), 1, {20, 20}),
                1e-3);
  EXPECT_EQ(from_memory(chain, {}, 1, {10, 10}, 2e6), 0) << "a cache holds the bodies";
  EXPECT_GT(from_memory(chain, dial(1, 1), 1, {10, 10}, 2e6), 0) << "but not their modules";
}

TEST(Prices, BodiesThatACoresCacheDoesNotHoldComeFromTheLargest) {
  const Model tree = make_model("tree:2x10");
  const auto ns = [&](double core_cache, double rate, int threads) {
    Calibration c = costly;
    c.cache = 1e12, c.core_cache = core_cache, c.bandwidths.caches[2].one = rate;
    c.team = {};
    return Prices(tree, Loops::embed, c).predicted_ns({}, {ExecutorKind::team, threads});
  };
  const double held = ns(1e12, 50, 1), one = ns(1, 50, 1) - held;
  EXPECT_GT(one, 0);
  EXPECT_NEAR(ns(1, 100, 1) - held, one / 2, 1e-6 * one);
  EXPECT_EQ(ns(0, 50, 1), held) << "no such cache is known";
  EXPECT_EQ(ns(1, 0, 1), held) << "nor its bandwidth";
  EXPECT_NEAR(ns(1, 50, 2) - ns(1e12, 50, 2), one / 2, 0.1 * one) << "each thread waits for its own";
  EXPECT_LT(ns(1e6, 50, 2) - ns(1e12, 50, 2), 0.4 * (ns(1e6, 50, 1) - held)) << "two cores have two such caches";
}

TEST(Prices, ThreadsWithCachesOfTheirOwnTakeLessFromMemory) {
  const Model tree = make_model("tree:2x10");
  const auto ns = [&](double cache, double caches, int threads) {
    Calibration c = costly;
    c.cache = cache, c.caches = caches, c.bandwidths.memory = {10, 10};
    return Prices(tree, Loops::embed, c).predicted_ns({}, {ExecutorKind::team, threads});
  };
  constexpr double half = 5e5;  // of what the tree holds, and a little more
  EXPECT_GT(ns(half, 1, 2), 1.1 * ns(1e9, 1, 2));
  EXPECT_EQ(ns(half, 1, 1), ns(half, 4, 1)) << "one thread has one of them";
  EXPECT_EQ(ns(half, 2, 2), ns(half, 4, 2));
  EXPECT_LT(ns(half, 2, 2), ns(half, 1, 2));
  EXPECT_EQ(ns(half, 4, 4), ns(1e9, 1, 4)) << "together they hold it";
}

TEST(Prices, PartsSideBySideWaitForTheLargestCache) {
  const Model tree = make_model("tree:2x10");
  Parts parts;
  parts.limbs = limbs_that_pay(tree.data(), 4);
  ASSERT_FALSE(parts.empty());
  const auto ns = [&](double core_cache, double rate, int threads) {
    Calibration c = costly;
    c.cache = 1e12, c.core_cache = core_cache, c.bandwidths.caches[2].one = rate;
    return Prices(tree, Loops::embed, c).predicted_ns({}, {ExecutorKind::team, threads}, parts);
  };
  const double one = ns(1, 50, 1) - ns(1e12, 50, 1);
  EXPECT_GT(one, 0);
  EXPECT_NEAR(ns(1, 25, 1) - ns(1e12, 25, 1), 2 * one, 1e-6 * one);
  EXPECT_EQ(ns(0, 50, 1), ns(1e12, 50, 1)) << "no such cache is known";
}

TEST(Prices, PacksAreCountedOnTheirPatterns) {
  // a pack of four like limbs: operations of one of them, each of a whole register
  const Model star = make_model("star:4x20"), limb = make_model("chain:20");
  Parts parts;
  parts.limbs = limbs_that_pay(star.data(), 4);
  ASSERT_EQ(parts.limbs.groups.size(), 1u);
  const auto ns = [&](double lanes) {
    Calibration c = costly;
    c.lanes.fill(lanes);
    return Prices(star, Loops::embed, c).predicted_ns({}, {ExecutorKind::serial, 1}, parts);
  };
  EXPECT_NEAR((ns(3) - ns(1)) / (2 * costly.ab), operations(limb, {}), 0.05 * operations(limb, {}))
      << "it hangs from a body, not from the ground";
}

TEST(Prices, ModulesOfAChainInLanesSaveWhatTheirRegistersSave) {
  const Model chain = make_model("chain:800");
  const std::vector<BodyPrice> prices = body_prices(chain.data());
  const auto pays = [&](int width) { return packs_may_pay(chain.data(), prices, width, 1); };
  EXPECT_EQ(find_end_chains(chain.data(), 8, 0, pays(8)).all.size(), 1u);
  EXPECT_TRUE(find_end_chains(chain.data(), 2, 0, pays(2)).all.empty()) << "more columns than lanes save";
  const Model small = make_model("chain:32");
  const std::vector<BodyPrice> of_small = body_prices(small.data());
  EXPECT_TRUE(find_end_chains(small.data(), 8, 0, packs_may_pay(small.data(), of_small, 8, 1)).all.empty())
      << "merges take more";
}

TEST(Prices, ThreadsThatWaitForMemorySlowEachOtherNoFurther) {
  const Model tree = make_model("tree:2x10");
  const auto slower = [&](double memory) {
    const auto ns = [&](double efficiency) {
      Calibration c = costly;
      c.cache = 1, c.bandwidths.memory = {memory, 2 * memory};
      c.team = {
          .task = 0, .fork = 0, .thread = 0, .meet = 0, .efficiency_of_two = efficiency, .efficiency = efficiency};
      return Prices(tree, Loops::embed, c).predicted_ns({}, {ExecutorKind::team, 2});
    };
    return ns(0.5) / ns(1);
  };
  EXPECT_GT(slower(1e6), 1.7);
  EXPECT_LT(slower(0.1), 1.2);
}

TEST(Prices, TasksAndMeetingsTakeLongerWithEachThreadUpToOneACore) {
  Calibration c;
  c.cores = 8;
  c.team = {.task = 100, .fork = 10, .thread = 5, .meet = 200, .task_growth = 20, .meet_growth = 30};
  EXPECT_EQ(scheduling_cost(c, ExecutorKind::team, 2), c.team);
  EXPECT_EQ(scheduling_cost(c, ExecutorKind::team, 5).task, 100 + 3 * 20);
  EXPECT_EQ(scheduling_cost(c, ExecutorKind::team, 5).meet, 200 + 3 * 30);
  for (const int many : {8, 9, 1024})
    EXPECT_EQ(scheduling_cost(c, ExecutorKind::team, many).task, 100 + 6 * 20) << many;
  // a tree's prediction on two threads does not know of it, that on more does
  const Model tree = make_model("tree:2x10");
  Calibration grows = c, not_so = c;
  not_so.team.task_growth = not_so.team.meet_growth = 0;
  const auto ns = [&](const Calibration& by, int threads) {
    return Prices(tree, Loops::embed, by).predicted_ns({}, {ExecutorKind::team, threads});
  };
  EXPECT_EQ(ns(grows, 2), ns(not_so, 2));
  EXPECT_GT(ns(grows, 4), 1.01 * ns(not_so, 4));
}

TEST(Prices, NothingIsHandedOverWhereNoTaskStandsBesideAnother) {
  const Model chain = make_model("chain:100");
  const Prices costs(chain, Loops::embed, costly);
  const double alone = costs.predicted_ns({}, {ExecutorKind::tbb, 1});
  for (const ExecutorKind executor : {ExecutorKind::team, ExecutorKind::tbb, ExecutorKind::openmp}) {
    EXPECT_NEAR(costs.predicted_ns({}, {executor, 2}), alone, 0.1 * alone);
    EXPECT_LE(costs.lower_bound_ns({}, {executor, 2}), costs.predicted_ns({}, {executor, 2}));
  }
}

TEST(Prices, TasksOfOneTBBsGraphWaitForLinesOfOtherCores) {
  const Model tree = make_model("random:512:seed=1");
  const auto ns = [&](ExecutorKind executor, double line) {
    Calibration c = costly;
    c.line_transfer = line;
    return Prices(tree, Loops::embed, c).predicted_ns({}, {executor, 2});
  };
  EXPECT_GT(ns(ExecutorKind::tbb, 200), ns(ExecutorKind::tbb, 30) + 1000) << "any thread takes a task";
  EXPECT_EQ(ns(ExecutorKind::team, 200), ns(ExecutorKind::team, 30)) << "each thread has its own again";
}

TEST(Prices, ABodyIsOneMoreOfALongChain) {
  const auto counted = [](int bodies) { return operations(make_model("chain:" + std::to_string(bodies)), {}); };
  EXPECT_GT(operations_of_a_body(), 0);
  for (const int bodies : {8, 1000}) EXPECT_EQ(operations_of_a_body(), counted(bodies + 1) - counted(bodies)) << bodies;
}

/// What is fast, of what is counted alike.
TEST(Prices, LongChainsAreTheMeasureOfOperations) {
  const auto over_counted = [](const char* family, const Method& m) {
    const Model model = make_model(family);
    return (weighed_operations(model, m) - price::solve) / operations(model, m);
  };
  EXPECT_NEAR(over_counted("chain:1000", {}), 1, 1e-3);
  const auto beside_counted = [](const char* family, const Method& m) {
    const Model model = make_model(family);
    return weighed_operations(model, m) - price::solve - operations(model, m);
  };
  EXPECT_NEAR(beside_counted("tree:2x8", {}), price::node * 255, 1e-6) << "every body is a node";
  EXPECT_GT(over_counted("star:20x10", {}), 1.02);
  EXPECT_LT(over_counted("star:20x10", {}), 1.1);
  EXPECT_GT(over_counted("chain:1000", dial(1, 1)), 1.5) << "merges";
  EXPECT_LT(over_counted("chain:1000", dial(200, 1)), 1.1);
  EXPECT_NEAR(over_counted("geared:8", {}), price::embedded, 1e-12) << "transmissions";
  const double loop = operations(make_model("fourbars:1"), {});
  EXPECT_NEAR(beside_counted("fourbars:1", {}), (price::embedded - 1) * loop + 3 * price::search, 1e-6)
      << "one node of three bodies";
  Method multipliers;
  multipliers.loops = Loops::multipliers;
  EXPECT_NEAR(beside_counted("fourbars:1", multipliers),
              (price::multipliers - 1) * operations(make_model("fourbars:1"), multipliers) + price::held, 1e-6);
}

TEST(Prices, ModulesThatCutNothingAreAb) {
  for (const char* family : {"chain:20", "tree:2x5"}) {
    const Prices costs(make_model(family), Loops::embed, costly);
    const Threads one{ExecutorKind::team, 1};
    EXPECT_NEAR(costs.predicted_ns(dial(1000, 1), one), costs.predicted_ns(Method{}, one), 1e-6) << family;
  }
}

TEST(Makespan, IsThatOfTheExecutors) {
  const Tasks chain = made_tasks({-1, 0, 1}), star = made_tasks({-1, 0, 0, 0}), mixed = made_tasks({-1, 0, 1, 0, 3});
  EXPECT_EQ(makespan(chain, {1, 2, 3}, 4, ExecutorKind::tbb), 6);
  EXPECT_EQ(makespan(star, {1, 2, 2, 2}, 1, ExecutorKind::tbb), 7);
  EXPECT_EQ(makespan(star, {1, 2, 2, 2}, 2, ExecutorKind::tbb), 5);
  EXPECT_EQ(makespan(star, {1, 2, 2, 2}, 3, ExecutorKind::tbb), 3);
  const Tasks hub = made_tasks({-1, 0, 0, 0, 0});
  EXPECT_EQ(makespan(hub, {0, 3, 1, 1, 1}, 2, ExecutorKind::tbb), 3) << "a thread that has done its own steals";
  EXPECT_EQ(makespan(hub, {0, 1, 3, 2, 2}, 2, ExecutorKind::tbb), 4) << "by blocks, not to the first that is free";
  const Tasks wide = made_tasks({-1, 0, 0, 0, 0, 0, 0, 0, 0});
  const std::vector<double> uneven{0, 3, 1, 1, 1, 0, 0, 0, 0};
  EXPECT_EQ(makespan(wide, uneven, 2, ExecutorKind::tbb), 3);
  EXPECT_EQ(makespan(wide, uneven, 2, ExecutorKind::openmp), 6) << "nothing is stolen";
  // two branches: 5 then 1, and 1 then 5; only level by level does one wait for the other
  EXPECT_EQ(makespan(mixed, {0, 1, 5, 5, 1}, 2, ExecutorKind::tbb), 6);
  EXPECT_EQ(makespan(mixed, {0, 1, 5, 5, 1}, 2, ExecutorKind::openmp), 10);
}

TEST(Makespan, AWorkerOfATeamHasItsOwnTasks) {
  const std::vector<double> ns{1, 1, 5, 5, 1};
  Tasks branches = made_tasks({-1, 0, 1, 0, 3});
  branches.weight = ns;
  const std::vector<int> workers = workers_of(branches, 2);
  EXPECT_EQ(workers, (std::vector<int>{0, 0, 0, 1, 1}));
  EXPECT_EQ(makespan(branches, ns, workers, 0), 7) << "each branch 6, and the task that they hang from";
  EXPECT_EQ(makespan(branches, ns, workers, 3), 10) << "after the other worker's branch";
  EXPECT_EQ(makespan(branches, ns, workers_of(branches, 1), 3), 13);
}

}  // namespace
}  // namespace kinetree::oracle
