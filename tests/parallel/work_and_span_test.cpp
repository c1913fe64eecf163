// Work and span of tasks by hand, beside schedules, and of kernels that tell in which order they ran.
#include "parallel/work_and_span.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <random>
#include <set>
#include <utility>

#include "parallel/assignment.hpp"
#include "parallel/made_tasks.hpp"
#include "parallel/makespan.hpp"

namespace kinetree::oracle {
namespace {

using enum Direction;

std::vector<Pass> passes_of(std::initializer_list<Direction> directions) {
  std::vector<Pass> passes;
  for (const Direction direction : directions) passes.push_back({direction, nullptr});
  return passes;
}

WorkAndSpan by_neighbours_of(const std::vector<Pass>& passes, const Tasks& tasks, const TaskTimes& ns,
                             const Burden& burden = {}) {
  return work_and_span(by_neighbours(passes, tasks), ns, burden);
}
WorkAndSpan by_levels_of(const std::vector<Pass>& passes, const Tasks& tasks, const TaskTimes& ns,
                         const Burden& burden = {}) {
  return work_and_span(by_levels(passes, tasks), ns, burden);
}

TEST(WorkAndSpan, OfOneGatherByHand) {
  // two branches: 5 then 1, and 1 then 5; only level by level does one wait for the other
  const Tasks mixed = made_tasks({-1, 0, 1, 0, 3});
  const TaskTimes ns{{2, 1, 5, 5, 1}};
  for (const Direction direction : {gather, scatter}) {
    const WorkAndSpan own = by_neighbours_of(passes_of({direction}), mixed, ns),
                      levels = by_levels_of(passes_of({direction}), mixed, ns);
    EXPECT_EQ(own.work_ns, 14);
    EXPECT_EQ(own.span_ns, 8);
    EXPECT_EQ(levels.work_ns, 14);
    EXPECT_EQ(levels.span_ns, 12);
    EXPECT_DOUBLE_EQ(levels.parallelism(), 14.0 / 12);
    EXPECT_EQ(levels.burdened_span_ns, levels.span_ns) << "without a burden";
  }
}

/// At the leaves a gather goes on where the scatter before ended, and waits for no other leaf; so at the root.
TEST(WorkAndSpan, OfPassesThatGoOnByHand) {
  const Tasks fork = made_tasks({-1, 0, 0});
  const auto both = passes_of({scatter, gather});
  const TaskTimes ns{{1, 9, 3}, {10, 5, 25}};
  EXPECT_EQ(by_neighbours_of(both, fork, ns).span_ns, 1 + 3 + 25 + 10);
  EXPECT_EQ(by_levels_of(both, fork, ns).span_ns, 1 + 3 + 25 + 10);
  EXPECT_EQ(by_levels_of(both, fork, ns).work_ns, 53);
  // a pass of independent steps, or without steps, waits for all and keeps all waiting
  const TaskTimes apart{{1, 9, 3}, {0, 0, 0}, {10, 5, 25}}, once_between{{1, 9, 3}, {7}, {10, 5, 25}};
  EXPECT_EQ(by_neighbours_of(passes_of({scatter, each, gather}), fork, apart).span_ns, 1 + 9 + 25 + 10);
  EXPECT_EQ(by_levels_of(passes_of({scatter, each, gather}), fork, apart).span_ns, 1 + 9 + 25 + 10);
  EXPECT_EQ(by_neighbours_of(passes_of({scatter, once, gather}), fork, once_between).span_ns, 1 + 9 + 7 + 25 + 10);
  EXPECT_EQ(by_levels_of(passes_of({scatter, once, gather}), fork, once_between).span_ns, 1 + 9 + 7 + 25 + 10);
  EXPECT_EQ(by_levels_of(passes_of({scatter, scatter}), fork, {{1, 9, 3}, {1, 9, 3}}).span_ns, 2 * (1 + 9));
}

TEST(WorkAndSpan, ABurdenStandsWherePathsForkOrJoin) {
  const Tasks fork = made_tasks({-1, 0, 0}), row = made_tasks({-1, 0, 1});
  const auto both = passes_of({scatter, gather});
  const TaskTimes ns{{1, 9, 3}, {10, 5, 25}};
  const Burden burden{.run = 100, .task = 1, .edge = 1000};
  // 4 tasks on the path, handed over to a leaf and back to the root; the run ends with one task
  EXPECT_EQ(by_neighbours_of(both, fork, ns, burden).burdened_span_ns, 39 + 4 + 2 * 1000 + 100);
  EXPECT_EQ(by_levels_of(both, fork, ns, burden).burdened_span_ns, 39 + 4 + 2 * 1000 + 100);
  EXPECT_EQ(by_levels_of(passes_of({scatter}), fork, {{1, 9, 3}}, burden).burdened_span_ns, 10 + 2 + 2 * 1000 + 100)
      << "at the end the run waits for both";
  EXPECT_EQ(by_neighbours_of(both, row, ns, burden).burdened_span_ns, 53 + 6 + 100)
      << "in a row nothing is handed over";
  EXPECT_EQ(by_levels_of(both, row, ns, burden).burdened_span_ns, 53 + 6 + 100);
  const TaskTimes none{{0, 0, 0}, {0, 0, 0}};
  EXPECT_EQ(by_levels_of(passes_of({each, each}), fork, none, burden).burdened_span_ns, 2 + 2 * 1000 + 100);
  EXPECT_EQ(by_neighbours_of(passes_of({each, each}), fork, none, burden).burdened_span_ns, 2 + 2 * 1000 + 100)
      << "a barrier is one edge on the path";
  // the path that is the longest with its burden need not be the longest: 45 + 45 in a row, 50 + 30 handed over
  const Tasks forest = made_tasks({-1, 0, 0, -1, 3});
  const WorkAndSpan all = by_neighbours_of(passes_of({scatter}), forest, {{50, 30, 30, 45, 45}}, {.edge = 20});
  EXPECT_EQ(all.span_ns, 90);
  EXPECT_EQ(all.burdened_span_ns, 50 + 20 + 30 + 20);
  const Burden of_four = burden_of({.task = 2, .fork = 30, .thread = 10, .meet = 5, .efficiency = 0.5}, 4);
  EXPECT_EQ(of_four.run, 30 + 2 * 10);
  EXPECT_EQ(of_four.task, 2);
  EXPECT_EQ(of_four.edge, 5);
}

Tasks random_tasks(std::mt19937& random, int count, int branching) {
  std::vector<int> parent{-1};
  for (int t = 1; t < count; ++t) {
    const int near = std::max(0, t - branching);
    parent.push_back(std::uniform_int_distribution<int>(-(t % 17 == 0), t - 1 - near)(random));
    if (parent.back() >= 0) parent.back() += near;
  }
  return made_tasks(parent);
}

TaskTimes random_times(std::mt19937& random, const std::vector<Pass>& passes, const Tasks& tasks) {
  std::uniform_real_distribution<double> ns(1, 100);
  TaskTimes times;
  for (const Pass& pass : passes) {
    times.emplace_back(pass.direction == once ? 1U : tasks.parent.size());
    for (double& x : times.back()) x = ns(random);
  }
  return times;
}

/// With as many threads as there is use for, list scheduling takes as long as the longest path; with fewer it keeps
/// Brent's bounds. A team, whose tasks have their workers beforehand, keeps the lower one.
TEST(WorkAndSpan, SchedulesOfOneGatherKeepTheBounds) {
  std::mt19937 random(3);
  for (const int branching : {1, 3, 60}) {
    const Tasks tasks = random_tasks(random, 60, branching);
    const auto passes = passes_of({gather});
    const TaskTimes ns = random_times(random, passes, tasks);
    const WorkAndSpan all = work_and_span(dependences(passes, tasks, ExecutorKind::tbb), ns, {});
    const auto team = [&](int threads) { return makespan(tasks, ns[0], workers_of(tasks, threads), 0); };
    EXPECT_NEAR(all.span_ns, makespan(tasks, ns[0], 60, ExecutorKind::tbb), 1e-9);
    EXPECT_NEAR(all.work_ns, makespan(tasks, ns[0], 1, ExecutorKind::tbb), 1e-9);
    EXPECT_NEAR(all.work_ns, team(1), 1e-9);
    for (const int threads : {2, 3, 8}) {
      const double time = makespan(tasks, ns[0], threads, ExecutorKind::tbb),
                   least = std::max(all.work_ns / threads, all.span_ns) - 1e-9;
      EXPECT_LE(time, greedy_ns(all.work_ns, all.span_ns, threads) + 1e-9);
      EXPECT_GE(time, least);
      EXPECT_GE(team(threads), least);
    }
  }
}

/// Where the longest task is begun last: no bound below this one holds (Graham 1966).
TEST(WorkAndSpan, TheGreedyBoundIsReached) {
  const Tasks tasks = made_tasks({-1, -1, -1, -1});
  // on 3 threads: 3 ns on each, then 6 ns on one alone
  EXPECT_EQ(greedy_ns(3 * 3 + 6, 6, 3), 9);
  EXPECT_EQ(makespan(tasks, {3, 6, 3, 3}, 3, ExecutorKind::tbb), 9);
  EXPECT_EQ(greedy_ns(10, 4, 1), 10) << "one thread does all";
}

TEST(WorkAndSpan, StandInTheirOrder) {
  std::mt19937 random(5);
  const auto passes = passes_of({scatter, gather, once, scatter, gather, each, scatter});
  for (int trial = 0; trial < 20; ++trial) {
    const Tasks tasks = random_tasks(random, 1 + 7 * trial, 1 + trial);
    const TaskTimes ns = random_times(random, passes, tasks);
    const Burden burden{.run = 10, .task = 0.1, .edge = 3};
    const WorkAndSpan own = by_neighbours_of(passes, tasks, ns, burden),
                      levels = by_levels_of(passes, tasks, ns, burden);
    double work = 0, longest = 0;
    for (const std::vector<double>& pass : ns)
      for (const double x : pass) work += x, longest = std::max(longest, x);
    EXPECT_NEAR(own.work_ns, work, 1e-9 * work);
    EXPECT_NEAR(levels.work_ns, work, 1e-9 * work);
    EXPECT_GE(own.span_ns, longest);
    EXPECT_LE(own.span_ns, levels.span_ns + 1e-9) << "levels keep waiting what neighbours do not";
    for (const WorkAndSpan& one : {own, levels}) {
      EXPECT_GE(one.parallelism(), 1 - 1e-12);
      EXPECT_GT(one.burdened_span_ns, one.span_ns);
      EXPECT_LT(one.burdened_parallelism(), one.parallelism());
    }
  }
}

/// What a kernel reads was written by: the same task in the pass before, in a gather the children, in a scatter the
/// parent. By walking backwards from each node.
TEST(Dependences, ATaskWaitsForAllThatItReads) {
  std::mt19937 random(7);
  const auto passes = passes_of({scatter, gather, each, scatter, once, gather, scatter, scatter});
  const Tasks tasks = random_tasks(random, 25, 4);
  for (const Dependences& d : {by_neighbours(passes, tasks), by_levels(passes, tasks)}) {
    std::set<std::pair<int, int>> all;
    for (const Dependences::Node& node : d.nodes) {
      if (node.pass < 0) continue;
      EXPECT_TRUE(all.emplace(node.pass, node.task).second) << "twice";
      std::set<std::pair<int, int>> over;
      std::vector<int> left = node.predecessors;
      std::vector<bool> seen(d.nodes.size());
      while (!left.empty()) {
        const auto k = static_cast<std::size_t>(left.back());
        left.pop_back();
        if (seen[k]) continue;
        seen[k] = true;
        over.emplace(d.nodes[k].pass, d.nodes[k].task);
        left.insert(left.end(), d.nodes[k].predecessors.begin(), d.nodes[k].predecessors.end());
      }
      EXPECT_TRUE(over.contains({-1, -1})) << "the start";
      const auto reads = [&](int pass, int task) {
        EXPECT_TRUE(over.contains({pass, task})) << node.pass << " " << node.task << " reads " << pass << " " << task;
      };
      const Direction direction = passes[static_cast<std::size_t>(node.pass)].direction;
      for (int t = 0; t < tasks.count(); ++t) {
        const int p = tasks.parent[static_cast<std::size_t>(t)];
        if (direction == gather && p >= 0 && p == node.task) reads(node.pass, t);
        if (direction == scatter && p >= 0 && t == node.task) reads(node.pass, p);
        if (node.pass > 0 && (t == node.task || direction == once))
          reads(node.pass - 1, passes[static_cast<std::size_t>(node.pass - 1)].direction == once ? -1 : t);
      }
    }
    EXPECT_EQ(all.size(), 7U * 25 + 1) << "every task of every pass";
    EXPECT_TRUE(std::is_sorted(d.ends.begin(), d.ends.end()));
  }
}

/// One step a task. A kernel writes down its pass and step; one of them takes long.
struct Told {
  std::vector<std::pair<int, int>> ran;
  template <int pass>
  static void kernel(void* space, int step) {
    static_cast<Told*>(space)->ran.emplace_back(pass, step);
    if (pass != 1 || step != 3) return;
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1);
    while (std::chrono::steady_clock::now() < end) {
    }
  }
};

TEST(WorkAndSpan, IsMeasuredOnEachTaskAlone) {
  Tasks tasks = made_tasks({-1, 0, 0, 1, 1});
  tasks.first_range = {0};
  for (int t = 0; t < 5; ++t) {  // steps are numbered children first
    tasks.ranges.push_back({4 - t, 5 - t});
    tasks.first_range.push_back(t + 1);
  }
  const std::vector<Pass> passes{{scatter, &Told::kernel<0>}, {gather, &Told::kernel<1>}, {once, &Told::kernel<2>}};
  Told told;
  int states = 0;
  const TimedRun run{passes, &told, tasks, [&] { ++states; }};
  const TaskTimes ns = task_times(run, 0);
  EXPECT_EQ(states, 6) << "one to warm up, and the fewest";
  ASSERT_EQ(told.ran.size(), 6U * 11);
  const std::vector<std::pair<int, int>> expected{{0, 4}, {0, 3}, {0, 2}, {0, 1}, {0, 0}, {1, 0},
                                                  {1, 1}, {1, 2}, {1, 3}, {1, 4}, {2, -1}};
  for (std::size_t k = 0; k < told.ran.size(); ++k) EXPECT_EQ(told.ran[k], expected[k % 11]) << k;
  ASSERT_EQ(ns.size(), 3U);
  EXPECT_EQ(ns[0].size(), 5U);
  EXPECT_EQ(ns[2].size(), 1U);
  EXPECT_GT(ns[1][1], 0.9e6) << "step 3 is task 1's";
  EXPECT_EQ(std::max_element(ns[1].begin(), ns[1].end()) - ns[1].begin(), 1);
  const MeasuredWorkAndSpan measured =
      measured_work_and_span(run, dependences(passes, tasks, ExecutorKind::team), {.run = 1e9}, 0);
  EXPECT_GE(measured.work_ns, measured.span_ns * (1 - 1e-12));
  EXPECT_GT(measured.span_ns, 0.9e6);
  EXPECT_NEAR(measured.burdened_span_ns, measured.span_ns + 1e9, 1);
  EXPECT_GE(measured.disagreement, 0);
  EXPECT_LT(measured.disagreement, 1);
}

}  // namespace
}  // namespace kinetree::oracle
