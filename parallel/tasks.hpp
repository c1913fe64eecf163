#pragma once
// Tasks: the tree of steps, partitioned for schedulers. In a pass one thread runs all steps of a task.

#include <kinetree/export.hpp>
#include <kinetree/options.hpp>
#include <vector>

#include "engine/algorithm/pass.hpp"
#include "engine/partition/modules.hpp"

namespace kinetree::inline inner {

struct Tasks {
  std::vector<int> parent;               ///< the task with the parents of its topmost steps; -1: none
  std::vector<int> first_range;          ///< into ranges, one entry more than tasks
  std::vector<Range> ranges;             ///< steps, ascending
  std::vector<std::vector<int>> levels;  ///< tasks by distance from the ground
  std::vector<double> weight;            ///< over tasks: the work of their steps; empty: all have as much

  /// The n-th level that a pass meets, of levels.size().
  const std::vector<int>& level(Direction direction, int n) const {
    return levels[direction == Direction::gather ? levels.size() - 1 - static_cast<std::size_t>(n)
                                                 : static_cast<std::size_t>(n)];
  }

  int count() const { return static_cast<int>(parent.size()); }

  /// use(step) for a task's steps, ascending.
  template <class Use>
  void for_steps(int task, Use&& use) const {
    const int last = first_range[static_cast<std::size_t>(task) + 1];
    for (int r = first_range[static_cast<std::size_t>(task)]; r < last; ++r)
      for (int s = ranges[static_cast<std::size_t>(r)].begin; s < ranges[static_cast<std::size_t>(r)].end; ++s) use(s);
  }

  /// Runs one pass's kernel on a task's steps, in the order the direction asks for.
  void run(const Pass& pass, void* space, int task) const {
    if (pass.direction == Direction::scatter) {
      const int first = first_range[static_cast<std::size_t>(task)];
      for (int r = first_range[static_cast<std::size_t>(task) + 1]; r-- > first;)
        for (int s = ranges[static_cast<std::size_t>(r)].end; s-- > ranges[static_cast<std::size_t>(r)].begin;)
          pass.kernel(space, s);
    } else {
      for_steps(task, [&](int s) { pass.kernel(space, s); });
    }
  }
};

/// Partitions steps in tasks of about `least` work or more: subtrees, or groups of neighbouring subtrees of one step.
/// `work`: over steps; empty: all are one task.
KINETREE_EXPORT Tasks make_tasks(const Modules& modules, const std::vector<double>& work, double least);

/// The work of a task, of so much in all, so that every thread gets several.
KINETREE_EXPORT double task_operations(double all, int threads);

/// make_tasks with tasks of that work.
KINETREE_EXPORT Tasks shared_out(const Modules& modules, const std::vector<double>& work, int threads);

/// Over tasks: the work of their steps.
KINETREE_EXPORT std::vector<double> task_work(const Tasks& tasks, const std::vector<double>& work);

/// Whether any thread may run any task, as in oneTBB's graph, which takes the place of its loops where there are more
/// than two levels of tasks. Else a thread has about the same tasks in every pass.
inline bool schedules_dynamically(ExecutorKind executor, int levels) {
  return executor == ExecutorKind::tbb && levels > 2;
}

/// Whether a task waits for all tasks of the level before; else it waits for its neighbours alone. `levels`: of tasks.
inline bool waits_for_levels(ExecutorKind executor, int levels) {
  return executor != ExecutorKind::team && !schedules_dynamically(executor, levels);
}

/// Bodies per task, of so many, so that every thread gets several.
KINETREE_EXPORT int task_bodies(int bodies, int threads);

}  // namespace kinetree::inline inner
