#pragma once
// Assignment of tasks to the workers of a team.

#include <vector>

#include "parallel/tasks.hpp"

namespace kinetree::inline inner {

/// Over tasks: the worker whose queue has the task, in gathers and scatters. Tasks are numbered along the tree, a
/// subtree mostly in a row, and a worker's are neighbours by number: so few of them wait for another worker's data.
/// With a cyclic distribution, which balances the work better, tree:2x8 and star:64x3 took 1.5 and twice as long on
/// cores that share no cache. Single tasks of levels in a row are one worker's, as they are one stage (stages.hpp).
KINETREE_EXPORT std::vector<int> workers_of(const Tasks& tasks, int workers);

/// Over tasks: the worker whose queue has the task in passes of any order, where all tasks may run at the same time.
/// That is its worker in other passes, `worker`, unless one of these `workers` would then have more than 1.5 times the
/// work that it needs to have: a path of tasks is one worker's in other passes.
KINETREE_EXPORT std::vector<int> workers_of_any_order(const Tasks& tasks, const std::vector<int>& worker, int workers);

/// Over `workers` workers: the sum of `work`, which like `worker` is over tasks.
std::vector<double> loads(const std::vector<double>& work, const std::vector<int>& worker, int workers);

}  // namespace kinetree::inline inner
