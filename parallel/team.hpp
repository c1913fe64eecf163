#pragma once
// Team: threads that go through levels of tasks together. It does not know where its threads come from: an executor's
// runtime lends them. Whoever comes late, or not at all, is not waited for; its share is taken by the others.

#include <atomic>
#include <span>
#include <vector>

namespace kinetree {

/// Tasks that may run in any order.
struct Level {
  int count = 0;
  void* context = nullptr;
  void (*work)(void* context, int task, int worker) = nullptr;
};

/// Tasks are shared out by place, so that a worker meets the same ones in every level of the same count, and its cores
/// what they have in the cache.
class Team {
 public:
  /// The first task of a worker's share; the last worker's ends at `count`. A level of one task is the caller's.
  static int share_begin(int count, int worker, int workers) {
    return static_cast<int>((static_cast<long>(count) * worker + workers - 1) / workers);
  }

  explicit Team(int workers) : workers_(workers) {}
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team();

  int workers() const { return workers_; }

  /// What every run goes through, one level after another. Nobody is at work. As many levels as before allocate
  /// nothing.
  void prepare(std::span<const Level> levels);
  /// By the caller, before anyone works.
  void start();
  /// By every thread, with a number of its own below workers(). The caller's is 0, and it must come; it returns when
  /// everything is done.
  void work(int worker);

 private:
  struct alignas(64) Share {
    std::atomic<int> next = 0;
    int end = 0;
  };
  struct alignas(64) Left {
    std::atomic<int> tasks = 0;
  };

  Share& share(std::size_t level, int worker) {
    return shares_[level * static_cast<std::size_t>(workers_) + static_cast<std::size_t>(worker)];
  }
  static int run_share(const Level& level, Share& share, int worker);

  int workers_;
  std::vector<Level> levels_;
  std::vector<Share> shares_;  ///< over levels and workers
  std::vector<Left> left_;     ///< over levels
  /// What was written before a start, or done by whoever has finished, is before what the caller does next.
  std::atomic<unsigned> order_ = 0;
};

}  // namespace kinetree
