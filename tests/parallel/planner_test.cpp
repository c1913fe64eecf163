// What `automatic` takes, under calibrations that are made up: the choice follows from them and from nothing else.
#include "library/planner.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "engine/algorithm/lanes/instruction_set.hpp"
#include "engine/partition/price_table.hpp"
#include "engine/scalar/worst.hpp"
#include "library/choice.hpp"
#include "oracle/plans.hpp"
#include "parallel/executor.hpp"
#include "parallel/prices.hpp"

namespace kinetree::oracle {
namespace {

constexpr SchedulingCost nothing{}, a_lot{.task = 1e6, .fork = 1e9, .thread = 1e9};

Calibration machine(const SchedulingCost& scheduling, double dial = 0.2) {
  return {.ab = 0.2, .dial = dial, .lanes = {2, 2, 2}, .tbb = scheduling, .openmp = scheduling, .team = scheduling};
}

/// Bodies one by one: what limbs side by side save stands in a test of its own.
Plan plan(const Model& model, int threads, const Calibration& c, int cores, ExecutorKind executor = ExecutorKind::tbb) {
  return make_plan(model, {.executor = executor, .threads = threads, .limbs = 1}, c, cores).plan;
}

TEST(Planner, ThreadsAreTakenWhereTheyCostNothing) {
  for (const ExecutorKind executor : threaded_executors)
    for (const char* family : {"tree:2x10", "star:64x4"}) {
      const Plan o = plan(make_model(family), 4, machine(nothing), 4, executor);
      EXPECT_EQ(o.algorithm, Algorithm::ab) << family;
      EXPECT_EQ(o.one_threads, 4) << family;
      EXPECT_EQ(o.batch_threads, 4);
      EXPECT_EQ(o.batch_from, 2);
    }
}

TEST(Planner, LimbsAreMadeSmallerWhereEachThreadThenHasAPack) {
  if (limb_widths(instruction_set()).empty()) GTEST_SKIP() << "this build has no packs";
  const Model tree = make_model("tree:2x10");
  const TestState s = random_state(tree, 3);
  const Options open{.executor = ExecutorKind::team, .threads = 4};
  const Planned dear = make_plan(tree, open, machine(a_lot), 4), shared = make_plan(tree, open, machine(nothing), 4);
  EXPECT_EQ(dear.plan.one_threads, 1);
  EXPECT_EQ(dear.plan.grain, 0);
  EXPECT_EQ(shared.plan.algorithm, Algorithm::ab);
  EXPECT_GT(shared.plan.limbs, 1);
  EXPECT_EQ(shared.plan.one_threads, 4);
  ASSERT_GT(shared.plan.grain, 0);
  EXPECT_EQ(shared.parts.limbs.groups.size(), 4u) << "a pack for each thread";
  for (const LaneGroup& group : shared.parts.limbs.groups) EXPECT_LE(group.places(), shared.plan.grain);
  Plan on_one = shared.plan;
  on_one.one_threads = 1;
  ForwardDynamics four(tree, shared.plan), one(tree, on_one), whole(tree, dear.plan);
  const Eigen::VectorXd a = accelerations(four, s), b = accelerations(whole, s);
  EXPECT_EQ(a, accelerations(one, s)) << "bit for bit";
  EXPECT_LE(largest_of(a - b), 1e-11 * largest_of(b));
}

/// Packs of short limbs keep about twice the lines of their bodies, and wait for them: on an EPYC with AVX2 they took
/// 1.5 times (comb:1000) to 5 times (star:10000x1) as long as `ab` where no near cache held them, half where one did.
TEST(Planner, ShortLimbsGoSideBySideOnlyWhereCachesHoldThem) {
  if (lane_width(instruction_set()) < 4) GTEST_SKIP() << "the limbs below go four by four";
  Options options;
  options.limbs = 4;
  const auto width = [&](const char* family) {
    return choose(make_model(family), options, Calibration{}, 1).taken().limbs;
  };
  for (const char* family : {"star:8x3", "star:100x1", "star:200x3", "star:4x5000", "star:100x200"})
    EXPECT_EQ(width(family), 4) << family;
  for (const char* family : {"star:2000x1", "star:10000x1", "star:5000x2", "star:4000x3", "star:2000x6", "comb:1000"})
    EXPECT_EQ(width(family), 1) << family;
}

TEST(Planner, APlanOfModulesSideBySideIsReplayedWithTheSameModules) {
  if (lane_width(instruction_set()) < 4) GTEST_SKIP() << "two modules side by side never pay";
  const int width = limb_widths(instruction_set()).back();
  int several = 0;  // modules of a few bodies do not pay
  for (const int bodies : {777, 2000, 4000})
    for (const int grain : {0, 5, 31, 41, 50, 100, 160}) {
      const Model chain = make_model("chain:" + std::to_string(bodies));
      const Options options{.algorithm = Algorithm::modular, .limbs = width, .grain = grain};
      const Planned made = make_plan(chain, options, machine(nothing), 4), again = replay(chain, made.plan);
      ASSERT_EQ(made.parts.end_chains.all.size(), again.parts.end_chains.all.size()) << grain;
      if (made.parts.end_chains.all.empty()) continue;
      EXPECT_EQ(made.parts.end_chains.all.front().body, again.parts.end_chains.all.front().body) << grain;
      EXPECT_EQ(made.parts.end_chains.all.front().packs, again.parts.end_chains.all.front().packs) << grain;
      several += made.parts.end_chains.all.front().packs > 1;
    }
  EXPECT_GE(several, 4);
}

TEST(Planner, OneThreadIsTakenWhereHandingOverIsDear) {
  for (const char* family : {"tree:2x10", "star:64x4", "chain:4096"}) {
    const Plan o = plan(make_model(family), 4, machine(a_lot), 4);
    EXPECT_EQ(o.algorithm, Algorithm::ab) << family;
    EXPECT_EQ(o.one_threads, 1) << family;
    EXPECT_GT(o.batch_from, 1000) << family;
    EXPECT_EQ(o.batch_threads, 4) << "large batches may still use them";
  }
}

TEST(Planner, ChainsAreCutWhereThatPays) {
  for (const char* family : {"chain:4096", "chain:4096:armature=0.1", "geared:1024", "fourbars:512"}) {
    const Model chain = make_model(family);
    const Plan many = plan(chain, 16, machine(nothing), 16);
    EXPECT_EQ(many.algorithm, Algorithm::modular) << family;
    EXPECT_GT(many.one_threads, 8) << family;
    EXPECT_EQ(many.refinements, 1) << family;
    EXPECT_EQ(many.batch_algorithm, Algorithm::ab) << family;
    EXPECT_EQ(batch_method(many).algorithm, Algorithm::ab) << family;
    EXPECT_EQ(batch_method(many).refinements, 0) << family;
    // columns of constraint forces ten times as dear per operation as articulated bodies
    const Plan dear = plan(chain, 16, machine(nothing, 2), 16);
    EXPECT_EQ(dear.algorithm, Algorithm::ab) << family;
    EXPECT_EQ(dear.one_threads, 1) << family << ": a chain uncut has nothing to share";
  }
}

TEST(Planner, ThreadsAreNeverMoreThanCoresOrAllowed) {
  const Model tree = make_model("tree:2x10");
  for (const int cores : {1, 2, 3, 5})
    for (const int threads : {1, 2, 4, 64}) {
      const Plan o = plan(tree, threads, machine(nothing), cores);
      EXPECT_EQ(o.one_threads, std::min(cores, threads));
      EXPECT_EQ(o.batch_threads, std::min(cores, threads));
    }
  EXPECT_EQ(plan(tree, 0, machine(nothing), 3).batch_threads, 3);
  EXPECT_EQ(plan(tree, 1, machine(nothing), 8, ExecutorKind::serial).one_threads, 1);
}

/// Two limbs: two threads halve the time, whatever there is beyond them saves nothing.
TEST(Planner, ThreadsThatDoNotPayAreLeftOut) {
  const Model fork = make_model("star:2x400");
  for (const int threads : {2, 3, 8}) EXPECT_EQ(plan(fork, threads, machine(nothing, 9), 8).one_threads, 2);
  // handing over eats what is saved but for a little more, or a little less, than is asked for
  const double serial = choose(fork, {.limbs = 1}, machine(nothing, 9), 1).candidates[0].ns;
  for (const double saved : {0.03, 0.07}) {
    const Calibration c = machine({.task = 0, .fork = (0.5 - saved) * serial, .thread = 1e9}, 9);
    EXPECT_EQ(plan(fork, 2, c, 2).one_threads, saved < price::worth_a_change ? 1 : 2) << saved;
  }
}

TEST(Planner, BranchesGoSideBySideOnAsManyThreadsAsPay) {
  if (lane_width(instruction_set()) == 1) GTEST_SKIP() << "this build has no packs";
  const Model tree = make_model("tree:2x10");
  const auto planned = [&](int threads, const SchedulingCost& scheduling) {
    return make_plan(tree, {.threads = threads}, machine(scheduling), 16).plan;
  };
  for (const Plan& o : {planned(1, nothing), planned(16, a_lot)}) {
    EXPECT_GT(o.limbs, 1);
    EXPECT_EQ(o.one_threads, 1);
  }
  const Plan many = planned(16, nothing);
  EXPECT_GE(many.one_threads, 8);
  EXPECT_TRUE(many.limbs == 1 || many.grain > 0) << "else all limbs are one group, which one thread would sweep";
  const Plan shared = make_plan(make_model("star:64x4"), {.threads = 2}, machine(nothing), 16).plan;
  EXPECT_GT(shared.limbs, 1);
  EXPECT_EQ(shared.one_threads, 2) << "groups are tasks like any other";
  // what all threads wait for in a pass is predicted, and not paid for by a few bodies
  const Model robot = make_model("star:4x3");
  EXPECT_EQ(make_plan(robot, {.threads = 4}, machine({.meet = 1000}), 4).plan.one_threads, 1);
}

TEST(Planner, WhatIsNotWorkedOutCouldNotHaveBeenChosen) {
  for (const char* family :
       {"chain:700", "tree:2x9", "star:7x50", "comb:200", "random:400:seed=3", "geared:200", "fourbars:100"})
    for (const SchedulingCost& scheduling : {nothing, SchedulingCost{300, 4000, 700}, a_lot}) {
      const Model model = make_model(family);
      Options o{.threads = 6, .limbs = 1};
      o.lanes = 1;
      const Calibration c = machine(scheduling, 0.1);
      const Choice choice = choose(model, o, c, 6);
      const Prices costs(model, Loops::embed, c);
      const Candidate& taken = choice.candidates[choice.chosen];
      EXPECT_FALSE(taken.at_least);
      for (const Candidate& other : choice.candidates) {
        const Method method{
            .algorithm = other.algorithm, .modules = {.grain = other.grain}, .refinements = other.grain > 0};
        const double ns = costs.predicted_ns(method, {ExecutorKind::team, other.threads});
        EXPECT_TRUE(other.at_least || ns == other.ns) << ns << " and " << other.ns;
        EXPECT_LE((1 - price::worth_a_change) * taken.ns, ns) << family << ", " << other.threads << " threads";
        EXPECT_TRUE(other.threads >= taken.threads || taken.ns < ns)
            << "fewer threads do as well: " << family << ", " << other.threads;
      }
    }
}

TEST(Planner, OneCalibrationMakesOneChoice) {
  const Calibration c = read_calibration(to_text(machine({300, 4000, 700}, 0.1)), "text");
  for (const char* family : {"chain:700", "tree:2x9", "star:7x50", "comb:200"}) {
    const Model model = make_model(family);
    const int threads = threads_given(ExecutorKind::tbb, 6);  // a plan given again says how many there are here
    const auto planned = [&](const Calibration& by) { return plan(model, threads, by, threads); };
    const Plan first = planned(c), second = planned(machine({300, 4000, 700}, 0.1));
    EXPECT_EQ(first, second);
    EXPECT_EQ(replay(model, first).plan, first) << "a plan that was told can be given again";
    ForwardDynamics one(model, first), two(model, first);
    EXPECT_EQ(one.plan(), first);
    const TestState s = random_state(model, 1);
    EXPECT_EQ(accelerations(one, s), accelerations(two, s)) << family;
  }
}

TEST(Planner, ALibraryCallWithOneThreadWeighsNothing) {
  const Plan o = make_plan(make_model("chain:16"), {}, {}, 8).plan;  // an empty calibration would divide by nothing
  EXPECT_EQ(o.algorithm, Algorithm::ab);
  EXPECT_EQ(o.one_threads, 1);
  EXPECT_EQ(o.batch_threads, 1);
}

TEST(Planner, NamedAlgorithmsUseAllThreads) {
  for (const Algorithm algorithm : {Algorithm::ab, Algorithm::crb, Algorithm::cfa, Algorithm::modular}) {
    const Plan o = make_plan(make_model("chain:64"), {.algorithm = algorithm, .threads = 3}, {}, 2).plan;
    EXPECT_EQ(o.one_threads, 3);
    EXPECT_EQ(o.batch_threads, 3);
    EXPECT_EQ(o.batch_from, 2);
    EXPECT_EQ(o.batch_algorithm, algorithm);
  }
}

TEST(Planner, BatchesAreSharedFromWhereItPays) {
  const Model arm = make_model("chain:7");
  int before = 1 << 20;
  for (const double fork : {1e7, 1e5, 1e4, 0.0}) {
    const int from = plan(arm, 2, machine({.task = 0, .fork = fork, .thread = 0}), 2).batch_from;
    EXPECT_LT(from, before) << fork;
    before = from;
  }
  EXPECT_EQ(before, 2);
}

TEST(Planner, BatchesDoNotDependOnHowTheyAreShared) {
  const Model model = make_model("chain:40");
  constexpr int columns = 37;
  Eigen::MatrixXd q(model.nq(), columns), v(model.nv(), columns), tau(model.nv(), columns), a(model.nv(), columns);
  for (int c = 0; c < columns; ++c) {
    const TestState s = random_state(model, static_cast<std::uint64_t>(c));
    q.col(c) = s.q, v.col(c) = s.v, tau.col(c) = s.tau;
  }
  ForwardDynamics by_ab(model, {.algorithm = Algorithm::ab});
  ASSERT_TRUE(by_ab.solve(q, v, tau, a).ok());
  const Eigen::MatrixXd expected = a;
  Plan o(Algorithm::modular);
  o.batch_algorithm = Algorithm::ab, o.grain = 7, o.refinements = 1, o.lanes = lane_width(instruction_set());
  for (const ExecutorKind executor : threaded_executors)
    for (const int one : {1, 2, 3})
      for (const int batch : {1, 2, 3})
        for (const int from : {2, 3, 1000}) {
          o.executor = executor, o.one_threads = one, o.batch_threads = batch, o.batch_from = from;
          ForwardDynamics dynamics(model, o);
          a.setZero();
          ASSERT_TRUE(dynamics.solve(q, v, tau, a).ok());
          EXPECT_EQ(a, expected) << one << " " << batch << " " << from;
          Eigen::VectorXd single(model.nv());
          ASSERT_TRUE(dynamics.solve(q.col(0), v.col(0), tau.col(0), single).ok());
          EXPECT_LE(largest_of(single - expected.col(0)), 1e-9 * largest_of(expected.col(0)));
        }
}

/// What is cut, and how loops hold, are two choices.
TEST(Planner, LoopsHoldAsAskedWhetherCutOrNot) {
  for (const Loops loops : {Loops::automatic, Loops::embed, Loops::multipliers})
    for (const auto& [dial, algorithm] : {std::pair{1e-6, Algorithm::modular}, std::pair{1e6, Algorithm::ab}}) {
      Options o{.threads = 8};
      o.loops = loops;
      const Plan p = make_plan(make_model("fourbars:16"), o, machine(nothing, dial), 8).plan;
      EXPECT_EQ(p.algorithm, algorithm) << dial;
      EXPECT_TRUE(loops == Loops::automatic || p.loops == loops);
    }
}

}  // namespace
}  // namespace kinetree::oracle
