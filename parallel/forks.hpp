#pragma once
// A forked process has its parent's objects and none of its threads.

#include <atomic>

namespace kinetree::inline inner {

/// How many forks lie between this process and the one that loaded the library.
int forks();

/// A runtime that has one set of threads per process, and waits for them for ever where a fork left them behind.
class ProcessRuntime {
 public:
  /// Whether this process may use it: whether its threads are in this process. To be called before they are used: the
  /// first call takes this process as theirs.
  bool usable() {
    int before = never;
    return first_.compare_exchange_strong(before, forks()) || before == forks();
  }

 private:
  static constexpr int never = -1;
  std::atomic<int> first_ = never;  ///< forks() at the first use
};

}  // namespace kinetree::inline inner
