// A team does every job once, after those that it waits for, whichever threads come; the pool's threads come where they
// are called.
#include "parallel/team.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "parallel/assignment.hpp"
#include "parallel/executor.hpp"
#include "parallel/jobs.hpp"
#include "parallel/pass_jobs.hpp"
#include "parallel/stages.hpp"
#include "parallel/thread_pool.hpp"

namespace kinetree {
namespace {

/// Jobs that count how often each ran, and those that ran before another that they wait for.
class CountingJobs final : public Jobs {
 public:
  /// Both over jobs, as Jobs has them.
  CountingJobs(std::vector<int> begins, std::vector<int> barriers, std::vector<std::vector<int>> predecessors)
      : runs(barriers.size()),
        barriers_(std::move(barriers)),
        predecessors_(std::move(predecessors)),
        done_(barriers_.size()) {
    begins_ = std::move(begins);
  }
  int barrier(int job) const override { return barriers_[at(job)]; }
  bool ready(int job, std::uint64_t run) const override {
    return std::ranges::all_of(predecessors_[at(job)], [&](int k) { return done_[at(k)] == run; });
  }
  bool is_kept(int job) const override { return std::ranges::find(begins_, job + 1) != begins_.end(); }
  void run(int job, int, std::uint64_t run) override {
    const auto done = std::ranges::count_if(done_, [&](const std::atomic<std::uint64_t>& one) { return one == run; });
    early += done < barrier(job) || !ready(job, run);
    ++runs[at(job)];
    done_[at(job)] = run;
  }

  std::vector<std::atomic<int>> runs;
  std::atomic<int> early = 0;

