#pragma once
// Executors run lists of passes, or many columns at once. They know no mathematics.

#include <kinetree/export.hpp>
#include <kinetree/options.hpp>
#include <memory>
#include <span>

#include "engine/algorithm/pass.hpp"
#include "parallel/tasks.hpp"

namespace kinetree::inline inner {

class Executor {
 public:
  virtual ~Executor() = default;
  /// Prepares runs of `passes` over `tasks`: every run reuses what is prepared. The arguments must outlive the runs.
  virtual void prepare(std::span<const Pass> passes, void* space, const Tasks& tasks) = 0;
  /// Runs the prepared passes.
  virtual void run() = 0;
  /// Calls work(context, column, worker) for every column, worker in [0, threads).
  virtual void for_columns(int columns, void* context, void (*work)(void* context, int column, int worker)) = 0;
};

std::unique_ptr<Executor> make_serial_executor();
std::unique_ptr<Executor> make_tbb_executor(int threads);
std::unique_ptr<Executor> make_openmp_executor(int threads);
/// On the threads of the process's pool, or on a runner's where there is one.
std::unique_ptr<Executor> make_team_executor(int threads, Pinning pinning, const Runner& runner);

/// How many of `threads` threads the runtime gives. oneTBB: at most as many as there are processors, or as the program
/// allows (tbb::global_control); OpenMP: up to its limit. Both give one in a process forked from one that had used
/// them.
int threads_of_tbb(int threads);
int threads_of_openmp(int threads);

/// Whether this build has an executor: oneTBB and OpenMP may be left out of it.
bool is_built(ExecutorKind kind);

/// How many of `threads` threads an executor gives; and the executor. One that is not built is `team`.
KINETREE_EXPORT int threads_given(ExecutorKind kind, int threads);
KINETREE_EXPORT std::unique_ptr<Executor> make_executor(ExecutorKind kind, int threads, Pinning pinning = Pinning::none,
                                                        const Runner& runner = {});

}  // namespace kinetree::inline inner
