#include "parallel/team.hpp"

#include <chrono>
#include <thread>

namespace kinetree::inline inner {
namespace {

/// Waits for little work of another thread's. False: it takes long.
template <class Done>
bool wait_shortly(Done&& done) {
  constexpr int patience = 1000;
  for (int k = 0; k < patience; ++k) {
    if (done()) return true;
    __builtin_ia32_pause();
  }
  return done();
}

/// Where the other thread has no core, it gets this one.
template <class Done>
void wait_until(Done&& done) {
  if (wait_shortly(done)) return;
  while (!done()) std::this_thread::yield();
}

/// Long enough for a caller to do something between two rounds, short enough for whoever else wants the core.
constexpr std::chrono::microseconds standing_by{100};

/// Who was the last to need somebody. The runtime's threads are few: whoever stands by elsewhere is free to go.
std::atomic<const Team*> summoner = nullptr;

}  // namespace

Team::~Team() { order_.load(std::memory_order_acquire); }

void Team::prepare(std::span<const Level> levels) {
  const bool fits = levels.size() == levels_.size();
  levels_.assign(levels.begin(), levels.end());
  if (fits) return;
  shares_ = std::vector<Share>(levels_.size() * at(workers_));
  left_ = std::vector<Left>(levels_.size());
}

void Team::start() {
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    for (int w = 0; w < workers_; ++w) {
      Share& own = share(l, w);
      own.next.store(share_begin(levels_[l].count, w, workers_), std::memory_order_relaxed);
      own.begun.store(false, std::memory_order_relaxed);
      own.end = share_begin(levels_[l].count, w + 1, workers_);
    }
    left_[l].tasks.store(levels_[l].count, std::memory_order_relaxed);
  }
  for (Place& place : places_) place.gate = Gate::open;
}

int Team::run_share(const Level& level, Share& share, int worker, int leave) {
  int done = 0;
  while (share.next.load(std::memory_order_relaxed) < share.end - leave) {
    const int task = share.next.fetch_add(1, std::memory_order_relaxed);
    if (task >= share.end) break;
    level.work(level.context, task, worker);
    ++done;
  }
  return done;
}

int Team::run_others(std::size_t l, int worker, int leave) {
  if (levels_[l].count == 1) return 0;  // what it needs is in the caller's cache
  int done = 0;
  for (int k = 1; k < workers_; ++k) {
    Share& theirs = share(l, (worker + k) % workers_);
    done += run_share(levels_[l], theirs, worker, theirs.begun.load(std::memory_order_relaxed) ? leave : 0);
  }
  return done;
}

void Team::go_through(int worker) {
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const Level& level = levels_[l];
    std::atomic<int>& left = left_[l].tasks;
    const auto over = [&] { return left.load(std::memory_order_acquire) == 0; };
    if (over()) continue;
    Share& own = share(l, worker);
    own.begun.store(true, std::memory_order_relaxed);
    // the last of many are done by their own worker before their data have come from its cache
    const int done = run_share(level, own, worker, 0) + run_others(l, worker, level.count / workers_ / 8);
    if (done > 0) left.fetch_sub(done, std::memory_order_acq_rel);
    if (wait_shortly(over)) continue;
    // unless it is held up
    if (const int more = run_others(l, worker, 0); more > 0) left.fetch_sub(more, std::memory_order_acq_rel);
    wait_until(over);
  }
}

bool Team::help(int worker) {
  std::atomic<Gate>& gate = places_[at(worker)].gate;
  if (Gate open = Gate::open; !gate.compare_exchange_strong(open, Gate::busy)) return false;
  go_through(worker);
  gate = Gate::closed;
  return true;
}

void Team::work(int worker) {
  if (worker > 0) {
    help(worker);
    return;
  }
  go_through(0);
  for (int w = 1; w < workers_; ++w) {
    std::atomic<Gate>& gate = places_[at(w)].gate;
    if (Gate open = Gate::open; !gate.compare_exchange_strong(open, Gate::closed))
      wait_until([&] { return gate == Gate::closed; });
  }
  order_.fetch_add(1, std::memory_order_release);
}

bool Team::summon(int worker) {
  if (places_[at(worker)].taken.exchange(true)) return false;
  summoner = this;
  order_.fetch_add(1, std::memory_order_release);
  return true;
}

bool Team::another_round(const Place& place) const {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + standing_by;
  bool open = false;
  wait_until([&] {
    open = place.gate == Gate::open;
    return open || summoner != this || Clock::now() > end;
  });
  return open;
}

void Team::dismiss() const {
  const Team* self = this;
  summoner.compare_exchange_strong(self, nullptr);
}

void Team::stand_by(int worker) {
  order_.load(std::memory_order_acquire);
  Place& place = places_[at(worker)];
  do {
    while (another_round(place)) help(worker);
    place.taken = false;
    // whoever opened a round meanwhile may have seen the place still taken
  } while (place.gate == Gate::open && !place.taken.exchange(true));
  order_.fetch_add(1, std::memory_order_release);
}

}  // namespace kinetree::inline inner
