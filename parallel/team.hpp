#pragma once
// Team: threads that go through levels of tasks together. It does not know where its threads come from. A round does
// not wait for a thread that comes late or not at all: the others take its share.

#include <atomic>
#include <span>
#include <vector>

#include "engine/scalar/index.hpp"
#include "parallel/rounding.hpp"
#include "parallel/stages.hpp"

namespace kinetree::inline inner {

/// Tasks are shared out by place, so that a worker meets the same ones in every level of the same count, and its cores
/// what they have in the cache.
class Team {
 public:
  /// The first task of a worker's share; the last worker's ends at `count`. A level of one task is the first worker's.
  static int share_begin(int count, int worker, int workers) {
    return static_cast<int>((static_cast<long>(count) * worker + workers - 1) / workers);
  }

  /// So many tasks at the end of a share are its own worker's, unless that is held up: their data are in its cache, and
  /// take longer to come from there than most waits. On cores that share no cache tree:2x8 to 2x12 took 1.15 times as
  /// long where an eighth was kept, random:128:seed=1 1.4 times.
  static int kept(int count, int workers) { return ((count + workers - 1) / workers + 1) / 2; }

  explicit Team(int workers) : workers_(workers) {}
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int workers() const { return workers_; }

  /// Opens a round that goes through levels one after another. No thread is in work() now; threads call work() after
  /// this. As many levels as ever before allocate nothing.
  void start(std::span<const Level> levels);
  /// By any number of threads, each with a number of its own below workers(), 0 among them: that one takes levels of
  /// one task, since what they need is in its cache. Returns when every task is done; others may be on their way out.
  /// Tasks compute by the rounding of the thread that called start.
  void work(int worker);

 private:
  struct alignas(64) Share {
    std::atomic<int> next = 0;
    std::atomic<bool> begun = false;  ///< by its own worker
    int end = 0;
  };
  struct alignas(64) Left {
    std::atomic<int> tasks = 0;
  };

  Share& share(std::size_t level, int worker) { return shares_[level * at(workers_) + at(worker)]; }
  /// How many tasks it did; `leave`: so many are left.
  static int run_share(const Level& level, Share& share, int worker, int leave);
  /// How many tasks of the other workers' shares it did; `leave` as above, but 0 for shares that no worker has begun.
  int run_others(std::size_t level, int worker, int leave);
  void go_through(int worker);

  int workers_;
  Rounding rounding_ = Rounding::here();
  std::span<const Level> levels_;
  std::vector<Share> shares_;  ///< over levels and workers
  std::vector<Left> left_;     ///< over levels
};

}  // namespace kinetree::inline inner
