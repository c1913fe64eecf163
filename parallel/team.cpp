#include "parallel/team.hpp"

#include "parallel/waiting.hpp"

namespace kinetree::inline inner {

void Team::start(Jobs& jobs) {
  // written where it changes only: other threads have it in their caches
  if (jobs_ != &jobs) jobs_ = &jobs;
  if (const Rounding here = Rounding::here(); here != rounding_) rounding_ = here;
  const std::uint64_t run = shares_.front().run + 1;
  const std::uint64_t before = done();
  for (int w = 0; w < workers_; ++w) {
    Share& share = shares_[at(w)];
    share.next.store(jobs.begin(w), std::memory_order_relaxed);
    share.begun.store(false, std::memory_order_relaxed);
    share.run = run;
    share.done_before = before;
  }
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
        jobs_(*team.jobs_),
        number_(number),
        own_(team.shares_[at(number)]),
        end_(jobs_.begin(number + 1)),
        run_(own_.run),
        before_(own_.done_before),
        done_(team.done_[at(number)].jobs.load(std::memory_order_relaxed)) {}

  void go_through() {
    own_.begun.store(true, std::memory_order_relaxed);
    const int count = jobs_.count();
    for (bool has_waited = false;;) {
      while (take(number_)) has_waited = false;
      team_.done_[at(number_)].jobs.store(done_, std::memory_order_release);
      // A worker rests where its next job waits for `until` jobs. Meanwhile it helps with jobs that come before.
      const int job = next(), until = job < end_ ? jobs_.after(job) : count;
      const bool rests = !are_done(until);
      if (until == count && !rests) return;
      // A worker that does not rest takes shares that no worker has begun, since its own next job comes soon. One that
      // has waited a while takes any job: the job's own worker may be held up.
      const bool helped =
          has_waited ? help(Help::all, count) : help(rests ? Help::not_kept : Help::not_begun, rests ? until : count);
      if (helped) continue;
      if (has_waited) std::this_thread::yield();
      has_waited = !wait_shortly([&] {
        const int own = next();  // read once: another worker may take it meanwhile
        return own < end_ ? ready(own) : are_done(count);
      });
    }
  }

 private:
  int next() const { return own_.next.load(std::memory_order_relaxed); }
  /// Whether so many jobs are done in this run.
  bool are_done(int jobs) const { return jobs == 0 || team_.done() >= before_ + at(jobs); }
  bool ready(int job) const { return are_done(jobs_.after(job)) && jobs_.ready(job, run_); }

  /// Does the next job of the share of `of`. False where there is none, or it has to wait.
  bool take(int of) {
    std::atomic<int>& next = team_.shares_[at(of)].next;
    int job = next.load(std::memory_order_relaxed);
    do
      if (job >= jobs_.begin(of + 1) || !ready(job)) return false;
    while (!next.compare_exchange_weak(job, job + 1, std::memory_order_relaxed));
    jobs_.run(job, number_, run_);
    ++done_;
    return true;
  }

  /// Does a job of another worker's share, one that waits for fewer than `before` jobs. False where it finds none.
  /// Where a third worker takes that job first, it may do the next one of the share, of any kind.
  bool help(Help which, int before) {
    for (int k = 1; k < team_.workers_; ++k) {
      const int of = (number_ + k) % team_.workers_;
      const Share& share = team_.shares_[at(of)];
      const int job = share.next.load(std::memory_order_relaxed);
      if (job >= jobs_.begin(of + 1) || jobs_.after(job) >= before) continue;
      const bool may = which == Help::all || !share.begun.load(std::memory_order_relaxed) ||
                       (which == Help::not_kept && !jobs_.is_kept(job, of));
      if (may && take(of)) return true;
    }
    return false;
  }

  Team& team_;
  Jobs& jobs_;
  int number_;
  Share& own_;
  int end_;  ///< of its share
  std::uint64_t run_;
  std::uint64_t before_;  ///< jobs done in all runs before
  std::uint64_t done_;    ///< by this worker in all runs
};

void Team::work(int worker) {
  const Rounding::Use as_the_caller(rounding_);
  Worker(*this, worker).go_through();
}

}  // namespace kinetree::inline inner
