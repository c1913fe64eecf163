#pragma once
// The jobs of passes: each task of each stage is one. In a gather or a scatter a job waits for its neighbours in the
// tree of tasks alone. Before and after a pass of any order or without steps, and between two passes of one direction,
// stands a barrier: there it waits for all jobs of the pass before.

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/algorithm/pass.hpp"
#include "parallel/jobs.hpp"
#include "parallel/stages.hpp"
#include "parallel/tasks.hpp"

namespace kinetree::inline inner {

/// A worker's queue is its tasks (workers_of, workers_of_any_order) in all stages, one stage after another.
class PassJobs final : public Jobs {
 public:
  /// `stages`: those of `passes` over `tasks`. They must outlive the jobs.
  PassJobs(std::span<const Pass> passes, const Tasks& tasks, Stages& stages, int workers);

  int barrier(int job) const override { return jobs_[at(job)].barrier; }
  bool ready(int job, std::uint64_t run) const override {
    for (int k = jobs_[at(job)].first_predecessor; k < jobs_[at(job) + 1].first_predecessor; ++k)
      if (marks_[at(predecessors_[at(k)])].load(std::memory_order_acquire) != run) return false;
    return true;
  }
  bool is_kept(int job) const override { return jobs_[at(job)].kept; }
  void run(int job, int worker, std::uint64_t run) override {
    const Job& own = jobs_[at(job)];
    const Stage& stage = stages_[at(own.stage)];
    stage.work(stage.context, own.index, worker);
    marks_[at(own.mark)].store(run, std::memory_order_release);
  }

 private:
  struct Job {
    int stage = 0, index = 0;
    int barrier = 0;
    int first_predecessor = 0;  ///< into predecessors_; the last job's end at the first of one more
    int mark = 0;               ///< into marks_
    bool kept = false;
  };

  void set_marks(const std::vector<bool>& crossing);
  void keep_halves();

  std::vector<Stage> stages_;
  std::vector<Job> jobs_;                          ///< by queues, and one more
  std::vector<int> predecessors_;                  ///< marks of the jobs that each job waits for
  std::vector<std::atomic<std::uint64_t>> marks_;  ///< the run that did the job last
};

}  // namespace kinetree::inline inner
