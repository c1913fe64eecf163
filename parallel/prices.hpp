#pragma once
// What a plan is predicted to take: operations that Counted counts on the kernels, turned into time by a Calibration,
// and put on threads as the executors put their tasks.

#include <kinetree/calibration.hpp>
#include <kinetree/export.hpp>
#include <kinetree/model.hpp>
#include <kinetree/options.hpp>
#include <vector>

#include "engine/algorithm/method.hpp"
#include "engine/algorithm/solver/specimen.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/modules.hpp"
#include "engine/partition/parts.hpp"
#include "parallel/tasks.hpp"
#include "parallel/weighed_operations.hpp"

namespace kinetree::inline inner {

/// Counted operations of one state by `ab`, or by `modular` as method.modules cut it: no price weighs them.
double operations(const Model& model, const Method& method);

/// The threads that solve one state.
struct Threads {
  ExecutorKind executor;
  int count;
};

/// Processes that each sweep a share of one state's bodies, on equal machines.
struct Processes {
  int count = 1, on_each_machine = 1;
};

/// What one model's plans, and their steps, are predicted to take.
class KINETREE_EXPORT Prices {
 public:
  Prices(Model model, Loops loops, const Calibration& calibration);

  const ModelData& model() const { return model_.data(); }
  const std::vector<BodyPrice>& bodies() const { return bodies_; }

  /// Nanoseconds of one state by `ab` or `modular`, `parts` of it side by side. Makes the modules and tasks that a run
  /// would make.
  double predicted_ns(Method method, const Threads& on, const Parts& parts = {}) const;
  /// Gives, for each step and phase of a plan over processes, the nanoseconds on the step's process while the machine's
  /// other processes run theirs.
  std::vector<Operations> step_ns(const Modules& modules, WeighedOperations operations, const Processes& on) const;
  /// A lower bound of predicted_ns without parts, found without modules and tasks.
  double lower_bound_ns(const Method& method, const Threads& on) const;

 private:
  /// Fractions of a plan's bytes: `cache` comes from the largest cache, `memory` from memory. Both are 0 if a nearer
  /// cache holds all.
  struct Fractions {
    double cache = 0, memory = 0;
  };
  /// Those of a plan with `modules` modules (0: no joint is cut), on `cores` cores of `machines` machines in all.
  Fractions fractions(std::size_t modules, int cores, int machines = 1) const;
  /// Each of `threads` threads fetches `bytes` bytes; the result is how long it waits.
  double fetch_ns(double bytes, const Fractions& from, int threads = 1) const;
  /// What a step takes: computing, the bytes that it goes over, and waiting for them.
  struct StepPrice {
    Operations ns, bytes, fetch_ns;
  };
  /// `work_of`: over steps.
  std::vector<StepPrice> step_prices(const Modules& modules, const std::vector<Work>& work_of, const Fractions& from,
                                     int threads) const;
  /// Excludes price::solve. `price_of` has an entry per step.
  double on_threads(const Modules& modules, const Tasks& tasks, const std::vector<StepPrice>& price_of,
                    const Fractions& from, const Method& method, const Threads& on) const;
  /// Nanoseconds in which `busy` threads fetch `bytes` bytes from memory together.
  double memory_ns(double bytes, double busy) const;

  Model model_;
  Calibration calibration_;
  std::vector<bool> multipliers_;
  std::vector<BodyPrice> bodies_;
  double work_ = 0, path_ = 0;  ///< operations of all nodes, and of the longest way from the ground to a tip
};

/// What scheduling costs on so many threads: `task` and `meet` have grown with their number.
SchedulingCost scheduling_cost(const Calibration& calibration, ExecutorKind executor, int threads);

/// The fork-join overhead: what a run on several threads takes before and after all tasks, in nanoseconds.
double fork_join_ns(const SchedulingCost& cost, int threads);

/// Passes of a run. A turn is a change of direction at which tasks go on to the next pass in one stage (stages.hpp).
struct PassCounts {
  int sweeps = 0;          ///< gathers and scatters
  int constraints = 0;     ///< 0 or 1: of loops and couplings, over all tasks in any order, from a scatter to a gather
  int closes = 0;          ///< of cut joints, over all tasks in any order, behind a scatter
  int turns_at_roots = 0;  ///< from a gather to a scatter
  int turns_at_tips = 0;   ///< from a scatter to a gather

  int all() const { return sweeps + constraints + closes; }
};

/// How often all threads of a run wait for each other. Threads of a team do so before and after passes of any order and
/// at the end; threads of oneTBB's graph never do.
int barriers(ExecutorKind executor, const Tasks& tasks, const PassCounts& passes);

}  // namespace kinetree::inline inner
