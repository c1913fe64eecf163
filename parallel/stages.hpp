#pragma once
// Stages: a list of passes over tasks as levels, one after another. Where a pass begins with the tasks that the one
// before ended with, a task goes on to it without waiting for the others; levels of one task that follow each other are
// one, which its thread goes through without telling the others (comb:32 on a team: 31 levels, of which each took 0.25
// us).

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
        for (const Stretch& stretch : stages_[l].stretches)
          for (const Pass& pass : stretch.passes)
            use(l, k, static_cast<int>(&pass - first_), stretch.task(k));
  }

 private:
  /// Passes that a task goes through one after another, in each of these tasks.
  struct Stretch {
    std::span<const Pass> passes;   ///< one after another on each task
    const std::vector<int>* these;  ///< null: none, of a pass without steps
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
