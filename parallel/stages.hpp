#pragma once
// Stages: a list of passes over tasks as levels, one after another. Where a pass begins with the tasks that the one
// before ended with, a task goes on to it without waiting for the others.

#include <span>
#include <vector>

#include "engine/algorithm/pass.hpp"
#include "parallel/tasks.hpp"

namespace kinetree::inline inner {

/// Tasks that may run in any order.
struct Level {
  int count = 0;
  void* context = nullptr;
  void (*work)(void* context, int task, int worker) = nullptr;
  bool operator==(const Level&) const = default;
};

class Stages {
 public:
  /// What is given must outlive the stages, which must outlive what runs their levels.
  void prepare(std::span<const Pass> passes, void* space, const Tasks& tasks);
  std::vector<Level> levels();

  /// use(level, place in it, pass, task) for all that runs, in order; pass: from 0; task: -1 where a pass has no steps.
  template <class Use>
  void for_runs(Use&& use) const {
    for (std::size_t l = 0; l < stages_.size(); ++l)
      for (int k = 0; k < stages_[l].count(); ++k)
        for (const Pass& pass : stages_[l].passes)
          use(l, k, static_cast<int>(&pass - first_), pass.direction == Direction::once ? -1 : stages_[l].task(k));
  }

 private:
  struct Stage {
    const Tasks* tasks;
    void* space;
    std::span<const Pass> passes;   ///< one after another on each task
    const std::vector<int>* these;  ///< null: all tasks, or, of a pass without steps, none
    int count() const;
    int task(int k) const { return these != nullptr ? (*these)[static_cast<std::size_t>(k)] : k; }
    void run(int k) const;
  };

  std::vector<Stage> stages_;
  const Pass* first_ = nullptr;
};

}  // namespace kinetree::inline inner
