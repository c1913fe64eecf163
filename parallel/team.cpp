#include "parallel/team.hpp"

#include "parallel/waiting.hpp"

namespace kinetree::inline inner {

void Team::start(std::span<const Level> levels) {
  // written where it changes only: other threads have it in their caches
  if (levels.data() != levels_.data() || levels.size() != levels_.size()) levels_ = levels;
  if (const Rounding here = Rounding::here(); here != rounding_) rounding_ = here;
  if (left_.size() < levels_.size()) {
    shares_ = std::vector<Share>(levels_.size() * at(workers_));
    left_ = std::vector<Left>(levels_.size());
  }
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    for (int w = 0; w < workers_; ++w) {
      Share& own = share(l, w);
      own.next.store(share_begin(levels_[l].count, w, workers_), std::memory_order_relaxed);
      own.begun.store(false, std::memory_order_relaxed);
      own.end = share_begin(levels_[l].count, w + 1, workers_);
    }
    left_[l].tasks.store(levels_[l].count, std::memory_order_relaxed);
  }
}

int Team::run_share(const Level& level, Share& share, int worker, int leave) {
  int done = 0;
  while (share.next.load(std::memory_order_relaxed) < share.end - leave) {
    const int task = share.next.fetch_add(1, std::memory_order_relaxed);
    if (task >= share.end) break;
    level.work(level.context, task, worker);
    ++done;
  }
  return done;
}

int Team::run_others(std::size_t l, int worker, int leave) {
  int done = 0;
  for (int k = 1; k < workers_; ++k) {
    Share& theirs = share(l, (worker + k) % workers_);
    done += run_share(levels_[l], theirs, worker, theirs.begun.load(std::memory_order_relaxed) ? leave : 0);
  }
  return done;
}

void Team::go_through(int worker) {
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const Level& level = levels_[l];
    std::atomic<int>& left = left_[l].tasks;
    const auto over = [&] { return left.load(std::memory_order_acquire) == 0; };
    if (over()) continue;
    int done = 0;
    if (level.count > 1 || worker == 0) {
      Share& own = share(l, worker);
      own.begun.store(true, std::memory_order_relaxed);
      done = run_share(level, own, worker, 0) + run_others(l, worker, kept(level.count, workers_));
    }
    if (done > 0) left.fetch_sub(done, std::memory_order_acq_rel);
    if (wait_shortly(over)) continue;
    // the workers of the tasks that are left may be held up: take these tasks, too
    if (const int more = run_others(l, worker, 0); more > 0) left.fetch_sub(more, std::memory_order_acq_rel);
    wait_until(over);
  }
}

void Team::work(int worker) {
  const Rounding::Use as_the_caller(rounding_);
  go_through(worker);
}

}  // namespace kinetree::inline inner
