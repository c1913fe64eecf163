#pragma once
// Executors run lists of passes, or many columns at once. They know no mathematics.

#include <kinetree/options.hpp>
#include <memory>
#include <span>

#include "engine/algorithm/pass.hpp"
#include "parallel/tasks.hpp"

namespace kinetree::inline inner {

class Executor {
 public:
  virtual ~Executor() = default;
  /// Prepares for passes over tasks; what is prepared is reused by every run. All three must be there in every run.
  virtual void prepare(std::span<const Pass> passes, void* space, const Tasks& tasks) = 0;
  /// Runs the prepared passes.
  virtual void run() = 0;
  /// Calls work(context, column, worker) for every column, worker in [0, threads).
  virtual void for_columns(int columns, void* context, void (*work)(void* context, int column, int worker)) = 0;
};

std::unique_ptr<Executor> make_serial_executor();
std::unique_ptr<Executor> make_tbb_executor(int threads);
std::unique_ptr<Executor> make_openmp_executor(int threads);

/// Of so many threads, what the runtime gives: oneTBB as many as there are processors, unless the program says
/// otherwise (tbb::global_control), OpenMP up to its limit.
int threads_of_tbb(int threads);
int threads_of_openmp(int threads);

inline int threads_given(ExecutorKind kind, int threads) {
  if (threads <= 1 || kind == ExecutorKind::serial) return 1;
  return kind == ExecutorKind::openmp ? threads_of_openmp(threads) : threads_of_tbb(threads);
}

inline std::unique_ptr<Executor> make_executor(ExecutorKind kind, int threads) {
  if (threads <= 1 || kind == ExecutorKind::serial) return make_serial_executor();
  return kind == ExecutorKind::openmp ? make_openmp_executor(threads) : make_tbb_executor(threads);
}

}  // namespace kinetree::inline inner
