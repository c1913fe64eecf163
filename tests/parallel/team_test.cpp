// A team does every task once, level after level, whichever threads come; the pool's threads come where they are
// called.
#include "parallel/team.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "parallel/executor.hpp"
#include "parallel/stages.hpp"
#include "parallel/thread_pool.hpp"

namespace kinetree {
namespace {

/// A task adds one to its own number, and looks whether the level before is over.
struct Counts {
  std::vector<int> done;
  const Counts* before = nullptr;
  int early = 0;

  static void work(void* context, int task, int) {
    Counts& own = *static_cast<Counts*>(context);
    ++own.done[static_cast<std::size_t>(task)];
    if (own.before != nullptr && task == 0)
      for (const int n : own.before->done) own.early += n != own.done[0];
  }
};

TEST(Team, DoesEveryTaskOnceLevelAfterLevel) {
  for (const int workers : {1, 2, 3, 5})
    for (const int present : {1, 2, 5}) {
      std::vector<Counts> counts;
      for (const int tasks : {7, 1, 2, 1, 30, 3}) counts.push_back({std::vector<int>(static_cast<std::size_t>(tasks))});
      std::vector<Level> levels;
      for (std::size_t l = 0; l < counts.size(); ++l) {
        if (l > 0) counts[l].before = &counts[l - 1];
        levels.push_back({static_cast<int>(counts[l].done.size()), &counts[l], &Counts::work});
      }
      Team team(workers);
      constexpr int runs = 20;
      for (int run = 0; run < runs; ++run) {
        team.start(levels);
        std::vector<std::thread> others;  // fewer than the team has room for are enough
        for (int w = 1; w < std::min(workers, present); ++w) others.emplace_back([&team, w] { team.work(w); });
        team.work(0);
        for (std::thread& other : others) other.join();
      }
      for (const Counts& level : counts) {
        EXPECT_EQ(level.early, 0) << "a task ran before the level before had ended";
        for (const int n : level.done) EXPECT_EQ(n, runs) << workers << " workers, " << present << " present";
      }
    }
}

TEST(Team, TheFirstWorkerNeedNotWaitForAnother) {
  std::vector<Counts> counts{{std::vector<int>(5)}, {std::vector<int>(1)}, {std::vector<int>(3)}};
  std::vector<Level> levels;
  for (Counts& level : counts) levels.push_back({static_cast<int>(level.done.size()), &level, &Counts::work});
  for (const int first : {0, 1, 2}) {
    Team team(3);
    team.start(levels);
    for (int k = 0; k < 3; ++k) team.work((first + k) % 3);
  }
  for (const Counts& level : counts)
    for (const int n : level.done) EXPECT_EQ(n, 3);
}

TEST(Helpers, ComeRoundAfterRound) {
  for (const bool pinned : {false, true})
    for (const int workers : {2, 4}) {
      Counts counts{std::vector<int>(40)};
      const Level level{40, &counts, &Counts::work};
      Team team(workers);
      Helpers helpers(
          workers - 1, pinned, [](void* all, int worker) { static_cast<Team*>(all)->work(worker); }, &team);
      constexpr int runs = 500;
      for (int run = 0; run < runs; ++run) {
        team.start({&level, 1});
        helpers.call();
        team.work(0);
        helpers.release();
        if (run % 100 == 99) std::this_thread::sleep_for(std::chrono::milliseconds(2));  // until they sleep
      }
      for (const int n : counts.done) EXPECT_EQ(n, runs) << workers << " workers";
    }
}

/// Comes, says so and waits until it may go.
struct Meeting {
  std::atomic<int> come = 0;
  std::atomic<bool> over = false;
  static void work(void* context, int) {
    Meeting& meeting = *static_cast<Meeting*>(context);
    ++meeting.come;
    while (!meeting.over) std::this_thread::yield();
  }
};

TEST(Helpers, AreOthersWhereSomeAreAtWork) {
  Meeting first, second;
  Helpers of_first(2, false, &Meeting::work, &first), of_second(2, false, &Meeting::work, &second);
  of_first.call();
  of_second.call();
  while (first.come < 2 || second.come < 2) std::this_thread::yield();
  second.over = true;
  of_second.release();
  first.over = true;
  of_first.release();
}

TEST(Helpers, AThreadThatHasNotComeIsNotWaitedFor) {
  std::atomic<int> at_work = 0;
  const auto work = [](void* context, int) {
    std::atomic<int>& count = *static_cast<std::atomic<int>*>(context);
    ++count, --count;
  };
  Helpers helpers(3, false, work, &at_work);
  for (int round = 0; round < 2000; ++round) {
    helpers.call();
    helpers.release();
    ASSERT_EQ(at_work, 0);
  }
}

TEST(Team, SharesByPlace) {
  for (const int count : {0, 1, 2, 5, 100})
    for (const int workers : {1, 2, 3, 7}) {
      EXPECT_EQ(Team::share_begin(count, 0, workers), 0);
      EXPECT_EQ(Team::share_begin(count, workers, workers), count);
      for (int w = 0; w < workers; ++w) {
        const int share = Team::share_begin(count, w + 1, workers) - Team::share_begin(count, w, workers);
        EXPECT_GE(share, count / workers);
        EXPECT_LE(share, (count + workers - 1) / workers);
      }
    }
  EXPECT_EQ(Team::share_begin(1, 1, 4), 1) << "one task is the caller's";
}

TEST(Team, AThreadKeepsTheSecondHalfOfItsShare) {
  EXPECT_EQ(Team::kept(0, 2), 0);
  EXPECT_EQ(Team::kept(1, 2), 1);
  EXPECT_EQ(Team::kept(3, 2), 1);
  EXPECT_EQ(Team::kept(8, 2), 2);
  EXPECT_EQ(Team::kept(16, 4), 2);
}

void nothing(void*, int) {}

/// Three tasks below one.
Tasks small_tree() {
  Tasks tasks;
  tasks.parent = {-1, 0, 0, 0};
  tasks.levels = {{0}, {1, 2, 3}};
  tasks.first_range = {0, 1, 2, 3, 4};
  tasks.ranges = {{3, 4}, {0, 1}, {1, 2}, {2, 3}};
  return tasks;
}

std::vector<int> counts_of(const std::vector<Pass>& passes, const Tasks& tasks) {
  Stages stages;
  stages.prepare(passes, nullptr, tasks);
  std::vector<int> counts;
  for (const Level& level : stages.levels()) counts.push_back(level.count);
  return counts;
}

TEST(Stages, GoOnWhereAPassBeginsWithTheTasksThatTheOneBeforeEndedWith) {
  const Tasks tree = small_tree();
  const Pass out{Direction::scatter, &nothing}, in{Direction::gather, &nothing}, each{Direction::each, &nothing},
      once{Direction::once, &nothing};
  EXPECT_EQ(counts_of({out, in, out}, tree), (std::vector<int>{1, 3, 1, 3}));
  EXPECT_EQ(counts_of({in, in}, tree), (std::vector<int>{3, 1, 3, 1}));
  EXPECT_EQ(counts_of({out, each, in}, tree), (std::vector<int>{1, 3, 4, 3, 1}));
  EXPECT_EQ(counts_of({in, once, out}, tree), (std::vector<int>{3, 1, 3})) << "levels of one task are one";
}

TEST(Stages, PassesOfAnyOrderTakeTasksByTheirPlacesInLevels) {
  Tasks tasks;  // two below one, and two below each of these
  tasks.parent = {-1, 0, 0, 1, 1, 2, 2};
  tasks.levels = {{0}, {1, 2}, {3, 4, 5, 6}};
  const std::vector<Pass> passes{{Direction::each, &nothing}};
  Stages stages;
  stages.prepare(passes, nullptr, tasks);
  std::vector<int> order;
  stages.for_runs([&](std::size_t, int, int, int task) { order.push_back(task); });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 3, 4, 2, 5, 6})) << "half of each level, then the other half";
}

