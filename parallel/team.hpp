#pragma once
// Team: threads that go through levels of tasks together. It does not know where its threads come from: an executor's
// runtime lends them. Whoever comes late, or not at all, is not waited for; its share is taken by the others. A thread
// may stand by for the next round instead of going to sleep: to be woken takes longer than many a round.

#include <atomic>
#include <span>
#include <vector>

#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

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

  explicit Team(int workers) : workers_(workers), places_(at(workers)) {}
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team();

  int workers() const { return workers_; }

  /// What every run goes through, one level after another. Nobody is at work. As many levels as before allocate
  /// nothing.
  void prepare(std::span<const Level> levels);
  /// By the caller, before anyone works: a round is open.
  void start();
  /// By every thread, with a number of its own below workers(). The caller's is 0, and it must come; it returns when
  /// everything is done and nobody is at work. Another returns when everything is done, or at once where no round is
  /// open to it.
  void work(int worker);

  /// By the caller, after start: whether nobody stands by as this worker. Then somebody must be sent to stand_by.
  bool summon(int worker);
  /// Works for round after round, until none has come for a while, another team has summoned somebody or the team is
  /// dismissed.
  void stand_by(int worker);
  /// By the caller, after the last round: whoever stands by goes.
  void dismiss() const;

 private:
  struct alignas(64) Share {
    std::atomic<int> next = 0;
    std::atomic<bool> begun = false;  ///< by its own worker
    int end = 0;
  };
  struct alignas(64) Left {
    std::atomic<int> tasks = 0;
  };
  /// Whether a round is open to a worker, and whether it is in it: nobody meets the levels of another round.
  enum class Gate { closed, open, busy };
  struct alignas(64) Place {
    std::atomic<Gate> gate = Gate::closed;
    std::atomic<bool> taken = false;  ///< somebody stands by, or is on the way
  };

  Share& share(std::size_t level, int worker) { return shares_[level * at(workers_) + at(worker)]; }
  /// How many tasks it did; `leave`: so many are left.
  static int run_share(const Level& level, Share& share, int worker, int leave);
  /// The same of the others' shares; of those that nobody has begun nothing is left.
  int run_others(std::size_t level, int worker, int leave);
  void go_through(int worker);
  /// What a worker but the caller does: false where no round is open to it.
  bool help(int worker);
  /// Whether a round opens before it is time to go.
  bool another_round(const Place& place) const;

  int workers_;
  std::vector<Place> places_;  ///< over workers; the caller's is not used
  std::vector<Level> levels_;
  std::vector<Share> shares_;  ///< over levels and workers
  std::vector<Left> left_;     ///< over levels
  /// What the caller did before whoever it summoned, and all that anyone did before the end. The executor's runtime
  /// sees to that, where ThreadSanitizer does not look.
  std::atomic<unsigned> order_ = 0;
};

}  // namespace kinetree::inline inner
