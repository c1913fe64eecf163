#include "parallel/team.hpp"

#include "parallel/waiting.hpp"

namespace kinetree::inline inner {

void Team::start(Jobs& jobs) {
  std::uint64_t number = run_.number + 1;
  if (static_cast<std::uint32_t>(number) == 0) {  // queues know this half alone: none may have it from an earlier run
    for (Queue& queue : queues_) queue.next.store(0, std::memory_order_relaxed);
    ++number;
  }
  run_ = {number, done(), &jobs, Rounding::here()};
}

std::uint64_t Team::done() const {
  std::uint64_t sum = 0;
  for (const Done& one : done_) sum += one.jobs.load(std::memory_order_acquire);
  return sum;
}

class Team::Worker {
 public:
  Worker(Team& team, int number)
      : team_(team),
        run_(team.run_.number),
        before_(team.run_.done_before),
        jobs_(*team.run_.jobs),
        number_(number),
        end_(jobs_.begin(number + 1)),
        done_(team.done_[at(number)].jobs.load(std::memory_order_relaxed)),
        told_(done_) {}

  void go_through() {
    team_.queues_[at(number_)].begun.store(run_, std::memory_order_relaxed);
    const int count = jobs_.count();
    for (bool has_waited = false;;) {
      while (take(number_)) has_waited = false;
      tell();
      // Where a worker waits at the barrier before its next job, or at the run's end, it steals jobs from before there.
      const int job = next(number_), barrier = job < end_ ? jobs_.barrier(job) : count;
      const bool waits = !are_done(barrier);
      if (barrier == count && !waits) return;
      // Else it steals only from queues that their own workers have not begun, since its own next job comes soon. One
      // that has waited a while steals any job: the job's own worker may be held up.
      const bool stole = has_waited ? steal(Steal::all, count)
                                    : steal(waits ? Steal::not_kept : Steal::not_begun, waits ? barrier : count);
      if (stole) continue;
      if (has_waited) std::this_thread::yield();
      has_waited = !wait_shortly([&] {
        const int own = next(number_);  // read once: another worker may take it meanwhile
        return own < end_ ? ready(own) : are_done(count);
      });
    }
  }

 private:
  /// Whether so many jobs are done in this run.
  bool are_done(int jobs) const { return jobs == 0 || team_.done() >= before_ + at(jobs); }
  bool ready(int job) const { return are_done(jobs_.barrier(job)) && jobs_.ready(job, run_); }

  /// Says how many jobs it has done, where it has done more since it said so last.
  void tell() {
    if (told_ != done_) team_.done_[at(number_)].jobs.store(told_ = done_, std::memory_order_release);
  }

  std::uint64_t word(int job) const { return run_ << 32 | static_cast<std::uint32_t>(job); }
  /// The job that `word`, of the queue of `of`, says is next.
  int job_of(std::uint64_t word, int of) const {
    return static_cast<std::uint32_t>(word >> 32) == static_cast<std::uint32_t>(run_)
               ? static_cast<int>(static_cast<std::uint32_t>(word))
               : jobs_.begin(of);
  }
  int next(int of) const { return job_of(team_.queues_[at(of)].next.load(std::memory_order_relaxed), of); }

  /// Does the next job in the queue of worker `of`. False where there is none, or it has to wait.
  bool take(int of) {
    std::atomic<std::uint64_t>& next = team_.queues_[at(of)].next;
    std::uint64_t was = next.load(std::memory_order_relaxed);
    int job = 0;
    do {
      job = job_of(was, of);
      if (job >= jobs_.begin(of + 1) || !ready(job)) return false;
    } while (!next.compare_exchange_weak(was, word(job + 1), std::memory_order_relaxed));
    jobs_.run(job, number_, run_);
    ++done_;
    return true;
  }

  /// Steals a job of another worker's queue, one whose barrier is less than `before` jobs. False where it finds none.
  /// Where a third worker takes that job first, it may do the next one of the queue, of any kind.
  bool steal(Steal which, int before) {
    if (which == Steal::not_begun && all_begun_) return false;  // without a look at lines that their workers write
    bool all_begun = true;
    for (int k = 1; k < team_.workers_; ++k) {
      const int of = (number_ + k) % team_.workers_;
      const int job = next(of);
      if (job >= jobs_.begin(of + 1)) continue;
      const bool begun = team_.queues_[at(of)].begun.load(std::memory_order_relaxed) == run_;
      all_begun = all_begun && begun;
      if (jobs_.barrier(job) >= before) continue;
      const bool may = which == Steal::all || !begun || (which == Steal::not_kept && !jobs_.is_kept(job));
      if (may && take(of)) return true;
    }
    all_begun_ = all_begun;
    return false;
  }

  Team& team_;
  std::uint64_t run_;
  std::uint64_t before_;  ///< jobs done in all runs before
  Jobs& jobs_;
  int number_;
  int end_;             ///< of its queue
  std::uint64_t done_;  ///< by this worker in all runs
  std::uint64_t told_;
  bool all_begun_ = false;  ///< or used up: all others' queues, in this run
};

void Team::work(int worker) noexcept {
  const Rounding::Use as_the_caller(run_.rounding);
  Worker(*this, worker).go_through();
}

}  // namespace kinetree::inline inner
