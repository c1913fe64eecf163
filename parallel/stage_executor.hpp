#pragma once
// What executors of several threads have in common: they run stages, of passes or of columns. Where no two tasks may
// ever run at once, the caller's thread runs all.

#include "parallel/executor.hpp"
#include "parallel/stages.hpp"

namespace kinetree::inline inner {

class StageExecutor : public Executor {
 public:
  void prepare(std::span<const Pass> passes, void* space, const Tasks& tasks) override {
    stages_.prepare(passes, space, tasks);
    prepared_ = stages_.all();
  }
  void run() override { go(prepared_, true); }
  void for_columns(int columns, void* context, void (*work)(void*, int, int)) override {
    // written where it changes only: other threads have it in their caches
    if (const Stage all{columns, context, work}; all != columns_) columns_ = all;
    go({&columns_, 1}, false);
  }

 protected:
  Stages& stages() { return stages_; }
  std::size_t stage_count() const { return prepared_.size(); }
  /// Whether a prepared stage has several tasks; else no thread but the caller's has work.
  bool has_parallelism() const { return has_parallelism(prepared_); }
  /// On this thread.
  static void run_serial(std::span<const Stage> stages) {
    for (const Stage& stage : stages)
      for (int index = 0; index < stage.count; ++index) stage.work(stage.context, index, 0);
  }

 private:
  /// Whether some stage has several tasks. Of two stages or more one always has: single tasks in a row are one stage.
  static bool has_parallelism(std::span<const Stage> stages) {
    return stages.size() > 1 || (!stages.empty() && stages.front().count > 1);
  }
  void go(std::span<const Stage> stages, bool prepared) {
    has_parallelism(stages) ? run_parallel(stages, prepared) : run_serial(stages);
  }
  /// `prepared`: whether `stages` are those of the prepared passes; else they are columns.
  virtual void run_parallel(std::span<const Stage> stages, bool prepared) = 0;

  Stages stages_;
  std::vector<Stage> prepared_;
  Stage columns_;
};

}  // namespace kinetree::inline inner
