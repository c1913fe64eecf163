#include "parallel/shares.hpp"

#include <algorithm>

#include "engine/scalar/index.hpp"
#include "parallel/makespan.hpp"

namespace kinetree::inline inner {
namespace {

class Shares {
 public:
  /// All shares have about the same work. A task that is alone in its level counts for nothing: other workers have
  /// nothing to do meanwhile.
  Shares(const Tasks& tasks, int workers) : tasks_(tasks), weight_(tasks.weight), first_(at(workers) + 1) {
    if (weight_.empty()) weight_.assign(at(tasks.count()), 1);
    std::vector<double> shared = weight_;
    for (const std::vector<int>& level : tasks.levels)
      if (level.size() == 1) shared[at(level.front())] = 0;
    double all = 0, before = 0;
    for (const double weight : shared) all += weight;
    int w = 1;
    for (int t = 0; t < tasks.count(); ++t) {
      for (; w < workers && workers * (before + shared[at(t)] / 2) > w * all; ++w) first_[at(w)] = t;
      before += shared[at(t)];
    }
    std::fill(first_.begin() + w, first_.end(), tasks.count());
  }

  /// Moves borders, one after another, to where a gather takes least.
  void move_borders() {
    constexpr int far = 3;                 // tasks
    constexpr std::size_t most = 1 << 15;  // a makespan goes over all tasks, for each place of each border
    if (first_.size() * weight_.size() > most) return;
    double least = makespan(tasks_, weight_, workers(), 0);
    for (std::size_t w = 1; w + 1 < first_.size(); ++w) {
      int best = first_[w];
      const int last = std::min(best + far, first_[w + 1]);
      for (int first = std::max(best - far, first_[w - 1]); first <= last; ++first) {
        first_[w] = first;
        const double span = makespan(tasks_, weight_, workers(), 0);
        if (span < 0.999 * least) least = span, best = first;
      }
      first_[w] = best;
    }
  }

  /// Over tasks.
  std::vector<int> workers() const {
    std::vector<int> worker(at(tasks_.count()));
    for (std::size_t w = 0; w + 1 < first_.size(); ++w)
      std::fill(worker.begin() + first_[w], worker.begin() + first_[w + 1], static_cast<int>(w));
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
  shares.move_borders();
  return shares.workers();
}

}  // namespace kinetree::inline inner
