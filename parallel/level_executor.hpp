#pragma once
// What executors have in common that run levels of tasks one after another.

#include <algorithm>

#include "parallel/executor.hpp"
#include "parallel/stages.hpp"

namespace kinetree::inline inner {

class LevelExecutor : public Executor {
 public:
  void prepare(std::span<const Pass> passes, void* space, const Tasks& tasks) override {
    stages_.prepare(passes, space, tasks);
    levels_ = stages_.levels();
    shared_ = std::any_of(levels_.begin(), levels_.end(), [](const Level& level) { return level.count > 1; });
  }
  void run() override { shared_ ? go_through(levels_, true) : go_alone(levels_); }
  void for_columns(int columns, void* context, void (*work)(void*, int, int)) override {
    if (const Level all{columns, context, work}; all != columns_) columns_ = all;  // as Team::start
    columns > 1 ? go_through({&columns_, 1}, false) : go_alone({&columns_, 1});
  }

 protected:
  std::size_t level_count() const { return levels_.size(); }
  /// Whether a level has several tasks; else no thread but the caller's has work.
  bool shared() const { return shared_; }
  /// On this thread alone.
  static void go_alone(std::span<const Level> levels) {
    for (const Level& level : levels)
      for (int task = 0; task < level.count; ++task) level.work(level.context, task, 0);
  }

 private:
  /// `passes`: they are those that were prepared, else columns.
  virtual void go_through(std::span<const Level> levels, bool passes) = 0;

  Stages stages_;
  std::vector<Level> levels_;
  bool shared_ = false;
  Level columns_;
};

}  // namespace kinetree::inline inner
