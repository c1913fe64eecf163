#pragma once
// How long tasks take on so many threads, as the executors run them.

#include <kinetree/options.hpp>
#include <vector>

#include "parallel/tasks.hpp"

namespace kinetree::inline inner {

/// From the first start to the last end of one gather over the tasks (a scatter is its mirror image). Level by level,
/// where the executor goes so: shared out by place, and taken over by threads that have done with their own, but for
/// those that a thread keeps (team: Team::kept, openmp: all). Else each task on the first thread that is free once its
/// children have ended. `ns`: over tasks.
double makespan(const Tasks& tasks, const std::vector<double>& ns, int threads, ExecutorKind executor);

}  // namespace kinetree::inline inner
