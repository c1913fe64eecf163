#pragma once
// Stages: how executors run a list of passes, one stage after another; workers of a team may be in several at a time. A
// stage is a level of tasks in one pass, or in several, fused, if each of these begins with the tasks that the one
// before ended with: a task then goes on without a barrier. Levels of one task in a row are one stage, too, with no
// barrier between them (comb:32 on a team has 31 such levels, each of which took 0.25 us). A pass of any order is a
// stage of all tasks, by their positions in their levels.

#include <span>
#include <vector>

#include "engine/algorithm/pass.hpp"
#include "parallel/tasks.hpp"

namespace kinetree::inline inner {

/// Calls of `work` in any order, with each index below `count`: a stage of passes, or all columns of a call.
struct Stage {
  int count = 0;
  void* context = nullptr;
  void (*work)(void* context, int index, int worker) = nullptr;
  bool operator==(const Stage&) const = default;
};

class Stages {
 public:
  Stages() = default;
  Stages(const Stages&) = delete;  // stages point to its members
  Stages& operator=(const Stages&) = delete;

  /// The arguments must outlive this object, and this object the stages that all() returns.
  void prepare(std::span<const Pass> passes, void* space, const Tasks& tasks);
  std::vector<Stage> all();

  /// Calls use(stage, index, pass, task) for all that runs, in order. `index`: of the task in its stage; `pass`: from
  /// 0; `task`: -1 where the pass has no steps.
  template <class Use>
  void for_runs(Use&& use) const {
    for (std::size_t s = 0; s < stages_.size(); ++s)
      for (int k = 0; k < stages_[s].count(); ++k)
        for (const FusedPasses& fused : stages_[s].all)
          for (const Pass& pass : fused.passes) use(s, k, static_cast<int>(&pass - first_), fused.task(k));
  }

 private:
  /// Passes that each of these tasks goes through one after another.
  struct FusedPasses {
    std::span<const Pass> passes;
    const std::vector<int>* tasks;  ///< null: a pass without steps has none
    int count() const { return tasks != nullptr ? static_cast<int>(tasks->size()) : 1; }
    int task(int index) const { return tasks != nullptr ? (*tasks)[static_cast<std::size_t>(index)] : -1; }
  };
  /// What a stage of passes runs.
  struct PassStage {
    const Tasks* tasks;
    void* space;
    std::vector<FusedPasses> all;  ///< one after another; several only where each has one task
    int count() const { return all.front().count(); }
    void run(int index) const;
  };

  std::vector<PassStage> stages_;
  std::vector<int> any_order_;  ///< tasks, as passes of any order take them
  const Pass* first_ = nullptr;
};

}  // namespace kinetree::inline inner
