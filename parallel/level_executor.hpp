#pragma once
// What executors of several threads have in common: stages of passes, and columns, as levels of tasks. Where no two
// tasks may ever run at once, the caller's thread runs all.

#include "parallel/executor.hpp"
#include "parallel/stages.hpp"

namespace kinetree::inline inner {

class LevelExecutor : public Executor {
 public:
  void prepare(std::span<const Pass> passes, void* space, const Tasks& tasks) override {
    stages_.prepare(passes, space, tasks);
    levels_ = stages_.levels();
  }
  void run() override { go(levels_, true); }
  void for_columns(int columns, void* context, void (*work)(void*, int, int)) override {
    // written where it changes only: other threads have it in their caches
    if (const Level all{columns, context, work}; all != columns_) columns_ = all;
    go({&columns_, 1}, false);
  }

 protected:
  Stages& stages() { return stages_; }
  std::size_t level_count() const { return levels_.size(); }
  /// Whether a level of those prepared has several tasks; else no thread but the caller's has work.
  bool shared() const { return shared(levels_); }
  /// On this thread alone.
  static void go_alone(std::span<const Level> levels) {
    for (const Level& level : levels)
      for (int task = 0; task < level.count; ++task) level.work(level.context, task, 0);
  }

 private:
  /// Whether some level has several tasks. Of two levels or more one always has: single tasks in a row are one level.
  static bool shared(std::span<const Level> levels) {
    return levels.size() > 1 || (!levels.empty() && levels.front().count > 1);
  }
  void go(std::span<const Level> levels, bool prepared) {
    shared(levels) ? go_through(levels, prepared) : go_alone(levels);
  }
  /// `prepared`: whether `levels` are those of the prepared passes; else they are columns.
  virtual void go_through(std::span<const Level> levels, bool prepared) = 0;

  Stages stages_;
  std::vector<Level> levels_;
  Level columns_;
};

}  // namespace kinetree::inline inner
