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
  /// Whether other workers steal this job only if its own is held up.
  virtual bool is_kept(int job) const = 0;
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
  /// None is: a worker seldom has the columns of its last call in its cache, and to wait for the slower of two takes
  /// longer than to fetch some. Where the second half of a queue was kept, batches of six robots and chains on two
  /// threads took 1.04 times as long, 1.1 times where a processor was slow.
  bool is_kept(int) const override { return false; }
  void run(int job, int worker, std::uint64_t) override { columns_.work(columns_.context, job, worker); }

 private:
  Stage columns_;
};

}  // namespace kinetree::inline inner
