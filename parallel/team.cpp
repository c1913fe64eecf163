#include <kinetree/parallel/team.hpp>
#include <thread>

namespace kinetree {
namespace {

/// Waits for little work of another thread's; where that thread has no core, it gets this one.
template <class Done>
void wait_until(Done&& done) {
  constexpr int patience = 1000;
  for (int k = 0; !done(); ++k) {
    if (k < patience)
      __builtin_ia32_pause();
    else
      std::this_thread::yield();
  }
}

}  // namespace

// Here, since the file that inlined it may be one that ThreadSanitizer does not look into.
Team::~Team() { order_.load(std::memory_order_acquire); }

void Team::prepare(std::span<const Level> levels) {
  order_.load(std::memory_order_acquire);
  const bool fits = levels.size() == levels_.size();
  levels_.assign(levels.begin(), levels.end());
  if (fits) return;
  shares_ = std::vector<Share>(levels_.size() * static_cast<std::size_t>(workers_));
  left_ = std::vector<Left>(levels_.size());
}

void Team::start() {
  order_.load(std::memory_order_acquire);
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    for (int w = 0; w < workers_; ++w) {
      Share& own = share(l, w);
      own.next.store(share_begin(levels_[l].count, w, workers_), std::memory_order_relaxed);
      own.end = share_begin(levels_[l].count, w + 1, workers_);
    }
    left_[l].tasks.store(levels_[l].count, std::memory_order_relaxed);
  }
  order_.fetch_add(1, std::memory_order_release);
}

int Team::run_share(const Level& level, Share& share, int worker) {
  int done = 0;
  while (share.next.load(std::memory_order_relaxed) < share.end) {
    const int task = share.next.fetch_add(1, std::memory_order_relaxed);
    if (task >= share.end) break;
    level.work(level.context, task, worker);
    ++done;
  }
  return done;
}

void Team::work(int worker) {
  order_.load(std::memory_order_acquire);
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const Level& level = levels_[l];
    std::atomic<int>& left = left_[l].tasks;
    if (left.load(std::memory_order_acquire) == 0) continue;
    int done = run_share(level, share(l, worker), worker);
    // nobody else's where there is but one: what it needs is in the caller's cache
    for (int k = 1; k < workers_ && level.count > 1; ++k)
      done += run_share(level, share(l, (worker + k) % workers_), worker);
    if (done > 0) left.fetch_sub(done, std::memory_order_acq_rel);
    wait_until([&] { return left.load(std::memory_order_acquire) == 0; });
  }
  order_.fetch_add(1, std::memory_order_release);
}

}  // namespace kinetree
