#pragma once
// Team: threads that do the jobs of a run together. It does not know where its threads come from. A run does not wait
// for a thread that comes late or not at all: the others steal its jobs.

#include <atomic>
#include <cstdint>
#include <vector>

#include "engine/scalar/index.hpp"
#include "parallel/jobs.hpp"
#include "parallel/rounding.hpp"

namespace kinetree::inline inner {

class Team {
 public:
  explicit Team(int workers) : workers_(workers), queues_(at(workers)), done_(at(workers)) {}
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int workers() const { return workers_; }

  /// Opens a run of `jobs`, which must have as many queues as there are workers. To be called while no thread is in
  /// work().
  void start(Jobs& jobs);
  /// Works in the open run, and returns when all its jobs are done; other threads may still be on their way out. Any
  /// number of threads may call it, each with a `worker` of its own below workers(); one is enough. Jobs compute by the
  /// rounding of the thread that called start, and must not throw.
  void work(int worker) noexcept;

 private:
  /// The open run. All workers read it, and start() writes no other line of the cache: lines of a worker's own stay in
  /// its cache from run to run.
  struct alignas(64) Run {
    std::uint64_t number = 0;
    std::uint64_t done_before = 0;  ///< jobs, by all workers in all runs before
    Jobs* jobs = nullptr;
    Rounding rounding = Rounding::here();
  };
  struct alignas(64) Queue {
    /// The next job, and above 32 bits the low half of the run's number. Where that is another run's, the next job is
    /// the queue's first.
    std::atomic<std::uint64_t> next = 0;
    std::atomic<std::uint64_t> begun = 0;  ///< the last run that its own worker has begun
  };
  /// How many jobs a worker has done in all runs. It says so only when it has none to go on with: other workers may
  /// wait for this line, and each write would take as long as to fetch it from them.
  struct alignas(64) Done {
    std::atomic<std::uint64_t> jobs = 0;
  };
  /// Which jobs of another worker's queue a worker steals.
  enum class Steal {
    not_begun,  ///< all jobs of a queue that its worker has not begun; none of other queues
    not_kept,   ///< these, and of other queues the jobs that are not kept
    all         ///< every job
  };

  /// Of all workers, in all runs.
  std::uint64_t done() const;
  class Worker;  ///< a worker in the open run

  int workers_;
  Run run_;
  std::vector<Queue> queues_;  ///< over workers
  std::vector<Done> done_;     ///< over workers
};

}  // namespace kinetree::inline inner
