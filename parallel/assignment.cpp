#include "parallel/assignment.hpp"

#include <algorithm>
#include <numeric>

#include "engine/partition/price_table.hpp"
#include "engine/scalar/index.hpp"
#include "parallel/makespan.hpp"

namespace kinetree::inline inner {
namespace {

std::vector<double> weights(const Tasks& tasks) {
  return tasks.weight.empty() ? std::vector<double>(at(tasks.count()), 1) : tasks.weight;
}

class Assignment {
 public:
  Assignment(const Tasks& tasks, int workers)
      : tasks_(tasks), weight_(weights(tasks)), first_(at(workers) + 1, tasks.count()) {
    first_.front() = 0;
  }

  /// All workers have about as much of `work`, which is over tasks.
  void distribute(const std::vector<double>& work) {
    const auto workers = static_cast<double>(first_.size() - 1);
    double all = 0, before = 0;
    for (const double one : work) all += one;
    std::size_t w = 1;
    for (int t = 0; t < tasks_.count(); ++t) {
      for (; w + 1 < first_.size() && workers * (before + work[at(t)] / 2) > static_cast<double>(w) * all; ++w)
        first_[w] = t;
      before += work[at(t)];
    }
    std::fill(first_.begin() + static_cast<std::ptrdiff_t>(w), first_.end(), tasks_.count());
  }

  /// All workers have about as much work. A task that is alone in its level counts for nothing: other workers have
  /// nothing to do meanwhile.
  void distribute_parallel_work() {
    std::vector<double> work = weight_;
    for (const std::vector<int>& level : tasks_.levels)
      if (level.size() == 1) work[at(level.front())] = 0;
    distribute(work);
  }

  /// Moves the first task of each worker, one after another, to where a gather takes least.
  void balance() {
    constexpr int far = 3;                 // tasks
    constexpr std::size_t most = 1 << 15;  // a makespan goes over all tasks, for each of these moves
    if (first_.size() * weight_.size() > most) return;
    double shortest = makespan(tasks_, weight_, along_levels(), 0);
    for (std::size_t w = 1; w + 1 < first_.size(); ++w) {
      int best = first_[w];
      const int last = std::min(best + far, first_[w + 1]);
      for (int first = std::max(best - far, first_[w - 1]); first <= last; ++first) {
        first_[w] = first;
        const double time = makespan(tasks_, weight_, along_levels(), 0);
        if (time < 0.999 * shortest) shortest = time, best = first;
      }
      first_[w] = best;
    }
  }

  /// Over tasks: the workers.
  std::vector<int> workers() const {
    std::vector<int> worker(at(tasks_.count()));
    for (std::size_t w = 0; w + 1 < first_.size(); ++w)
      std::fill(worker.begin() + first_[w], worker.begin() + first_[w + 1], static_cast<int>(w));
    return worker;
  }

  /// Single tasks of levels in a row are one worker's.
  std::vector<int> along_levels() const {
    std::vector<int> worker = workers();
    const auto& levels = tasks_.levels;
    for (std::size_t l = 1; l < levels.size(); ++l)
      if (levels[l - 1].size() == 1 && levels[l].size() == 1)
        worker[at(levels[l].front())] = worker[at(levels[l - 1].front())];
    return worker;
  }

 private:
  const Tasks& tasks_;
  std::vector<double> weight_;
  std::vector<int> first_;  ///< over workers, and one more: the first task
};

}  // namespace

std::vector<int> workers_of(const Tasks& tasks, int workers) {
  Assignment assignment(tasks, workers);
  assignment.distribute_parallel_work();
  assignment.balance();
  return assignment.along_levels();
}

std::vector<int> workers_of_any_order(const Tasks& tasks, const std::vector<int>& worker, int workers) {
  if (worker.empty()) return {};
  const std::vector<double> weight = weights(tasks), load = loads(weight, worker, workers);
  const double all = std::accumulate(load.begin(), load.end(), 0.0);
  if (std::ranges::max(load) <= price::uneven * std::max(all / workers, std::ranges::max(weight))) return worker;
  Assignment assignment(tasks, workers);
  assignment.distribute(weight);
  return assignment.workers();
}

std::vector<double> loads(const std::vector<double>& work, const std::vector<int>& worker, int workers) {
  std::vector<double> load(at(workers), 0);
  for (std::size_t t = 0; t < work.size(); ++t) load[at(worker[t])] += work[t];
  return load;
}

}  // namespace kinetree::inline inner
