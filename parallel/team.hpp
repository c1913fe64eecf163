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

/// Tasks are shared out by place: a worker has the same tasks of a level in every pass, and about the same in passes of
/// any order (stages.cpp), and their data in the cache of its core.
class Team {
 public:
  /// The first task of a worker's share; the last worker's ends at `count`. A level of one task is the first worker's.
  static int share_begin(int count, int worker, int workers) {
    return static_cast<int>((static_cast<long>(count) * worker + workers - 1) / workers);
  }

  /// How many tasks at the end of a share are left to its own worker, unless this worker is held up: its cache has
  /// their data, and to fetch data from there takes longer than most waits. On cores that share no cache tree:2x8 to
  /// tree:2x12 took 1.15 times as long where an eighth was kept, random:128:seed=1 1.4 times.
  static int kept(int count, int workers) { return ((count + workers - 1) / workers + 1) / 2; }

  explicit Team(int workers) : workers_(workers) {}
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int workers() const { return workers_; }

  /// Opens a round, which goes through `levels` one after another. To be called while no thread is in work(). Allocates
  /// only where there are more levels than in all rounds before.
  void start(std::span<const Level> levels);
  /// Works in the open round, and returns when all its tasks are done; other threads may still be on their way out. Any
  /// number of threads may call it, each with a `worker` of its own below workers(), one of them with 0: that one takes
  /// levels of one task, whose data are in its cache. Tasks compute by the rounding of the thread that called start.
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
  /// Does tasks of a share until `leave` are left. Returns how many it did.
  static int run_share(const Level& level, Share& share, int worker, int leave);
  /// Does tasks of all other shares, each until `leave` are left; all, of a share that its worker has not begun.
  /// Returns how many it did.
  int run_others(std::size_t level, int worker, int leave);
  void go_through(int worker);

  int workers_;
  Rounding rounding_ = Rounding::here();
  std::span<const Level> levels_;
  std::vector<Share> shares_;  ///< over levels and workers
  std::vector<Left> left_;     ///< over levels
};

}  // namespace kinetree::inline inner
