#pragma once
// Jobs: what a team does in one run, in a queue for each worker.

#include <cstdint>
#include <vector>

#include "engine/scalar/index.hpp"
#include "parallel/stages.hpp"

namespace kinetree::inline inner {

/// The first of `count` things that one worker has in a block distribution: all have about as many, and the last one's
/// end at `count`. One thing alone is the first worker's.
inline int block_begin(int count, int worker, int workers) {
  return static_cast<int>((static_cast<long>(count) * worker + workers - 1) / workers);
}

/// Of `jobs` jobs in a worker's queue that may run at the same time, how many are stolen only if it is held up: the
/// last half. Its cache has their data, and to fetch data from there takes longer than most waits. On cores that
/// share no cache tree:2x8 to tree:2x12 took 1.15 times as long where an eighth was kept, random:128:seed=1 1.4 times.
inline int kept(int jobs) { return (jobs + 1) / 2; }

class Jobs {
 public:
  Jobs() = default;
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;
  virtual ~Jobs() = default;

  int count() const { return begins_.back(); }
  /// A worker's queue is the jobs from begin(worker) to begin(worker + 1). Jobs of a queue start in this order.
  int begin(int worker) const { return begins_[at(worker)]; }

  /// The barrier before this job: how many jobs of the run must be done first; 0: none. Jobs that must come after this
  /// one are behind the same barrier, or have this one as a predecessor.
  virtual int barrier(int job) const = 0;
  /// Whether this run has done the job's predecessors. `run`: its number; no two runs have the same.
  virtual bool ready(int job, std::uint64_t run) const = 0;
  /// Whether a job of a worker's queue is kept for this worker.
  virtual bool is_kept(int job, int worker) const = 0;
  virtual void run(int job, int worker, std::uint64_t run) = 0;

 protected:
  std::vector<int> begins_;  ///< over workers, and one more
};

/// Jobs that may run in any order.
class ColumnJobs final : public Jobs {
 public:
  explicit ColumnJobs(int workers) { begins_.resize(at(workers) + 1); }

  void set(const Stage& columns) {
    // written where it changes only: other threads have it in their caches
    if (columns == columns_) return;
    columns_ = columns;
    const int workers = static_cast<int>(begins_.size()) - 1;
    for (int w = 0; w <= workers; ++w) begins_[at(w)] = block_begin(columns.count, w, workers);
  }

  int barrier(int) const override { return 0; }
  bool ready(int, std::uint64_t) const override { return true; }
  bool is_kept(int job, int worker) const override {
    return job >= begin(worker + 1) - kept(begin(worker + 1) - begin(worker));
  }
  void run(int job, int worker, std::uint64_t) override { columns_.work(columns_.context, job, worker); }

 private:
  Stage columns_;
};

}  // namespace kinetree::inline inner
