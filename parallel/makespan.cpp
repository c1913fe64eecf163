#include "parallel/makespan.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "engine/scalar/index.hpp"
#include "parallel/jobs.hpp"

namespace kinetree::inline inner {
namespace {

template <class T>
using MinHeap = std::priority_queue<T, std::vector<T>, std::greater<>>;

/// Nanoseconds of a level, whose tasks are distributed by blocks: a thread does its own first, then steals, one by one.
double of_level(const std::vector<int>& level, const std::vector<double>& ns, int threads, ExecutorKind executor) {
  const bool steals = executor != ExecutorKind::openmp;
  const int count = static_cast<int>(level.size());
  std::vector<int> next(at(threads));
  MinHeap<std::pair<double, int>> free;  // threads, by the time since which they are free
  for (int w = 0; w < threads; ++w) {
    next[at(w)] = block_begin(count, w, threads);
    free.emplace(0, w);
  }
  const auto has = [&](int w, int thread) {
    return next[at(w)] < block_begin(count, w + 1, threads) && (steals || w == thread);
  };
  double end = 0;
  while (!free.empty()) {
    const auto [when, thread] = free.top();
    free.pop();
    end = std::max(end, when);
    for (int k = 0; k < threads; ++k)
      if (const int w = (thread + k) % threads; has(w, thread)) {
        free.emplace(when + ns[at(level[at(next[at(w)]++)])], thread);
        break;
      }
  }
  return end;
}

}  // namespace

double makespan(const Tasks& tasks, const std::vector<double>& ns, int threads, ExecutorKind executor) {
  double end = 0;
  if (waits_for_levels(executor, static_cast<int>(tasks.levels.size()))) {
    for (const std::vector<int>& level : tasks.levels) end += of_level(level, ns, threads, executor);
    return end;
  }
  std::vector<int> waits(at(tasks.count()), 0);  // over tasks: the number of children that each waits for
  std::vector<double> since(at(tasks.count()), 0);
  for (const int p : tasks.parent)
    if (p >= 0) ++waits[at(p)];
  MinHeap<std::pair<double, int>> ready;  // tasks, by the time since which they are ready
  for (int t = 0; t < tasks.count(); ++t)
    if (waits[at(t)] == 0) ready.emplace(0, t);
  MinHeap<double> free(std::greater<>(), std::vector<double>(at(threads), 0));  // times at which threads are free
  while (!ready.empty()) {
    const auto [when, task] = ready.top();
    ready.pop();
    const double done = std::max(when, free.top()) + ns[at(task)];
    free.pop();
    free.push(done);
    end = std::max(end, done);
    const int p = tasks.parent[at(task)];
    if (p < 0) continue;
    since[at(p)] = std::max(since[at(p)], done);
    if (--waits[at(p)] == 0) ready.emplace(since[at(p)], p);
  }
  return end;
}

double makespan(const Tasks& tasks, const std::vector<double>& ns, const std::vector<int>& workers, double delay_ns) {
  std::vector<double> since(ns.size(), 0), free(1, 0);  // over tasks, and over workers
  for (auto level = tasks.levels.rbegin(); level != tasks.levels.rend(); ++level)
    for (const int t : *level) {
      const int worker = workers[at(t)], parent = tasks.parent[at(t)];
      if (at(worker) >= free.size()) free.resize(at(worker) + 1);
      double& end = free[at(worker)];
      end = std::max(end, since[at(t)]) + ns[at(t)];
      if (parent < 0) continue;
      since[at(parent)] = std::max(since[at(parent)], end + (workers[at(parent)] == worker ? 0 : delay_ns));
    }
  return *std::ranges::max_element(free);
}

}  // namespace kinetree::inline inner
