// What executors add to work of a known length: passes over tasks that touch nothing of each other's, and columns. Each
// case does 1 µs or 1 ms of work on one thread; `speedup` is that over the time it takes.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <vector>

#include "bench/micro/register.hpp"
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
};

/// The least of many: what else runs on the machine only adds.
double ns_of_turn() {
  using Clock = std::chrono::steady_clock;
  constexpr int turns = 10000;
  Spin spin(turns, 1);
  double least = std::numeric_limits<double>::max();
  for (int k = 0; k < 200; ++k) {
    const Clock::time_point begin = Clock::now();
    spin.work(0);
    least = std::min(least, std::chrono::duration<double, std::nano>(Clock::now() - begin).count());
  }
  return least / turns;
}

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

void time_executor(benchmark::State& state, ExecutorKind kind, int threads, Shape shape, double work_ns) {
  static const double turn = ns_of_turn();
  constexpr int count = 15;
  constexpr Pass out{Direction::scatter, [](void* space, int step) { static_cast<Spin*>(space)->work(step); }},
      in{Direction::gather, out.kernel};
  static constexpr std::array passes{out, in, out};
  const int runs = shape == Shape::columns ? count : count * static_cast<int>(passes.size());
  Spin spin(std::max(1, static_cast<int>(work_ns / runs / turn)), count);
  const Tasks tasks = tasks_of(count, shape == Shape::tree);
  const auto executor = make_executor(kind, threads);
  executor->prepare(passes, &spin, tasks);
  for (auto _ : state) {
    if (shape == Shape::columns)
      executor->for_columns(count, &spin, [](void* space, int column, int) { static_cast<Spin*>(space)->work(column); });
    else
      executor->run();
  }
  state.counters["speedup"] =
      benchmark::Counter(work_ns * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}

}  // namespace

void register_executors() {
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
}

}  // namespace kinetree::bench
