#pragma once
// What a plan is predicted to take: operations that Counted counts on the kernels, turned into time by a Calibration,
// and put on threads as the executors put their tasks.

#include <kinetree/calibration.hpp>
#include <kinetree/model.hpp>
#include <kinetree/options.hpp>
#include <vector>

#include "engine/algorithm/method.hpp"
#include "engine/algorithm/solver/specimen.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/lane_group.hpp"
#include "engine/partition/modules.hpp"
#include "parallel/tasks.hpp"

namespace kinetree::inline inner {

/// Operations of one state by `ab`, or by `modular` as method.modules cut it.
double operations(const Model& model, const Method& method);

/// What a state goes over.
struct Threads {
  ExecutorKind executor;
  int count;
};

/// Processes that share out a state, on machines alike.
struct Processes {
  int count = 1, on_each_machine = 1;
};

/// Modules that are parts side by side: the first `count`. A body of these takes `body` times one that is swept alone,
/// refinements included, and has `fetches` times its bytes come from memory.
struct ModulesInLanes {
  std::size_t count = 0;
  double body = 1, fetches = 1;
  int refinements = 0;
};

/// A run of parts side by side in lanes.
struct PartsRun {
  int stages = 1;      ///< in which each pack is a task: neighbouring passes over it are one
  int meetings = 0;    ///< of all threads
  double fetches = 1;  ///< bytes from where no nearer cache holds them, as a multiple of those of `ab`
};

/// Predicts times of one model's plans.
class Costs {
 public:
  Costs(Model model, Loops loops, const Calibration& calibration);

  /// Nanoseconds of one state by `ab` or `modular`. Makes the modules and tasks that a run would make.
  double predicted_ns(Method method, const Threads& on) const;
  /// The same for parts side by side in lanes. `bodies`: the work of their sweeps, in sweeps of one body.
  double predicted_ns(const PartsCost& bodies, const PartsRun& run, const Threads& on) const;
  /// Over steps: nanoseconds of each phase by the process that runs it, while as many as are on its machine run others.
  std::vector<Operations> step_ns(const Modules& modules, const Processes& on, const ModulesInLanes& lanes) const;
  /// A bound that predicted_ns does not fall below, without making them.
  double least_ns(const Method& method, const Threads& on) const;

 private:
  /// How much of what a plan goes over comes from the largest cache, and how much from memory: 0 where a cache nearer
  /// to the core holds all.
  struct Shares {
    double cache = 0, memory = 0;
  };
  /// Of a plan with so many modules (0: uncut), on so many cores of so many machines together.
  Shares shares(std::size_t modules, int cores, int machines = 1) const;
  /// Nanoseconds in which each of so many threads has so many bytes from there; `late`: the share of those from the
  /// largest cache that it waits for.
  double fetch_ns(double bytes, const Shares& from, double late, int threads = 1) const;
  /// Nanoseconds in which so many busy threads have so many bytes from memory.
  double memory_ns(double bytes, double busy) const;

  Model model_;
  Calibration calibration_;
  std::vector<bool> multipliers_;
  std::vector<double> node_;    ///< over bodies: weighed operations by `ab` of the node that begins with it
  double work_ = 0, path_ = 0;  ///< operations of all nodes, and of the longest way from the ground to a tip
};

/// What a run on several threads takes before and after all tasks, in nanoseconds.
double handing_over(const SchedulingCost& cost, int threads);

/// How many passes a run has, a gather after each scatter (stages.hpp).
struct PassCounts {
  int sweeps = 0, closes = 0;                 ///< gathers and scatters; passes over all tasks at once
  int turns_at_roots = 0, turns_at_tips = 0;  ///< from a gather to a scatter, and back, which are one stage there
};

/// How often all threads of a run wait for each other: not at all where a task waits for its own neighbours only.
int meetings(ExecutorKind executor, const Tasks& tasks, const PassCounts& passes);

}  // namespace kinetree::inline inner
