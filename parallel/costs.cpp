#include "parallel/costs.hpp"

#include <algorithm>
#include <cmath>
#include <kinetree/model.hpp>
#include <utility>

#include "engine/algorithm/solver/loop_choice.hpp"
#include "engine/algorithm/solver/step_operations.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/make_modules.hpp"
#include "engine/scalar/index.hpp"
#include "parallel/makespan.hpp"

namespace kinetree::inline inner {
namespace {

/// Passes of a phase; kinematics belong to the gather behind them, as do the constraints that loops make of a state.
double passes_of(std::size_t phase, const ModelData& m) {
  return phase == Operations::articulate ? (m.aggregates.empty() ? 2 : 3) : 1;
}

}  // namespace

double operations(const Model& model, const Method& method) {
  const Modules modules = make_modules(model.data(), method.modules);
  StepOperations operations(modules.parts_of(model.data()), modules,
                            multiplier_aggregates(model.data(), method.loops));
  double sum = 0;
  for (const Step& step : modules.steps) sum += operations.of(step).all(method.refinements);
  return sum;
}

Costs::Costs(Model model, Loops loops, const Calibration& calibration)
    : model_(std::move(model)),
      calibration_(calibration),
      multipliers_(multiplier_aggregates(model_.data(), loops)),
      node_(model_.data().parent.size()) {
  const Modules uncut;
  StepOperations operations(model_.data(), uncut, multipliers_);
  std::vector<double> path(node_.size());
  for (std::size_t i = 0; i < node_.size(); ++i) {
    const int p = model_.data().parent[i];
    node_[i] = operations.of_node(static_cast<int>(i)).all(0);
    path[i] = node_[i] + (p < 0 ? 0 : path[at(p)]);
    work_ += node_[i];
    path_ = std::max(path_, path[i]);
  }
  constexpr double bytes_of_body = 850;  // its link, transform, inertia, factors and the rest
  constexpr double ns_of_byte = 0.04;    // one core, tree:2x16 and chain:65536
  const double bytes = bytes_of_body * static_cast<double>(node_.size());
  // others have their part of the cache
  if (calibration.cache > 0) memory_ns_ = std::clamp(bytes / calibration.cache - 0.5, 0.0, 1.0) * bytes * ns_of_byte;
}

double Costs::predicted_ns(Method method, const Threads& on) const {
  const int threads = std::max(1, on.count);
  if (threads == 1 && method.algorithm == Algorithm::ab) return work_ * calibration_.ab + memory_ns_;
  if (threads == 1) return operations(model_, method) * calibration_.dial + memory_ns_;
  method.modules.task_bodies = task_bodies(model_, threads);
  const Modules modules = make_modules(model_.data(), method.modules);
  const Tasks tasks = make_tasks(modules, method.modules.task_bodies);
  const SchedulingCost& cost = calibration_.of(on.executor);
  const auto with_scheduling = [&](double ns, int passes) {
    const int levels = static_cast<int>(tasks.levels.size());
    return ns + handing_over(cost, threads) + cost.meet * meetings(on.executor, levels, passes);
  };
  std::vector<Operations> work(at(tasks.count()));
  StepOperations operations(modules.parts_of(model_.data()), modules, multipliers_);
  for (int t = 0; t < tasks.count(); ++t)
    tasks.for_steps(t, [&](int s) { work[at(t)] += operations.of(modules.steps[at(s)]); });
  const bool dial = modules.any_cut();
  const double ns_of_operation = dial ? calibration_.dial : calibration_.ab + memory_ns_ / work_;
  std::vector<double> ns(at(tasks.count()));
  double sum = 0, passes = 0;
  for (std::size_t p = 0; p < Operations::phases; ++p) {
    const double runs = Operations::runs(p, method.refinements);
    const auto empty = [&](const Operations& of_task) { return of_task.of[p] == 0; };
    if (runs == 0 || std::all_of(work.begin(), work.end(), empty)) continue;
    const double in_phase = passes_of(p, model_.data());
    for (int t = 0; t < tasks.count(); ++t) ns[at(t)] = in_phase * cost.task + ns_of_operation * work[at(t)].of[p];
    sum += runs * makespan(tasks, ns, threads, on.executor) / cost.efficiency;
    passes += runs * in_phase;
  }
  return with_scheduling(sum + (dial ? memory_ns_ / threads : 0), static_cast<int>(passes));
}

double Costs::predicted_ns(const PartsCost& bodies, int meetings, double fetches, const Threads& on) const {
  // in bodies outside aggregates; what aggregates take beyond that goes to no lane
  const ModelData& m = model_.data();
  double plain = 0, count = 0;
  for (std::size_t i = 0; i < node_.size(); ++i)
    if (m.aggregates.empty() || m.aggregate_of[i] < 0) plain += node_[i], ++count;
  const bool weighed = bodies.alone > 0;
  const double body = (weighed     ? work_ / bodies.alone
                       : count > 0 ? plain / count
                                   : work_ / static_cast<double>(node_.size())) *
                      calibration_.ab;
  const double tied =
      weighed || m.aggregates.empty() ? 0 : work_ * calibration_.ab - body * static_cast<double>(node_.size());
  const int threads = std::max(1, on.count);
  if (threads == 1) return body * bodies.all() + tied + fetches * memory_ns_;
  const SchedulingCost& cost = calibration_.of(on.executor);
  constexpr double fetched = 2;  // what is joined comes from other threads' caches (measured: chain:512 to chain:2048)
  // no thread helps another with a pack
  const double packs = bodies.packs > 0 ? std::ceil(bodies.packs / bodies.largest - 1e-9) : 0;
  const double rounds = std::ceil(packs / threads);
  const int busy = std::clamp(static_cast<int>(packs), 1, threads);
  return body * (rounds * bodies.largest / cost.efficiency + fetched * bodies.joins + bodies.rest) + tied +
         fetches * memory_ns_ / busy + handing_over(cost, threads) + cost.meet * meetings;
}

double Costs::least_ns(const Method& method, const Threads& on) const {
  const int threads = std::max(1, on.count);
  if (threads == 1) return work_ * std::min(calibration_.ab, calibration_.dial);
  const SchedulingCost& cost = calibration_.of(on.executor);
  const double fork = handing_over(cost, threads);
  if (method.algorithm == Algorithm::ab)
    return std::max(work_ / threads, path_) * calibration_.ab / cost.efficiency + fork;
  return work_ / threads * std::min(calibration_.ab, calibration_.dial) / cost.efficiency + fork;
}

double handing_over(const SchedulingCost& cost, int threads) { return cost.fork + cost.thread * (threads - 2); }

int meetings(ExecutorKind executor, int levels, int passes) {
  return level_by_level(executor, levels) ? (levels - 1) * passes + 1 : 0;
}

}  // namespace kinetree::inline inner
