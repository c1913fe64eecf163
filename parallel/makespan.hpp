#pragma once
// How long tasks take on several threads, as the executors run them.

#include <kinetree/options.hpp>
#include <vector>

#include "parallel/tasks.hpp"

namespace kinetree::inline inner {

/// Nanoseconds from the first start to the last end of a gather over the tasks; a scatter counts as its mirror image.
/// `ns`: over tasks. If the executor goes level by level, each thread has a block of each level, and then steals from
/// other blocks (oneTBB alone). Else a task starts on the first free thread once its children have ended.
double makespan(const Tasks& tasks, const std::vector<double>& ns, int threads, ExecutorKind executor);

/// That of a team. `workers`: over tasks, the worker of each (workers_of); none is stolen. A task starts once its
/// children have ended, `delay_ns` later where these are another worker's.
double makespan(const Tasks& tasks, const std::vector<double>& ns, const std::vector<int>& workers, double delay_ns);

}  // namespace kinetree::inline inner
