#pragma once
// Team: threads that do the jobs of a run together. It does not know where its threads come from. A run does not wait
// for a thread that comes late or not at all: the others take its share.

#include <atomic>
#include <vector>

#include "engine/scalar/index.hpp"
#include "parallel/jobs.hpp"
#include "parallel/rounding.hpp"

namespace kinetree::inline inner {

class Team {
 public:
  explicit Team(int workers) : workers_(workers), shares_(at(workers)), done_(at(workers)) {}
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int workers() const { return workers_; }

  /// Opens a run of `jobs`, which must have as many shares as there are workers. To be called while no thread is in
  /// work().
  void start(Jobs& jobs);
  /// Works in the open run, and returns when all its jobs are done; other threads may still be on their way out. Any
  /// number of threads may call it, each with a `worker` of its own below workers(), one of them with 0. Jobs compute
  /// by the rounding of the thread that called start.
  void work(int worker);

 private:
  struct alignas(64) Share {
    std::atomic<int> next = 0;
    std::atomic<bool> begun = false;  ///< by its own worker
  };
  /// How many jobs a worker has done. It says so only when it has none to go on with: other workers may wait for this
  /// line of the cache, and each write would take as long as to fetch it from them.
  struct alignas(64) Done {
    std::atomic<int> jobs = 0;
  };
  /// Which jobs of another worker's share a worker takes.
  enum class Help {
    not_begun,  ///< of a share that its worker has not begun, all
    not_kept,   ///< and those that are not kept
    all
  };

  bool ready(int job) const {
    const int after = jobs_->after(job);
    return (after == 0 || are_done(after)) && jobs_->ready(job);
  }
  /// Whether so many jobs are done.
  bool are_done(int jobs) const;
  /// Does the next job of the share of `of`. False where there is none, or it has to wait.
  bool take(int of, int worker);
  /// Does a job of another worker's share, one that waits for fewer than `before` jobs. False where it finds none.
  bool help(int worker, Help which, int before);
  void go_through(int worker);

  int workers_;
  Rounding rounding_ = Rounding::here();
  Jobs* jobs_ = nullptr;
  std::vector<Share> shares_;  ///< over workers
  std::vector<Done> done_;     ///< over workers
};

}  // namespace kinetree::inline inner
