#pragma once
// Stages: how executors run a list of passes, one stage after another; workers of a team may be in several at a time. A
// stage is a level of tasks in one pass, or in several if each of these begins with the tasks that the one before ended
// with: a task then goes on without waiting for the others. Levels of one task in a row are one stage, too: a thread
// goes through it without telling the others (comb:32 on a team has 31 such levels, each of which took 0.25 us). A pass
// of any order is a stage of all tasks, by their places in their levels.

#include <span>
#include <vector>

#include "engine/algorithm/pass.hpp"
#include "parallel/tasks.hpp"

namespace kinetree::inline inner {

/// Tasks that may run in any order: a stage as executors see it, or columns.
struct Level {
  int count = 0;
  void* context = nullptr;
  void (*work)(void* context, int task, int worker) = nullptr;
  bool operator==(const Level&) const = default;
};

class Stages {
 public:
  Stages() = default;
  Stages(const Stages&) = delete;  // stages point to `all_`
  Stages& operator=(const Stages&) = delete;

  /// The arguments must outlive the stages, and the stages whatever runs their levels.
  void prepare(std::span<const Pass> passes, void* space, const Tasks& tasks);
  std::vector<Level> levels();

  /// Calls use(stage, place, pass, task) for all that runs, in order. `place`: of the task in its stage; `pass`: from
  /// 0; `task`: -1 where the pass has no steps.
  template <class Use>
  void for_runs(Use&& use) const {
    for (std::size_t l = 0; l < stages_.size(); ++l)
      for (int k = 0; k < stages_[l].count(); ++k)
        for (const Stretch& stretch : stages_[l].stretches)
          for (const Pass& pass : stretch.passes) use(l, k, static_cast<int>(&pass - first_), stretch.task(k));
  }

 private:
  /// Tasks, and the passes that each of these goes through one after another.
  struct Stretch {
    std::span<const Pass> passes;   ///< one after another on each task
    const std::vector<int>* these;  ///< null: a pass without steps has none
    int count() const { return these != nullptr ? static_cast<int>(these->size()) : 1; }
    int task(int k) const { return these != nullptr ? (*these)[static_cast<std::size_t>(k)] : -1; }
  };
  struct Stage {
    const Tasks* tasks;
    void* space;
    std::vector<Stretch> stretches;  ///< one after another; several only where each has one task
    int count() const { return stretches.front().count(); }
    void run(int k) const;
  };

  std::vector<Stage> stages_;
  std::vector<int> all_;  ///< tasks, as passes of any order take them
  const Pass* first_ = nullptr;
};

}  // namespace kinetree::inline inner
