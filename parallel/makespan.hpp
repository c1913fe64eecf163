#pragma once
// How long tasks take on several threads, as the executors run them.

#include <kinetree/options.hpp>
#include <vector>

#include "parallel/tasks.hpp"

namespace kinetree::inline inner {

/// Nanoseconds from the first start to the last end of a gather over the tasks; a scatter counts as its mirror image.
/// `ns`: over tasks. If the executor goes level by level, each thread has a share of each level, by place, and then
/// takes tasks from other shares (oneTBB alone). Else a task starts on the first free thread once its children have
/// ended.
double makespan(const Tasks& tasks, const std::vector<double>& ns, int threads, ExecutorKind executor);

/// The same by a team. `workers`: over tasks, which one does it (workers_of); no other helps. It starts a task once its
/// children have ended, `hand_ns` later where these are another worker's.
double makespan(const Tasks& tasks, const std::vector<double>& ns, const std::vector<int>& workers, double hand_ns);

}  // namespace kinetree::inline inner
