// What executors add to work of a known length: passes over tasks that touch nothing of each other's, and columns. Each
// case does 1 µs or 1 ms of work on one thread; `speedup` is that over the time it takes.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "engine/scalar/index.hpp"
#include "library/option_words.hpp"
#include "parallel/executor.hpp"
#include "parallel/processors.hpp"

namespace kinetree::bench {
namespace {

/// Sums in registers, each waiting for the one before, kept apart by two lines of the cache.
struct Spin {
  static constexpr std::size_t apart = 16;  // doubles
  int turns;
  std::vector<double> x;

  Spin(int turns, int count) : turns(turns), x(apart * at(count), 1) {}
  void work(int k) {
    double y = x[apart * at(k)];
    for (int turn = 0; turn < turns; ++turn) y = 0.999 * y + 0.001;
    x[apart * at(k)] = y;
  }
  static void kernel(void* space, int k) { static_cast<Spin*>(space)->work(k); }
  static void column(void* space, int k, int) { kernel(space, k); }
};

/// A binary tree of tasks, or independent ones.
Tasks tasks_of(int count, bool tree) {
  Tasks tasks;
  tasks.first_range.push_back(0);
  std::vector<int> level;
  for (int t = 0; t < count; ++t) {
    const int parent = tree ? (t - 1) / 2 : -1;
    tasks.parent.push_back(t == 0 ? -1 : parent);
    level.push_back(tasks.parent.back() < 0 ? 0 : level[at(tasks.parent.back())] + 1);
    tasks.levels.resize(std::max(tasks.levels.size(), at(level.back() + 1)));
    tasks.levels[at(level.back())].push_back(t);
    tasks.ranges.push_back({count - 1 - t, count - t});  // steps are numbered children first
    tasks.first_range.push_back(t + 1);
  }
  return tasks;
}

enum class Shape { independent, tree, columns };

/// An executor with its work.
class Case {
 public:
  Case(ExecutorKind kind, int threads, Shape shape, int turns)
      : shape_(shape), spin_(turns, count), tasks_(tasks_of(count, shape == Shape::tree)) {
    executor_ = make_executor(kind, threads);
    executor_->prepare(passes, &spin_, tasks_);
  }
  void run() {
    if (shape_ == Shape::columns)
      executor_->for_columns(count, &spin_, &Spin::column);
    else
      executor_->run();
  }

 private:
  static constexpr int count = 15;
  static constexpr std::array<Pass, 3> passes{
      {{Direction::scatter, &Spin::kernel}, {Direction::gather, &Spin::kernel}, {Direction::scatter, &Spin::kernel}}};

  Shape shape_;
  Spin spin_;
  Tasks tasks_;
  std::unique_ptr<Executor> executor_;
};

/// So many turns a task take so long on one thread: the least of many times, since what else runs only adds.
int turns_of(Shape shape, double work_ns) {
  using Clock = std::chrono::steady_clock;
  const auto least_ns = [&](int turns) {
    Case one(ExecutorKind::serial, 1, shape, turns);
    double least = std::numeric_limits<double>::max();
    for (int k = 0; k < 200; ++k) {
      const Clock::time_point begin = Clock::now();
      one.run();
      least = std::min(least, std::chrono::duration<double, std::nano>(Clock::now() - begin).count());
    }
    return least;
  };
  double turns = 100;  // short ones overlap in the processor, so that time is not in proportion
  for (int k = 0; k < 4; ++k) turns = std::max(1.0, turns * work_ns / least_ns(static_cast<int>(turns)));
  return static_cast<int>(turns);
}

void time_executor(benchmark::State& state, ExecutorKind kind, int threads, Shape shape, double work_ns) {
  static std::map<std::pair<Shape, double>, int> turns;  // found once, so that every executor has the same work
  const auto [entry, is_new] = turns.try_emplace({shape, work_ns});
  if (is_new) entry->second = turns_of(shape, work_ns);
  Case timed(kind, threads, shape, entry->second);
  for (auto _ : state) timed.run();
  state.counters["speedup"] = benchmark::Counter(work_ns * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}

[[maybe_unused]] const bool registered = [] {
  const int threads = std::max(2, physical_cores());
  for (const auto& [shape, name] : {std::pair{Shape::independent, "independent"}, std::pair{Shape::tree, "tree"},
                                    std::pair{Shape::columns, "columns"}})
    for (const auto& [work_ns, work] : {std::pair{1e3, "1us"}, std::pair{1e6, "1ms"}})
      for (const ExecutorKind kind :
           {ExecutorKind::serial, ExecutorKind::tbb, ExecutorKind::openmp, ExecutorKind::team}) {
        const int on = kind == ExecutorKind::serial ? 1 : threads;
        benchmark::RegisterBenchmark(
            fmt::format("executors/{}/{}/{}/threads:{}", name, work, to_word(kind), on).c_str(),
            [=, shape = shape, work_ns = work_ns](benchmark::State& state) {
              time_executor(state, kind, on, shape, work_ns);
            })
            ->UseRealTime();
      }
  return true;
}();

}  // namespace
}  // namespace kinetree::bench