/// A path of three tasks.
Tasks path() {
  Tasks tasks;
  tasks.parent = {-1, 0, 1};
  tasks.levels = {{0}, {1}, {2}};
  tasks.first_range = {0, 1, 2, 3};
  tasks.ranges = {{2, 3}, {1, 2}, {0, 1}};
  return tasks;
}

TEST(Stages, TasksThatAreAloneAreOneLevelInTheirOrder) {
  const Tasks tasks = path();
  const std::vector<Pass> passes{
      {Direction::scatter, &nothing}, {Direction::once, &nothing}, {Direction::gather, &nothing}};
  EXPECT_EQ(counts_of(passes, tasks), std::vector<int>{1});
  Stages stages;
  stages.prepare(passes, nullptr, tasks);
  std::vector<std::pair<int, int>> runs;
  stages.for_runs([&](std::size_t, int, int pass, int task) { runs.emplace_back(pass, task); });
  EXPECT_EQ(runs, (std::vector<std::pair<int, int>>{{0, 0}, {0, 1}, {0, 2}, {1, -1}, {2, 2}, {2, 1}, {2, 0}}));
}

/// Which steps ran, and whether another thread did one.
struct Ran {
  std::thread::id caller = std::this_thread::get_id();
  std::vector<int> steps;
  bool elsewhere = false;

  static void kernel(void* space, int step) {
    Ran& ran = *static_cast<Ran*>(space);
    ran.elsewhere |= std::this_thread::get_id() != ran.caller;
    ran.steps.push_back(step);
  }
};

TEST(Executor, TasksThatAreAloneAreTheCallers) {
  const Tasks tasks = path();
  const std::vector<Pass> passes{{Direction::scatter, &Ran::kernel}, {Direction::gather, &Ran::kernel}};
  for (const ExecutorKind kind : {ExecutorKind::team, ExecutorKind::tbb, ExecutorKind::openmp}) {
    Ran ran;
    const std::unique_ptr<Executor> executor = make_executor(kind, 2);
    executor->prepare(passes, &ran, tasks);
    for (int k = 0; k < 20; ++k) {
      ran.steps.clear();
      executor->run();
      EXPECT_EQ(ran.steps, (std::vector<int>{2, 1, 0, 0, 1, 2}));
    }
    EXPECT_FALSE(ran.elsewhere) << static_cast<int>(kind);
  }
  Ran ran;
  const std::unique_ptr<Executor> executor =
      make_executor(ExecutorKind::team, 2, Pinning::none,
                    [](int, void (*)(void*, int), void*) { ADD_FAILURE() << "nothing is shared"; });
  executor->prepare(passes, &ran, tasks);
  executor->run();
  EXPECT_EQ(ran.steps.size(), 6u);
  int columns = 0;
  executor->for_columns(1, &columns, [](void* count, int, int) { ++*static_cast<int*>(count); });
  EXPECT_EQ(columns, 1);
}

}  // namespace
}  // namespace kinetree
