#include "parallel/shares.hpp"

#include <algorithm>
#include <numeric>

#include "engine/scalar/index.hpp"
#include "parallel/makespan.hpp"

namespace kinetree::inline inner {
namespace {

std::vector<double> weights(const Tasks& tasks) {
  return tasks.weight.empty() ? std::vector<double>(at(tasks.count()), 1) : tasks.weight;
}

class Shares {
 public:
  explicit Shares(const Tasks& tasks, int workers)
      : tasks_(tasks), weight_(weights(tasks)), first_(at(workers) + 1, tasks.count()) {
    first_.front() = 0;
  }

  /// All shares have about the same sum of `work`, over tasks.
  void share(const std::vector<double>& work) {
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

  /// Of levels: a task that is alone in its level counts for nothing, since other workers have nothing to do meanwhile.
  void share_levels() {
    std::vector<double> shared = weight_;
    for (const std::vector<int>& level : tasks_.levels)
      if (level.size() == 1) shared[at(level.front())] = 0;
    share(shared);
  }

  /// Moves borders, one after another, to where a gather takes least.
  void move_borders() {
    constexpr int far = 3;                 // tasks
    constexpr std::size_t most = 1 << 15;  // a makespan goes over all tasks, for each place of each border
    if (first_.size() * weight_.size() > most) return;
    double least = makespan(tasks_, weight_, along_levels(), 0);
    for (std::size_t w = 1; w + 1 < first_.size(); ++w) {
      int best = first_[w];
      const int last = std::min(best + far, first_[w + 1]);
      for (int first = std::max(best - far, first_[w - 1]); first <= last; ++first) {
        first_[w] = first;
        const double span = makespan(tasks_, weight_, along_levels(), 0);
        if (span < 0.999 * least) least = span, best = first;
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
  Shares shares(tasks, workers);
  shares.share_levels();
  shares.move_borders();
  return shares.along_levels();
}

std::vector<int> workers_of_any_order(const Tasks& tasks, int workers) {
  const std::vector<double> weight = weights(tasks);
  std::vector<int> worker = workers_of(tasks, workers);
  std::vector<double> load(at(workers), 0);
  for (int t = 0; t < tasks.count(); ++t) load[at(worker[at(t)])] += weight[at(t)];
  const double all = std::accumulate(load.begin(), load.end(), 0.0);
  const double most = weight.empty() ? 0 : *std::ranges::max_element(weight);
  if (*std::ranges::max_element(load) <= 1.5 * std::max(all / workers, most)) return worker;
  Shares shares(tasks, workers);
  shares.share(weight);
  return shares.workers();
}

}  // namespace kinetree::inline inner
