#include "parallel/pass_jobs.hpp"

#include <algorithm>

#include "parallel/assignment.hpp"
#include "parallel/dependences.hpp"

namespace kinetree::inline inner {
namespace {

/// A job before jobs are numbered by queues.
struct Draft {
  int stage = 0, index = 0;
  int worker = 0;
  int barrier = 0;
  std::vector<int> predecessors{};  ///< drafts
};

/// Finds the jobs of a run, in order of stages.
class Drafts {
 public:
  Drafts(std::span<const Pass> passes, const Tasks& tasks, const Stages& stages, int workers)
      : of_(passes.size(), std::vector<int>(at(std::max(1, tasks.count())), -1)), last_stage_(passes.size()) {
    const std::vector<int> worker = workers_of(tasks, workers);
    set_jobs(passes, stages, worker, workers_of_any_order(tasks, worker, workers));
    set_waits(by_neighbours(passes, tasks));
  }

  std::vector<Draft> all;

 private:
  /// `workers`, `of_any_order`: over tasks, the latter in passes of any order.
  void set_jobs(std::span<const Pass> passes, const Stages& stages, const std::vector<int>& workers,
                const std::vector<int>& of_any_order) {
    int nearest = -1;  // of the job's tasks the one nearest the ground
    stages.for_runs([&](std::size_t stage, int index, int pass, int task) {
      const int s = static_cast<int>(stage);
      if (all.empty() || all.back().stage != s) first_.resize(stage + 1, static_cast<int>(all.size()));
      if (all.empty() || all.back().stage != s || all.back().index != index) {
        all.push_back({s, index});
        nearest = -1;
      }
      of(pass, task) = static_cast<int>(all.size()) - 1;
      last_stage_[at(pass)] = s;
      if (task < 0 || (nearest >= 0 && nearest <= task)) return;
      nearest = task;
      all.back().worker = (passes[at(pass)].direction == Direction::each ? of_any_order : workers)[at(task)];
    });
    first_.push_back(static_cast<int>(all.size()));
  }

  void set_waits(const Dependences& dependences) {
    for (const Dependences::Node& node : dependences.nodes) {
      if (node.pass < 0) continue;
      const int job = of(node.pass, node.task);
      Draft& own = all[at(job)];
      if (node.task < 0 && node.predecessors.size() > 1) {
        set_barrier(own, node.pass);
        continue;
      }
      for (const int k : node.predecessors) {
        const Dependences::Node& other = dependences.nodes[at(k)];
        if (other.pass < 0) {
          if (k != 0) set_barrier(own, node.pass);
        } else if (const int before = of(other.pass, other.task);
                   before != job && std::ranges::find(own.predecessors, before) == own.predecessors.end()) {
          own.predecessors.push_back(before);
        }
      }
    }
  }

  /// All jobs before `pass` come first; those of the job's own stage are the job itself.
  void set_barrier(Draft& job, int pass) const {
    job.barrier = std::max(job.barrier, first_[at(std::min(job.stage, last_stage_[at(pass - 1)] + 1))]);
  }

  int& of(int pass, int task) { return of_[at(pass)][at(std::max(task, 0))]; }

  std::vector<std::vector<int>> of_;  ///< over passes, then over tasks: the job
  std::vector<int> last_stage_;       ///< over passes: the last stage that goes through the pass
  std::vector<int> first_;            ///< over stages, and one more: the first job
};

}  // namespace

PassJobs::PassJobs(std::span<const Pass> passes, const Tasks& tasks, Stages& stages, int workers)
    : stages_(stages.all()) {
  const std::vector<Draft> drafts = Drafts(passes, tasks, stages, workers).all;
  std::vector<int> order, number(drafts.size());
  for (int w = 0; w < workers; ++w) {
    begins_.push_back(static_cast<int>(order.size()));
    for (std::size_t d = 0; d < drafts.size(); ++d)
      if (drafts[d].worker == w) number[d] = static_cast<int>(order.size()), order.push_back(static_cast<int>(d));
  }
  begins_.push_back(static_cast<int>(order.size()));
  std::vector<bool> crossing(drafts.size(), false);
  for (const int d : order) {
    const Draft& draft = drafts[at(d)];
    jobs_.push_back({draft.stage, draft.index, draft.barrier, static_cast<int>(predecessors_.size())});
    for (const int before : draft.predecessors) {
      predecessors_.push_back(number[at(before)]);
      if (drafts[at(before)].worker != draft.worker) crossing[at(number[at(before)])] = true;
    }
  }
  jobs_.push_back({.first_predecessor = static_cast<int>(predecessors_.size())});
  set_marks(crossing);
  keep_halves();
}

/// A mark that other workers wait for, `crossing`, has a line of the cache to itself, and no two workers' marks share
/// one: else to set a mark would take as long as to fetch its line from another core.
void PassJobs::set_marks(const std::vector<bool>& crossing) {
  constexpr int line = 8;  // marks
  int next = 0;
  for (int job = 0; job < count(); ++job) {
    const bool apart =
        crossing[at(job)] || (job > 0 && crossing[at(job - 1)]) || std::ranges::find(begins_, job) != begins_.end();
    jobs_[at(job)].mark = next += apart ? line : 1;
  }
  marks_ = std::vector<std::atomic<std::uint64_t>>(at(next + line));
  for (int& before : predecessors_) before = jobs_[at(before)].mark;
}

/// Of a queue's jobs in one stage the last half are kept: the worker's cache has their data, and to fetch data from
/// there takes longer than most waits. On cores that share no cache tree:2x8 to tree:2x12 took 1.15 times as long where
/// an eighth was kept, random:128:seed=1 1.4 times.
void PassJobs::keep_halves() {
  for (std::size_t w = 0; w + 1 < begins_.size(); ++w)
    for (int job = begins_[w], end = job; job < begins_[w + 1]; job = end) {
      while (end < begins_[w + 1] && jobs_[at(end)].stage == jobs_[at(job)].stage) ++end;
      for (int k = end - (end - job + 1) / 2; k < end; ++k) jobs_[at(k)].kept = true;
    }
}

}  // namespace kinetree::inline inner
