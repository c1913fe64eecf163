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

 private:
  struct Stage {
    const Tasks* tasks;
    void* space;
    std::span<const Pass> passes;   ///< one after another on each task
    const std::vector<int>* these;  ///< null: all tasks, or, of a pass without steps, none
    int count() const;
    void run(int k) const;
  };

  std::vector<Stage> stages_;
};

}  // namespace kinetree::inline inner
