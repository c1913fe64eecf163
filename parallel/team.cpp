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

bool Team::help(int worker, Help which, int before) {
  for (int k = 1; k < workers_; ++k) {
    const int of = (worker + k) % workers_;
    const Share& share = shares_[at(of)];
    const int next = share.next.load(std::memory_order_relaxed);
    if (next >= jobs_->begin(of + 1) || jobs_->after(next) >= before) continue;
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
    // A worker that rests has no job of its own until so many are done, and helps meanwhile with those before.
    const int until = next() < end ? jobs_->after(next()) : count;
    const bool rests = !are_done(until);
    if (until == count && !rests) return;
    // Else a job of its own comes soon. Who has waited a while takes all jobs, since their workers may be held up.
    if (has_waited ? help(worker, Help::all, count)
                   : help(worker, rests ? Help::not_kept : Help::not_begun, rests ? until : count)) {
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
