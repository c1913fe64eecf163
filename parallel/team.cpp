#include "parallel/team.hpp"

#include "parallel/waiting.hpp"

namespace kinetree::inline inner {

void Team::start(Jobs& jobs) {
  // written where it changes only: other threads have it in their caches
  if (jobs_ != &jobs) jobs_ = &jobs;
  if (const Rounding here = Rounding::here(); here != rounding_) rounding_ = here;
  jobs.start();
  for (int w = 0; w < workers_; ++w) {
    shares_[at(w)].next.store(jobs.begin(w), std::memory_order_relaxed);
    shares_[at(w)].begun.store(false, std::memory_order_relaxed);
    done_[at(w)].jobs.store(0, std::memory_order_relaxed);
  }
}

bool Team::are_done(int jobs) const {
  int done = 0;
  for (const Done& one : done_) done += one.jobs.load(std::memory_order_acquire);
  return done >= jobs;
}

bool Team::take(int of, int worker) {
  std::atomic<int>& next = shares_[at(of)].next;
  int job = next.load(std::memory_order_relaxed);
  if (job >= jobs_->begin(of + 1) || !ready(job)) return false;
  if (!next.compare_exchange_strong(job, job + 1, std::memory_order_relaxed)) return take(of, worker);
  jobs_->run(job, worker);
  return true;
}

bool Team::help(int worker, Help which) {
  for (int k = 1; k < workers_; ++k) {
    const int of = (worker + k) % workers_;
    const Share& share = shares_[at(of)];
    const int next = share.next.load(std::memory_order_relaxed);
    if (next >= jobs_->begin(of + 1)) continue;
    const bool may = which == Help::all || !share.begun.load(std::memory_order_relaxed) ||
                     (which == Help::not_kept && !jobs_->is_kept(next, of));
    if (may && take(of, worker)) return true;
  }
  return false;
}

void Team::go_through(int worker) {
  Share& own = shares_[at(worker)];
  const int end = jobs_->begin(worker + 1), count = jobs_->count();
  own.begun.store(true, std::memory_order_relaxed);
  const auto next = [&] { return own.next.load(std::memory_order_relaxed); };
  const auto goes_on = [&] {
    const int job = next();
    return job < end ? ready(job) : are_done(count);
  };
  int done = 0;
  for (bool has_waited = false;;) {
    for (; take(worker, worker); ++done) has_waited = false;
    done_[at(worker)].jobs.store(done, std::memory_order_release);
    const bool rests = next() >= end;
    if (rests && are_done(count)) return;
    // A worker with jobs of its own to come soon goes on with these. After a while it takes all jobs that it finds: the
    // workers of these may be held up.
    if (help(worker, has_waited ? Help::all : rests ? Help::not_kept : Help::not_begun)) {
      ++done;
      continue;
    }
    if (has_waited) std::this_thread::yield();
    has_waited = !wait_shortly(goes_on);
  }
}

void Team::work(int worker) {
  const Rounding::Use as_the_caller(rounding_);
  go_through(worker);
}

}  // namespace kinetree::inline inner
