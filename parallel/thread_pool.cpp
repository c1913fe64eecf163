#include "parallel/thread_pool.hpp"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "engine/scalar/index.hpp"
#include "parallel/processors.hpp"
#include "parallel/waiting.hpp"

namespace kinetree::inline inner {
namespace {

/// Long enough for a caller to do something between two calls, short enough for other threads that want the core.
constexpr std::chrono::microseconds standing_by{100};

/// How many others a worker calls: a call takes as long as to fetch a line of the cache from another core, or to wake a
/// thread. On 16 processors 13 mechanisms took 1.03 times as long where the caller called all 15 (star:64x3 1.1 times),
/// 1.07 times as long where each called two.
constexpr int fan = 4;

/// Signals go to other threads, but for those that tell of a fault of this one's own.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t blocked;
    sigfillset(&blocked);
    for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF}) sigdelset(&blocked, own);
    pthread_sigmask(SIG_BLOCK, &blocked, &before_);
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

}  // namespace

/// Its state is one word: idle (awake, without work), asleep, ended, or the address of a helper: called as this helper,
/// which release() may take back; or, with at_work added, at work as this helper.
class Helpers::Thread {
 public:
  explicit Thread(Helper& first) : processor_(first.processor), state_(called_as(first)), thread_([this] { live(); }) {}

  int processor() const { return processor_; }

  /// Calls it to work as a helper. False where it has work, or has ended.
  bool call(const Helper& helper) {
    Word was = idle;
    if (state_.compare_exchange_strong(was, called_as(helper))) return true;
    if (was != asleep || !state_.compare_exchange_strong(was, called_as(helper))) return false;
    wake();
    return true;
  }

  /// Returns once it has no work there, and sees what it wrote.
  void release(const Helper& helper) {
    Word was = called_as(helper);
    // looked at first: to write its line takes the line from a thread that is about to say that it is idle
    if (state_.load(std::memory_order_relaxed) == was && state_.compare_exchange_strong(was, idle)) return;
    wait_until([&] { return state_.load(std::memory_order_acquire) != (called_as(helper) | at_work); });
  }

  /// Ends the thread. One with work is detached: the end of the process has interrupted its caller.
  void end() {
    Word was = idle;
    while (!state_.compare_exchange_strong(was, ended))
      if (was != idle && was != asleep) return thread_.detach();
    wake();
    thread_.join();
  }

 private:
  using Word = std::uintptr_t;
  static constexpr Word idle = 0, at_work = 1, asleep = 2, ended = 4;
  static Word called_as(const Helper& helper) { return reinterpret_cast<Word>(&helper); }

  void live() {
    if (processor_ >= 0) pin_to(processor_);
    while (Helper* helper = next()) {
      helper->all->call_those_of(helper->worker);
      helper->all->work_(helper->all->context_, helper->worker);
      state_.store(idle, std::memory_order_release);
    }
  }

  /// The helper as which it is called; null: the end.
  Helper* next() {
    using Clock = std::chrono::steady_clock;
    for (Clock::time_point until = Clock::now() + standing_by;;) {
      Word now = idle;
      wait_until([&] {
        now = state_.load(std::memory_order_acquire);
        return now != idle || Clock::now() > until;
      });
      if (now == ended) return nullptr;
      if (now != idle) {
        if (state_.compare_exchange_strong(now, now | at_work)) return reinterpret_cast<Helper*>(now);
      } else if (state_.compare_exchange_strong(now, asleep)) {
        std::unique_lock lock(mutex_);
        woken_.wait(lock, [&] { return state_ != asleep; });
        until = Clock::now() + standing_by;
      }
    }
  }

  void wake() {
    { const std::lock_guard it_waits(mutex_); }
    woken_.notify_one();
  }

  int processor_;
  std::atomic<Word> state_;
  std::mutex mutex_;
  std::condition_variable woken_;
  std::thread thread_;  // the last, since it begins at once
};

class Helpers::Pool {
 public:
  static Pool& of_process() {
    Pool* pool = current.load(std::memory_order_acquire);
    if (pool == nullptr) {
      auto made = std::make_unique<Pool>();
      if (current.compare_exchange_strong(pool, made.get())) pool = made.release();
    }
    return *pool;
  }

  /// A thread that was without work; null where none can be had.
  Thread* call(Helper& helper) {
    const std::lock_guard lock(mutex_);
    for (const std::unique_ptr<Thread>& thread : threads_)
      if (thread->processor() == helper.processor && thread->call(helper)) return thread.get();
    if (ended_) return nullptr;
    try {
      const SignalsBlocked blocked;
      threads_.reserve(threads_.size() + 1);
      return threads_.emplace_back(std::make_unique<Thread>(helper)).get();
    } catch (const std::exception&) {  // no more threads, or no memory: the other workers steal this one's jobs
      return nullptr;
    }
  }

  void end() {
    const std::lock_guard lock(mutex_);
    if (!ended_)
      for (const std::unique_ptr<Thread>& thread : threads_) thread->end();
    ended_ = true;
  }

 private:
  /// Never destroyed: threads and objects may outlast the library's own statics. That of a forked process's parent,
  /// whose locks may be held for ever, is left alone.
  static std::atomic<Pool*> current;
  inline static const int forgotten = pthread_atfork(nullptr, nullptr, [] { current = nullptr; });
  inline static const struct AtExit {
    ~AtExit() {
      if (Pool* pool = current) pool->end();
    }
  } at_exit{};

  std::mutex mutex_;
  std::vector<std::unique_ptr<Thread>> threads_;
  bool ended_ = false;
};
constinit std::atomic<Helpers::Pool*> Helpers::Pool::current = nullptr;

Helpers::Helpers(int count, bool pinned, void (*work)(void* context, int worker), void* context)
    : helpers_(at(std::max(0, count))), work_(work), context_(context) {
  const std::vector<int> processors = pinned ? processors_round_robin(sched_getcpu()) : std::vector<int>{};
  for (std::size_t k = 0; k < helpers_.size(); ++k) {
    helpers_[k].all = this;
    helpers_[k].worker = static_cast<int>(k) + 1;
    if (!processors.empty()) helpers_[k].processor = processors[k % processors.size()];
  }
}

void Helpers::call() {
  Pool& pool = Pool::of_process();
  // written where they change only: helpers have their line in their caches
  if (pool_ != &pool) {
    // The caller calls all, so that its first call makes all threads: later calls allocate nothing.
    pool_ = &pool, caller_calls_all_ = true;
    for (Helper& helper : helpers_) helper.thread = pool.call(helper);
    return;
  }
  if (caller_calls_all_) caller_calls_all_ = false;
  call_those_of(0);
}

void Helpers::call_those_of(int worker) {
  if (caller_calls_all_) return;
  const std::size_t first = at(worker) * at(fan), end = std::min(first + at(fan), helpers_.size());
  for (std::size_t k = first; k < end; ++k) {
    Helper& helper = helpers_[k];
    if (helper.thread == nullptr || !helper.thread->call(helper)) helper.thread = pool_->call(helper);
  }
}

/// In order: a helper that is at work has called its own, one that is sent back never will.
void Helpers::release() {
  for (const Helper& helper : helpers_)
    if (helper.thread != nullptr) helper.thread->release(helper);
}

}  // namespace kinetree::inline inner
