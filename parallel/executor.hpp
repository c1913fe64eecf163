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
/// By the process's own threads where there is no runner.
std::unique_ptr<Executor> make_team_executor(int threads, Pinning pinning, const Runner& runner);

/// Of so many threads, what the runtime gives: oneTBB as many as there are processors, unless the program says
/// otherwise (tbb::global_control), OpenMP up to its limit; both one in a process that was forked from one that used
/// them.
int threads_of_tbb(int threads);
int threads_of_openmp(int threads);

/// Whether this build has an executor: oneTBB and OpenMP may be left out of it.
bool is_built(ExecutorKind kind);

/// Of so many threads, what an executor that is built gives; and the executor.
KINETREE_EXPORT int threads_given(ExecutorKind kind, int threads);
KINETREE_EXPORT std::unique_ptr<Executor> make_executor(ExecutorKind kind, int threads, Pinning pinning = Pinning::none,
                                                        const Runner& runner = {});

}  // namespace kinetree::inline inner
