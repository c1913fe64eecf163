#pragma once
// The standard threads that lend themselves to teams, one pool per process. Their life cycle is here:
//
// A thread is made when all of its kind (pinned to that processor, or to none) have work, and stays until the process
// ends: objects share threads and own none. After work a thread waits awake for a while, since the next call often
// comes sooner than it could be woken: a call then has it at once. Later it sleeps. Signals are for the process's other
// threads. A forked process begins with an empty pool. At exit, or where the library is unloaded, threads without work
// are joined, and objects that still solve do so alone.

#include <vector>

namespace kinetree::inline inner {

/// Threads of the pool that work for one caller, from call to release. A thread that works for another caller is not
/// waited for: another is taken, or made.
class Helpers {
 public:
  /// Workers 1 to `count`; their threads call work(context, worker). `pinned`: each thread stays on one processor, one
  /// of each core first, from the core after the constructing thread's on; more workers than processors share these.
  Helpers(int count, bool pinned, void (*work)(void* context, int worker), void* context);
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;

  /// Sends every helper to work. Helpers that come call others before they work.
  void call();
  /// After the caller's own work: threads that have not come are sent back, threads that have come are waited for.
  void release();

 private:
  class Thread;
  class Pool;
  struct alignas(64) Helper {
    Helpers* all = nullptr;
    int worker = 0;
    int processor = -1;        ///< that its thread is pinned to; -1: none
    Thread* thread = nullptr;  ///< the last one: its core's cache may still have the worker's data
  };

  void call_those_of(int worker);

  std::vector<Helper> helpers_;
  void (*work_)(void* context, int worker);
  void* context_;
  bool caller_calls_all_ = false;
  Pool* pool_ = nullptr;  ///< to which the threads of helpers_ belong
};

}  // namespace kinetree::inline inner