 private:
  static std::size_t at(int k) { return static_cast<std::size_t>(k); }
  std::vector<int> barriers_;
  std::vector<std::vector<int>> predecessors_;
  std::vector<std::atomic<std::uint64_t>> done_;
};

/// Three rows of jobs, shared out evenly: one of the second waits for two of the first, one of the third for all of the
/// second.
std::unique_ptr<CountingJobs> three_rows(int row, int workers) {
  std::vector<int> begins{0}, number(static_cast<std::size_t>(3 * row));
  for (int w = 0, next = 0; w < workers; ++w) {
    for (int r = 0; r < 3; ++r)
      for (int k = block_begin(row, w, workers); k < block_begin(row, w + 1, workers); ++k)
        number[static_cast<std::size_t>(r * row + k)] = next++;
    begins.push_back(next);
  }
  std::vector<int> barriers(number.size());
  std::vector<std::vector<int>> predecessors(number.size());
  for (int k = 0; k < row; ++k) {
    const auto of = [&](int r, int index) { return number[static_cast<std::size_t>(r * row + index)]; };
    predecessors[static_cast<std::size_t>(of(1, k))] = {of(0, row - 1 - k), of(0, k / 2)};
    barriers[static_cast<std::size_t>(of(2, k))] = 2 * row;
  }
  return std::make_unique<CountingJobs>(begins, barriers, predecessors);
}

TEST(Team, DoesEveryJobOnceAfterThoseThatItWaitsFor) {
  for (const int workers : {1, 2, 3, 5})
    for (const int present : {1, 2, 5})
      for (const int row : {1, 2, 7, 30}) {
        const std::unique_ptr<CountingJobs> jobs = three_rows(row, workers);
        Team team(workers);
        constexpr int runs = 20;
        for (int run = 0; run < runs; ++run) {
          team.start(*jobs);
          std::vector<std::thread> others;  // fewer than the team has room for are enough
          for (int w = 1; w < std::min(workers, present); ++w) others.emplace_back([&team, w] { team.work(w); });
          team.work(0);
          for (std::thread& other : others) other.join();
        }
        EXPECT_EQ(jobs->early, 0) << "a job ran before another that it waits for";
        for (const int n : jobs->runs) EXPECT_EQ(n, runs) << workers << " workers, " << present << " present";
      }
}

TEST(Team, TheFirstWorkerNeedNotWaitForAnother) {
  for (const int first : {0, 1, 2}) {
    const std::unique_ptr<CountingJobs> jobs = three_rows(5, 3);
    Team team(3);
    team.start(*jobs);
    for (int k = 0; k < 3; ++k) team.work((first + k) % 3);
    for (const int n : jobs->runs) EXPECT_EQ(n, 1);
  }
}

TEST(Team, StealsTheJobsOfAWorkerThatIsHeldUp) {
  /// Of three jobs the second, if its own worker runs it, waits until the third, of the same queue, is done.
  class Held final : public Jobs {
   public:
    Held() { begins_ = {0, 1, 3}; }
    int barrier(int) const override { return 0; }
    bool ready(int, std::uint64_t) const override { return true; }
    bool is_kept(int) const override { return true; }
    void run(int job, int worker, std::uint64_t) override {
      if (job == 1 && worker == 1)
        while (!last) std::this_thread::yield();
      if (job == 2) last = true;
    }
    std::atomic<bool> last = false;
  } jobs;
  Team team(2);
  team.start(jobs);
  std::thread other([&] { team.work(1); });
  team.work(0);
  other.join();
  EXPECT_TRUE(jobs.last);
}

/// Columns, each of which adds one to its own number.
struct Counts {
  std::vector<int> done;
  static void work(void* context, int column, int) {
    ++static_cast<Counts*>(context)->done[static_cast<std::size_t>(column)];
  }
};

TEST(Helpers, ComeRoundAfterRound) {
  for (const bool pinned : {false, true})
    for (const int workers : {2, 4, 12}) {  // 12: helpers call helpers
      Counts counts{std::vector<int>(40)};
      ColumnJobs jobs(workers);
      jobs.set({40, &counts, &Counts::work});
      Team team(workers);
      Helpers helpers(
          workers - 1, pinned, [](void* all, int worker) { static_cast<Team*>(all)->work(worker); }, &team);
      constexpr int runs = 500;
      for (int run = 0; run < runs; ++run) {
        team.start(jobs);
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
  constexpr int count = 14;
  Helpers of_first(count, false, &Meeting::work, &first), of_second(count, false, &Meeting::work, &second);
  for (int run = 0; run < 2; ++run) {  // in the second some are called by others
    first.come = 0, second.come = 0, first.over = false, second.over = false;
    of_first.call();
    of_second.call();
    while (first.come < count || second.come < count) std::this_thread::yield();
    second.over = true;
    of_second.release();
    first.over = true;
    of_first.release();
  }
}

TEST(Helpers, AThreadThatHasNotComeIsNotWaitedFor) {
  std::atomic<int> at_work = 0;
  const auto work = [](void* context, int) {
    std::atomic<int>& count = *static_cast<std::atomic<int>*>(context);
    ++count, --count;
  };
  for (const int count : {3, 14}) {  // of 14 some call others, or are sent back before
    Helpers helpers(count, false, work, &at_work);
    for (int round = 0; round < 2000; ++round) {
      helpers.call();
      helpers.release();
      ASSERT_EQ(at_work, 0);
    }
  }
}

TEST(Jobs, AreSharedOutEvenly) {
  for (const int count : {0, 1, 2, 5, 100})
    for (const int workers : {1, 2, 3, 7}) {
      EXPECT_EQ(block_begin(count, 0, workers), 0);
      EXPECT_EQ(block_begin(count, workers, workers), count);
      for (int w = 0; w < workers; ++w) {
        const int block = block_begin(count, w + 1, workers) - block_begin(count, w, workers);
        EXPECT_GE(block, count / workers);
        EXPECT_LE(block, (count + workers - 1) / workers);
      }
    }
  EXPECT_EQ(block_begin(1, 1, 4), 1) << "one job is the caller's";
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
  for (const Stage& stage : stages.all()) counts.push_back(stage.count);
  return counts;
}

TEST(Stages, GoOnWhereAPassBeginsWithTheTasksThatTheOneBeforeEndedWith) {
  const Tasks tree = small_tree();
  const Pass out{Direction::scatter, &nothing}, in{Direction::gather, &nothing}, each{Direction::each, &nothing},
      once{Direction::once, &nothing};
  EXPECT_EQ(counts_of({out, in, out}, tree), (std::vector<int>{1, 3, 1, 3}));
  EXPECT_EQ(counts_of({in, in}, tree), (std::vector<int>{3, 1, 3, 1}));
  EXPECT_EQ(counts_of({out, each, in}, tree), (std::vector<int>{1, 3, 4, 3, 1}));
  EXPECT_EQ(counts_of({in, once, out}, tree), (std::vector<int>{3, 1, 3})) << "levels of one task are one stage";
}

TEST(Stages, PassesOfAnyOrderTakeTasksByTheirPositionsInLevels) {
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

/// Two tasks on one, and two on each of these.
Tasks binary_tree() {
  Tasks tasks;
  tasks.parent = {-1, 0, 1, 1, 0, 4, 4};
  tasks.levels = {{0}, {1, 4}, {2, 3, 5, 6}};
  tasks.first_range = {0, 1, 2, 3, 4, 5, 6, 7};
  for (int t = 0; t < 7; ++t) tasks.ranges.push_back({6 - t, 7 - t});
  return tasks;
}

TEST(Tasks, AreSharedOutAlongTheTree) {
  Tasks tree = binary_tree();
  EXPECT_EQ(workers_of(tree, 1), std::vector<int>(7));
  EXPECT_EQ(workers_of(tree, 2), (std::vector<int>{0, 0, 0, 0, 1, 1, 1})) << "a branch each";
  tree.weight = {9, 1, 1, 1, 1, 1, 1};
  EXPECT_EQ(workers_of(tree, 2), (std::vector<int>{0, 0, 0, 0, 1, 1, 1})) << "no other task runs beside the heavy one";
  tree.weight = {1, 1, 9, 1, 1, 1, 1};
  EXPECT_EQ(workers_of(tree, 2), (std::vector<int>{0, 0, 0, 1, 1, 1, 1}));
  Tasks row = small_tree();
  row.parent = {-1, 0, 1, 1}, row.levels = {{0}, {1}, {2, 3}};
  EXPECT_EQ(workers_of(row, 2), (std::vector<int>{0, 0, 0, 1})) << "single tasks in a row are one worker's";
}

TEST(Tasks, AreSharedOutEvenlyWhereAnyOrderIsGood) {
  const Tasks tree = binary_tree();
  EXPECT_EQ(workers_of_any_order(tree, workers_of(tree, 2), 2), workers_of(tree, 2)) << "data stay where they are";
  Tasks row = path();
  EXPECT_EQ(workers_of(row, 3), std::vector<int>(3));
  EXPECT_EQ(workers_of_any_order(row, workers_of(row, 3), 3), (std::vector<int>{0, 1, 2}))
      << "though none is shared in other passes";
  const std::vector<Pass> passes{{Direction::each, &nothing}};
  Stages stages;
  stages.prepare(passes, nullptr, row);
  EXPECT_EQ(PassJobs(passes, row, stages, 3).begin(2), 2) << "and the queues are such";
  row.weight = {1, 1, 8};
  EXPECT_EQ(workers_of_any_order(row, workers_of(row, 2), 2), std::vector<int>(3))
      << "to share the others out would hardly help";
  EXPECT_TRUE(workers_of_any_order(Tasks{}, workers_of(Tasks{}, 2), 2).empty());
}

/// The jobs of passes, run by this thread as they become ready.
TEST(PassJobs, WaitForNeighboursAlone) {
  Tasks tree = binary_tree();
  tree.weight = {1, 1, 9, 1, 1, 1, 1};  // so that a worker's queue ends within a branch
  struct Steps {
    std::vector<int> all;
    static void kernel(void* space, int step) { static_cast<Steps*>(space)->all.push_back(step); }
  } steps;
  const std::vector<Pass> passes{{Direction::gather, &Steps::kernel},
                                 {Direction::scatter, &Steps::kernel},
                                 {Direction::each, &Steps::kernel},
                                 {Direction::gather, &Steps::kernel}};
  Stages stages;
  stages.prepare(passes, &steps, tree);
  PassJobs jobs(passes, tree, stages, 2);
  for (std::uint64_t run = 1; run < 3; ++run) {
    const auto ready = [&] {
      std::vector<int> all;
      for (int job = 0; job < jobs.count(); ++job)
        if (jobs.barrier(job) == 0 && jobs.ready(job, run)) all.push_back(job);
      return all;
    };
    steps.all.clear();
    EXPECT_EQ(ready().size(), 4u) << "tips";
    jobs.run(jobs.begin(0), 0, run);
    jobs.run(jobs.begin(1), 0, run);
    EXPECT_EQ(steps.all, (std::vector<int>{4, 3})) << "the tips of one branch, by two workers";
    EXPECT_EQ(ready().size(), 5u) << "the task that these hang from need not wait for the other branch";
    int after_all = 0;
    for (int job = 0; job < jobs.count(); ++job) after_all += jobs.barrier(job) > 0;
    EXPECT_EQ(after_all, 7 + 4) << "a pass of any order waits for all, and the tips of the next pass for this one";
    std::vector<bool> done(static_cast<std::size_t>(jobs.count()));
    done[0] = done[static_cast<std::size_t>(jobs.begin(1))] = true;
    for (int count = 2; count < jobs.count();) {
      const int before = count;
      for (int job = jobs.count(); job-- > 0;)
        if (!done[static_cast<std::size_t>(job)] && jobs.barrier(job) <= count && jobs.ready(job, run)) {
          jobs.run(job, 0, run);
          done[static_cast<std::size_t>(job)] = true;
          ++count;
        }
      ASSERT_GT(count, before);
    }
    EXPECT_EQ(steps.all.size(), 4u * 7);
    EXPECT_EQ(std::count(steps.all.begin(), steps.all.end(), 6), 4) << "the root's step";
  }
}

TEST(PassJobs, AreStolenInTheFirstHalfOfAStageColumnsAllOver) {
  Tasks star;  // one task, and nine on it
  star.parent = {-1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  star.levels = {{0}, {1, 2, 3, 4, 5, 6, 7, 8, 9}};
  for (int t = 0; t < 10; ++t) star.ranges.push_back({9 - t, 10 - t}), star.first_range.push_back(t);
  star.first_range.push_back(10);
  const std::vector<Pass> passes{{Direction::gather, &nothing}};
  Stages stages;
  stages.prepare(passes, nullptr, star);
  PassJobs jobs(passes, star, stages, 2);
  for (int w = 0; w < 2; ++w) {
    const int tips = w == 0 ? jobs.begin(1) - 1 : jobs.count() - jobs.begin(1);  // the first worker has the root, too
    int stolen = 0;
    for (int job = jobs.begin(w); job < jobs.begin(w) + tips; ++job) {
      EXPECT_EQ(jobs.is_kept(job), job - jobs.begin(w) >= tips / 2) << "job " << job << " of worker " << w;
      stolen += !jobs.is_kept(job);
    }
    EXPECT_EQ(stolen, 2) << "of 4 or 5";
  }
  Counts counts;
  ColumnJobs columns(2);
  columns.set({9, &counts, &Counts::work});
  for (int k = 0; k < 9; ++k) EXPECT_FALSE(columns.is_kept(k));
}

TEST(Stages, TasksThatAreAloneAreOneStageInTheirOrder) {
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
