// Options that make no sense are refused, by a message as a person writes it; plans are taken as they stand.
#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "engine/algorithm/lanes/instruction_set.hpp"
#include "library/option_table.hpp"
#include "library/planner.hpp"
#include "oracle/plans.hpp"
#include "parallel/executor.hpp"

namespace kinetree::oracle {
namespace {

/// What making a solver says; empty where it is made.
template <class Asked = Options>
std::string refusal(const Asked& o, const char* family = "chain:5") {
  try {
    ForwardDynamics dynamics(make_model(family), o);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

/// Stands in for a value of any type.
struct Anything {
  template <class T>
  operator T() const;
};
template <class T, class... Values>
constexpr std::size_t member_count() {
  if constexpr (requires { T{Values{}..., Anything{}}; })
    return member_count<T, Values..., Anything>();
  else
    return sizeof...(Values);
}

TEST(Options, EveryMemberIsInTheTableOnce) {
  EXPECT_EQ(option_table().size(), member_count<Options>());
  for (const OptionEntry& entry : option_table()) {
    Options o;
    const int other = entry.open() == 1 ? 0 : 1;
    entry.set(o, other);
    for (const OptionEntry& each : option_table())
      EXPECT_EQ(each.get(o), each.word == entry.word ? other : each.open()) << entry.word << ", " << each.word;
  }
}

TEST(Options, ValuesOutOfRangeAreRefused) {
  EXPECT_EQ(refusal({.threads = -100}),
            "threads is -100; give 0 (as many as there are physical cores) or a number up to 4096");
  EXPECT_NE(refusal({.threads = 5000}).find("threads is 5000; give 0 "), std::string::npos);
  EXPECT_EQ(refusal({.algorithm = Algorithm::modular, .grain = -4}),
            "grain is -4; give 0 (planned) or a number of bodies");
  EXPECT_EQ(refusal({.algorithm = Algorithm::cfa, .refinements = -2}),
            "refinements is -2; give a number from 0 to 100");
  EXPECT_EQ(refusal({.algorithm = static_cast<Algorithm>(17)}),
            "algorithm is 17; give one of automatic, ab, crb, cfa, modular");
  EXPECT_EQ(refusal({.algorithm = Algorithm::cfa, .cuts = static_cast<Cuts>(3)}),
            "cuts is 3; give one of paths, main, all");
  const std::string two = refusal({.algorithm = Algorithm::modular, .threads = -1, .grain = -1});
  EXPECT_NE(two.find("threads is -1"), std::string::npos) << "all that is wrong at once";
  EXPECT_NE(two.find("\ngrain is -1"), std::string::npos) << two;
}

TEST(Options, WhatHasNoEffectIsRefused) {
  EXPECT_EQ(refusal({.algorithm = Algorithm::ab, .grain = 3}),
            "grain 3 has no effect with algorithm ab and limbs 0: take more limbs, or leave it out");
  EXPECT_EQ(
      refusal({.algorithm = Algorithm::crb, .loops = Loops::multipliers}),
      "loops multipliers has no effect with algorithm crb: it is for automatic, ab, cfa and modular; leave it out");
  EXPECT_EQ(refusal({.algorithm = Algorithm::cfa, .grain = 2}),
            "grain 2 has no effect with algorithm cfa: it is for ab and modular; leave it out");
  EXPECT_EQ(refusal({.algorithm = Algorithm::crb, .elimination = Elimination::leaves_first}),
            "elimination leaves-first has no effect with algorithm crb: it is for cfa and modular; leave it out");
  EXPECT_NE(refusal({.algorithm = Algorithm::ab, .refinements = 1}), "");
  EXPECT_NE(refusal({.algorithm = Algorithm::ab, .factorization = Factorization::dense}), "");
  EXPECT_NE(refusal({.algorithm = Algorithm::crb, .limbs = 4}), "");
  EXPECT_EQ(refusal({.executor = ExecutorKind::tbb, .threads = 2, .pinning = Pinning::cores}),
            "pinning cores has no effect with executor tbb: take executor team, or pinning none");
  EXPECT_EQ(refusal({.pinning = Pinning::cores}),
            "pinning cores has no effect with threads 1: take more threads, or pinning none");
  EXPECT_EQ(missing_executor(ExecutorKind::tbb),
            "executor is tbb, which this build was made without (KINETREE_TBB OFF); take executor team, or a build "
            "with it");
  EXPECT_EQ(refusal({.executor = ExecutorKind::serial, .threads = 2}),
            "threads 2 has no effect with executor serial: take executor team, tbb or openmp, or threads 1");
  if (const std::span<const int> widths = limb_widths(instruction_set()); !widths.empty()) {
    EXPECT_EQ(refusal({.algorithm = Algorithm::modular, .limbs = widths[0], .cuts = Cuts::main}),
              "cuts main is not for modules side by side: take limbs 1, or cuts paths");
  }
}

TEST(Options, AWordThatWasGivenMustHaveAnEffect) {
  const std::string_view grain[]{"grain"};
  const Options ab{.algorithm = Algorithm::ab};
  EXPECT_TRUE(option_faults(ab).empty());
  EXPECT_EQ(option_faults(ab, grain, "--"),
            std::vector<std::string>{"--grain 0 has no effect with --algorithm ab and --limbs 0: take more --limbs, or leave it out"});
}

TEST(Options, LanesThatThereAreNotAreRefused) {
  const int lanes = lane_width(instruction_set());
  if (lanes == 1) GTEST_SKIP() << "this build has no packs";
  const Options o{.algorithm = Algorithm::ab, .lanes = lanes};
  EXPECT_EQ(refusal(o), "");
  EXPECT_EQ(refusal(o, "fourbars:2"), "");
  const std::string refused = "lanes is " + std::to_string(lanes) + ", and ";
  EXPECT_EQ(refusal({.algorithm = Algorithm::crb, .lanes = lanes}, "fourbars:2"),
            refused + "crb takes states of models with loops one by one: take lanes 1, or 0");
  EXPECT_EQ(refusal({.algorithm = Algorithm::ab, .lanes = lanes, .loops = Loops::multipliers}, "fourbars:2"),
            refused + "multipliers take states one by one: take lanes 1, or 0");
  EXPECT_EQ(refusal({.algorithm = Algorithm::crb, .lanes = 1}, "fourbars:2"), "");
  // mass matrices of 1.6 GB each, and more than 4 GB of them side by side
  const Options crb{.algorithm = Algorithm::crb, .lanes = lanes};
  EXPECT_NE(refusal(crb, "chain:20000").find("the mass matrices of crb side by side on 1 thread(s) would take "),
            std::string::npos)
      << refusal(crb, "chain:20000");
  EXPECT_EQ(make_plan(make_model("chain:20000"), {.algorithm = Algorithm::crb}).plan.lanes, 1) << "left open";
  // the same of a plan
  Plan plan(Algorithm::crb);
  plan.lanes = lanes;
  EXPECT_EQ(refusal(plan, "chain:20000"), refusal(crb, "chain:20000"));
  EXPECT_EQ(refusal(plan, "fourbars:2"), refusal(crb, "fourbars:2"));
  plan = Plan(Algorithm::ab);
  plan.lanes = lanes, plan.batch_loops = Loops::multipliers;
  EXPECT_EQ(refusal(plan, "fourbars:2"), refused + "multipliers take states one by one: take lanes 1, or 0");
}

TEST(Options, RefinementsMeanTheSameWithAutomatic) {
  const Model model = make_model("chain:1024");
  for (const int refinements : {0, 1, 2}) {
    const Plan plan = ForwardDynamics(model, {.refinements = refinements}).plan();
    EXPECT_EQ(plan.refinements, plan.algorithm == Algorithm::modular ? refinements : 0);
  }
}

TEST(Options, PlansAreTakenAsTheyStand) {
  std::vector<Options> asked = all_plans(-1);
  asked.push_back({});
  asked.push_back({.threads = 2});
  asked.push_back({.executor = ExecutorKind::openmp, .threads = 2, .refinements = 0});
  asked.push_back({.algorithm = Algorithm::modular, .threads = 0});
  for (const int width : limb_widths(instruction_set())) {
    asked.push_back({.algorithm = Algorithm::ab, .limbs = width});
    asked.push_back({.algorithm = Algorithm::modular, .limbs = width});
    asked.push_back({.limbs = width, .refinements = 2});
  }
  for (const Loops loops : {Loops::automatic, Loops::multipliers})
    asked.push_back({.algorithm = Algorithm::ab, .loops = loops});
  for (const char* family : {"chain:300", "tree:2x6", "fourbars:3", "geared:5", "random:40:seed=3:floating=1"}) {
    const Model model = make_model(family);
    for (const Options& o : asked) {
      if (o.cuts == Cuts::all) continue;  // of a hub it is refused
      ForwardDynamics first(model, o);
      ASSERT_EQ(refusal(first.plan(), family), "") << describe(o);
      ForwardDynamics again(model, first.plan());
      EXPECT_EQ(again.plan(), first.plan()) << family << ", " << describe(o);
    }
  }
}

TEST(Options, PlansThatLeaveAChoiceOpenAreRefused) {
  const auto refused = [](Algorithm algorithm, auto&& set) {
    Plan plan(algorithm);
    set(plan);
    return refusal(plan);
  };
  const auto nothing = [](Plan&) {};
  EXPECT_EQ(refused(Algorithm::ab, nothing), "");
  EXPECT_EQ(refused(Algorithm::crb, nothing), "");
  EXPECT_EQ(refused(Algorithm::automatic, nothing),
            "algorithm is automatic, which leaves it open; name one, or give Options in place of a plan");
  EXPECT_EQ(refused(Algorithm::modular, nothing),
            "grain is 0, which leaves it open; give at least 1, or Options in place of a plan");
  EXPECT_EQ(refused(Algorithm::cfa, [](Plan& p) { p.grain = 1; }), "");
  EXPECT_EQ(refused(Algorithm::ab, [](Plan& p) { p.batch_algorithm = Algorithm::crb; }),
            "batch_algorithm is crb, and algorithm is ab; give ab, or the algorithm itself");
  EXPECT_EQ(refused(Algorithm::crb, [](Plan& p) { p.batch_algorithm = Algorithm::ab; }), "");
  EXPECT_EQ(refused(Algorithm::ab, [](Plan& p) { p.grain = 3; }),
            "grain 3 has no effect with algorithm ab and limbs 1: take more limbs, or leave it out");
  EXPECT_EQ(refused(Algorithm::ab, [](Plan& p) { p.one_threads = 2; }),
            "threads 2 has no effect with executor serial: take executor team, tbb or openmp, or threads 1");
  using Number = int Plan::*;
  for (const auto& [number, word] : {std::pair<Number, std::string>{&Plan::one_threads, "one_threads"},
                                     {&Plan::batch_threads, "batch_threads"},
                                     {&Plan::lanes, "lanes"},
                                     {&Plan::limbs, "limbs"},
                                     {&Plan::end_chains, "end_chains"},
                                     {&Plan::batch_from, "batch_from"}})
    EXPECT_NE(refused(Algorithm::ab, [at = number](Plan& p) { p.*at = 0; }).find(word + " is 0, which leaves it open"),
              std::string::npos)
        << word;
  EXPECT_NE(refused(Algorithm::cfa, [](Plan& p) { p.grain = 1, p.refinements = -1; }), "");
  EXPECT_NE(refused(static_cast<Algorithm>(17), nothing).find("algorithm is 17"), std::string::npos);
}

TEST(Options, AutomaticDropsNothingThatIsUsed) {
  Options o{.algorithm = Algorithm::modular, .threads = 3, .grain = 4, .cuts = Cuts::main, .refinements = 2};
  o.algorithm = Algorithm::automatic;
  const Options left = without_unused(o);
  EXPECT_EQ(left.grain, 0);
  EXPECT_EQ(left.cuts, Cuts::paths);
  EXPECT_EQ(left.refinements, 2);
  EXPECT_EQ(left.threads, 3);
}

/// Threads that work on columns which take their time; waits for `expected` of them, but not for ever.
std::size_t threads_seen(Executor& executor, std::size_t expected) {
  struct Seen {
    std::mutex mutex;
    std::set<std::thread::id> ids;
  } seen;
  for (int round = 0; round < 200 && seen.ids.size() < expected; ++round)
    executor.for_columns(16, &seen, [](void* context, int, int) {
      Seen& all = *static_cast<Seen*>(context);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      const std::lock_guard lock(all.mutex);
      all.ids.insert(std::this_thread::get_id());
    });
  return seen.ids.size();
}

TEST(Options, APlanSaysHowManyThreadsRun) {
  for (const int allowed : {1, 2, 3}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(allowed));
    EXPECT_EQ(threads_given(ExecutorKind::tbb, 4), allowed);
    EXPECT_EQ(threads_given(ExecutorKind::openmp, 4), 4);
    EXPECT_EQ(threads_given(ExecutorKind::team, 4), 4);
    EXPECT_EQ(threads_given(ExecutorKind::serial, 4), 1);
    // of four, oneTBB runs these; of one that is allowed it would still make a second for tasks in a queue
    const auto given = static_cast<std::size_t>(allowed);
    const std::unique_ptr<Executor> executor = make_executor(ExecutorKind::tbb, allowed == 1 ? 1 : 4);
    EXPECT_EQ(threads_seen(*executor, given), given);
    for (const Algorithm algorithm : {Algorithm::ab, Algorithm::modular}) {
      const Plan plan =
          ForwardDynamics(make_model("chain:64"), {.algorithm = algorithm, .executor = ExecutorKind::tbb, .threads = 4})
              .plan();
      EXPECT_EQ(plan.one_threads, allowed);
      EXPECT_EQ(plan.batch_threads, allowed);
      EXPECT_EQ(threads_for(plan, 1), allowed);
      EXPECT_EQ(threads_for(plan, 1000), allowed);
      EXPECT_EQ(threads_for(plan, 2), plan.lanes > 1 ? 1 : allowed) << "one pack";
    }
    EXPECT_LE(
        ForwardDynamics(make_model("tree:2x10"), {.executor = ExecutorKind::tbb, .threads = 4}).plan().one_threads,
        allowed);
  }
}

}  // namespace
}  // namespace kinetree::oracle
