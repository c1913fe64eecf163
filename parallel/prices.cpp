#include "parallel/prices.hpp"

#include <algorithm>
#include <cmath>
#include <kinetree/model.hpp>
#include <utility>

#include "engine/algorithm/solver/loop_choice.hpp"
#include "engine/algorithm/solver/step_operations.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/make_modules.hpp"
#include "engine/partition/part_modules.hpp"
#include "engine/partition/price_table.hpp"
#include "engine/scalar/index.hpp"
#include "parallel/assignment.hpp"
#include "parallel/makespan.hpp"
#include "parallel/weighed_operations.hpp"

namespace kinetree::inline inner {
namespace {

/// Returns 1 if a pass over constraints runs between the scatter of velocities and the gather of inertias
/// (Nodes::has_constraints).
int constraint_passes(const ModelData& m, const std::vector<bool>& multipliers) {
  const auto depends_on_state = [](const Aggregate& a) { return !a.constant(); };
  return std::ranges::any_of(m.aggregates, depends_on_state) || std::ranges::count(multipliers, true) > 0 ? 1 : 0;
}

/// How many times longer tasks take while `busy` threads are busy on average: measured for one, two and `cores`
/// threads, linear between (tree:2x15 on 2, 4, 8 and 12 of 16 hardware threads of 8 cores).
double slowed(const SchedulingCost& cost, double busy, double cores) {
  const double two = 1 / cost.efficiency_of_two - 1, more = cores > 2 ? 1 / cost.efficiency - 1 - two : 0;
  return 1 + two * std::clamp(busy - 1, 0.0, 1.0) + more * std::clamp((busy - 2) / std::max(cores - 2, 1.0), 0.0, 1.0);
}

/// Whether a level has several tasks.
bool several(const Tasks& tasks, std::size_t level) {
  return level < tasks.levels.size() && tasks.levels[level].size() > 1;
}

/// The most tasks that may run at once. Data lie in the caches of at most that number of cores.
int widest(const Tasks& tasks) {
  std::size_t most = 1;
  for (const std::vector<int>& level : tasks.levels) most = std::max(most, level.size());
  return static_cast<int>(most);
}

/// Which tasks go on with data that other threads wrote, judged by the number of tasks in each level.
struct SharedLevels {
  bool any = false;  ///< whether two tasks may ever run at once
  int single = 0;    ///< levels of one task behind a level of one task nearer the ground
  /// Over tasks: the fraction of passes in which the task begins with data of other threads. Passes of any order are
  /// counted, though they read little of such data.
  std::vector<double> from_others;

  /// `keeps`: whether a thread keeps its tasks from pass to pass.
  SharedLevels(const Tasks& tasks, const PassCounts& passes, bool keeps) : from_others(at(tasks.count())) {
    const std::size_t levels = tasks.levels.size();
    any = tasks.count() > 1 && passes.constraints + passes.closes > 0;
    for (std::size_t l = 0; l < levels; ++l) {
      const bool before = l > 0 && several(tasks, l - 1), here = several(tasks, l);
      any |= here, single += l > 0 && !before && !here;
      if (!before && !here && !several(tasks, l + 1)) continue;
      double merged = 0;
      if (keeps) merged = (l == 0 ? passes.turns_at_roots : 0) + (l + 1 == levels ? passes.turns_at_tips : 0);
      for (const int t : tasks.levels[l]) from_others[at(t)] = 1 - merged / passes.all();
    }
  }
};

}  // namespace

double operations(const Model& model, const Method& method) {
  const Modules modules = make_modules(model.data(), method.modules);
  StepOperations operations(modules.parts_of(model.data()), modules, multiplier_aggregates(model.data(), method.loops));
  double sum = 0;
  for (const Step& step : modules.steps) sum += operations.of(step).all(method.refinements);
  return sum;
}

Prices::Prices(Model model, Loops loops, const Calibration& calibration)
    : model_(std::move(model)),
      calibration_(calibration),
      multipliers_(multiplier_aggregates(model_.data(), loops)),
      bodies_(body_prices(model_.data(), multipliers_)) {
  std::vector<double> path(bodies_.size());
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const int p = model_.data().parent[i];
    path[i] = bodies_[i].alone + (p < 0 ? 0 : path[at(p)]);
    work_ += bodies_[i].alone;
    path_ = std::max(path_, path[i]);
  }
}

Prices::Fractions Prices::fractions(std::size_t modules, int cores, int machines) const {
  const double cache_count = machines * std::min(calibration_.caches, std::ceil(static_cast<double>(cores) / machines));
  const double held = price::bytes_of_body * static_cast<double>(bodies_.size()) +
                      price::bytes_of_velocity * model_.nv() + price::bytes_of_module * static_cast<double>(modules);
  const auto beyond = [](double bytes, double cache, double rate) {
    return cache > 0 && rate > 0 ? std::clamp(bytes / cache - price::of_others, 0.0, 1.0) : 0.0;
  };
  Fractions from;
  from.memory = beyond(held / cache_count, calibration_.cache, calibration_.bandwidths.memory.one);
  from.cache =
      (1 - from.memory) * beyond(held / cores, calibration_.core_cache, calibration_.bandwidths.caches.back().one);
  return from;
}

double Prices::fetch_ns(double bytes, const Fractions& from, int threads) const {
  const double rate = calibration_.bandwidths.caches.back().one;
  return memory_ns(threads * from.memory * bytes, threads) +
         (from.cache > 0 ? price::exposed * from.cache * bytes / rate : 0);
}

double Prices::memory_ns(double bytes, double busy) const {
  if (bytes == 0) return 0;
  const auto [one, all] = calibration_.bandwidths.memory;
  return bytes / (all > 0 ? std::min(busy * one, std::max(one, all)) : busy * one);
}

std::vector<Prices::StepPrice> Prices::step_prices(const Modules& modules, const std::vector<Work>& work_of,
                                                   const Fractions& from, int threads) const {
  const double ns_of_operation = modules.any_cut() ? calibration_.dial : calibration_.ab;
  std::vector<StepPrice> all;
  for (std::size_t s = 0; s < modules.steps.size(); ++s) {
    const Work& work = work_of[s];
    const double line = modules.steps[s].module < 0 ? price::scattered : price::streamed;
    StepPrice& own = all.emplace_back();
    const double all_packed = work.in_lanes.all(0);
    for (std::size_t p = 0; p < Pass::phases; ++p) {
      const double alone = work.alone.of[p], packed = work.in_lanes.of[p];
      own.ns.of[p] = ns_of_operation * alone + calibration_.ab * calibration_.in_lanes(work.width) * packed;
      own.bytes.of[p] = line * alone + price::streamed * work.filled * packed;
      if (packed > 0) own.bytes.of[p] += price::pack_waits * packed / all_packed;  // shared out as operations are
      own.fetch_ns.of[p] = fetch_ns(own.bytes.of[p], from, threads);
    }
  }
  return all;
}

std::vector<Operations> Prices::step_ns(const Modules& modules, WeighedOperations operations,
                                        const Processes& on) const {
  const int machines = (on.count + on.on_each_machine - 1) / on.on_each_machine,
            here = std::min(on.count, on.on_each_machine);
  const Fractions from = fractions(operations.keeping(), on.count, machines);
  const double slow = slowed(calibration_.team, here, calibration_.cores);
  std::vector<Operations> all;
  for (const StepPrice& price : step_prices(modules, operations.of_steps(), from, here)) {
    all.push_back(price.fetch_ns);
    add(all.back(), slow, price.ns);
  }
  return all;
}

double Prices::predicted_ns(Method method, const Threads& on, const Parts& parts) const {
  const int threads = std::max(1, on.count);
  const double solve = price::solve * calibration_.ab;
  if (threads == 1 && method.algorithm == Algorithm::ab && parts.empty())
    return solve + work_ * calibration_.ab + fetch_ns(price::streamed * work_, fractions(0, 1));
  if (threads > 1) method.modules.task_bodies = task_bodies(model_.body_count(), threads);
  PartModules made;
  if (parts.empty())
    made.modules = make_modules(model_.data(), method.modules);
  else
    made = modules_of_parts(model_.data(), parts, method.modules);
  const Modules& modules = made.modules;
  WeighedOperations operations(modules.parts_of(model_.data()), modules, multipliers_, made, parts);
  const std::vector<Work> work_of = operations.of_steps();
  Tasks tasks;
  if (threads > 1) {
    std::vector<double> work;
    for (const Work& step : work_of) work.push_back(step.all(method.refinements));
    tasks = shared_out(modules, work, threads);
  }
  const Fractions from = fractions(operations.keeping(), std::min(threads, widest(tasks)));
  const std::vector<StepPrice> price_of = step_prices(modules, work_of, from, 1);
  if (threads == 1) {
    double sum = solve;
    for (const StepPrice& step : price_of)
      sum += step.ns.all(method.refinements) + step.fetch_ns.all(method.refinements);
    return sum;
  }
  return solve + on_threads(modules, tasks, price_of, from, method, on);
}

double Prices::on_threads(const Modules& modules, const Tasks& tasks, const std::vector<StepPrice>& price_of,
                          const Fractions& from, const Method& method, const Threads& on) const {
  const int threads = on.count;
  const SchedulingCost cost = scheduling_cost(calibration_, on.executor, threads);
  const int constraints = constraint_passes(model_.data(), multipliers_);
  PassCounts passes{.constraints = constraints,
                    .turns_at_roots = modules.any_cut() ? 2 + method.refinements : 1,
                    .turns_at_tips = constraints == 0 ? 1 : 0};
  std::vector<StepPrice> of_task(at(tasks.count()));
  for (int t = 0; t < tasks.count(); ++t)
    tasks.for_steps(t, [&](int s) {
      of_task[at(t)].ns += price_of[at(s)].ns, of_task[at(t)].bytes += price_of[at(s)].bytes;
      of_task[at(t)].fetch_ns += price_of[at(s)].fetch_ns;
    });
  std::vector<double> ns(at(tasks.count()));
  const auto sweeps_of = [](std::size_t p) { return p == Pass::articulate ? 2 : 1; };  // velocities, then inertias
  const auto runs_of = [&](std::size_t p) {
    const auto empty = [&](const StepPrice& task) { return task.ns.of[p] == 0; };
    return std::ranges::all_of(of_task, empty) ? 0 : static_cast<int>(Operations::runs(p, method.refinements));
  };
  for (std::size_t p = 0; p < Pass::phases; ++p)
    (p == Pass::close || p == Pass::close_again ? passes.closes : passes.sweeps) += runs_of(p) * sweeps_of(p);
  const int levels = static_cast<int>(tasks.levels.size());
  const bool dynamic = schedules_dynamically(on.executor, levels);
  const SharedLevels shared_levels(tasks, passes, !dynamic);
  // where no two tasks may run at once one thread does all
  const std::vector<int> workers =
      on.executor == ExecutorKind::team ? workers_of(tasks, shared_levels.any ? threads : 1) : std::vector<int>{};
  const std::vector<int> of_any_order = workers_of_any_order(tasks, workers, threads);
  double sum = 0;
  for (std::size_t p = 0; p < Pass::phases; ++p) {
    const double runs = runs_of(p);
    if (runs == 0) continue;
    const double in_phase = sweeps_of(p) + (p == Pass::articulate ? constraints : 0);
    double all_ns = 0, fetching = 0, bytes = 0;
    for (int t = 0; t < tasks.count(); ++t) {
      constexpr double line = 64;  // bytes of a line of the cache
      double fetch = of_task[at(t)].fetch_ns.of[p];
      if (dynamic) {
        const double elsewhere = (1 - 1.0 / threads) * shared_levels.from_others[at(t)];
        fetch += elsewhere * of_task[at(t)].bytes.of[p] / line * price::waited_for * calibration_.line_transfer;
      }
      ns[at(t)] = in_phase * shared_levels.from_others[at(t)] * cost.task + of_task[at(t)].ns.of[p] + fetch;
      all_ns += ns[at(t)], fetching += fetch, bytes += from.memory * of_task[at(t)].bytes.of[p];
    }
    const bool any_order = p == Pass::close || p == Pass::close_again;
    double time = 0;
    if (workers.empty())
      time = makespan(tasks, ns, threads, on.executor);
    else if (any_order)
      time = std::ranges::max(loads(ns, of_any_order, threads));
    else
      time = makespan(tasks, ns, workers, sweeps_of(p) * cost.meet);
    const double busy = all_ns / time;
    // Sharing memory costs the time of all bytes at the shared rate, minus each thread's time at its own rate.
    const double shared = memory_ns(bytes, busy) - memory_ns(bytes, 1) / busy;
    const double computed = 1 - fetching / all_ns;  // threads that wait for memory slow each other no further
    sum += runs * (time * (computed * slowed(cost, busy, calibration_.cores) + 1 - computed) + std::max(0.0, shared));
  }
  if (!shared_levels.any) return sum;  // no thread is handed a task
  // oneTBB's graph may run the next single task on another thread: one line transfer
  if (dynamic) sum += passes.sweeps * shared_levels.single * calibration_.line_transfer;
  return sum + fork_join_ns(cost, threads) + cost.meet * barriers(on.executor, tasks, passes);
}

double Prices::lower_bound_ns(const Method& method, const Threads& on) const {
  const int threads = std::max(1, on.count);
  if (threads == 1) return work_ * std::min(calibration_.ab, calibration_.dial);
  const SchedulingCost& cost = calibration_.of(on.executor);
  const double shared = work_ * std::min(1.0, slowed(cost, threads, calibration_.cores) / threads),
               bound = method.algorithm == Algorithm::ab ? std::max(shared, path_) : shared,
               of_operation =
                   method.algorithm == Algorithm::ab ? calibration_.ab : std::min(calibration_.ab, calibration_.dial);
  // all may be one task, which is handed to no thread
  return std::min(work_ * of_operation, bound * of_operation + fork_join_ns(cost, threads));
}

SchedulingCost scheduling_cost(const Calibration& calibration, ExecutorKind executor, int threads) {
  SchedulingCost cost = calibration.of(executor);
  const double further = std::max(0.0, std::min<double>(threads, calibration.cores) - 2);
  cost.task += further * cost.task_growth, cost.meet += further * cost.meet_growth;
  return cost;
}

double fork_join_ns(const SchedulingCost& cost, int threads) { return cost.fork + cost.thread * (threads - 2); }

int barriers(ExecutorKind executor, const Tasks& tasks, const PassCounts& passes) {
  const std::size_t levels = tasks.levels.size();
  if (schedules_dynamically(executor, static_cast<int>(levels))) return 0;
  int shared = 0, between = 0;  // levels of several tasks; neighbours of which one is
  for (std::size_t l = 0; l < levels; ++l) {
    shared += several(tasks, l);
    between += l > 0 && (several(tasks, l - 1) || several(tasks, l));
  }
  const int closes = tasks.count() > 1 ? passes.closes : 0, constraints = tasks.count() > 1 ? passes.constraints : 0;
  if (executor == ExecutorKind::tbb)  // at the end of each parallel loop
    return passes.sweeps * shared + constraints + closes - (several(tasks, 0) ? passes.turns_at_roots : 0) -
           (several(tasks, levels - 1) ? passes.turns_at_tips : 0);
  // before and after constraints, and before and after closes, behind the last of which the run ends
  return (executor == ExecutorKind::team ? 0 : passes.sweeps * between) + 2 * constraints +
         std::max(0, 2 * closes - 1) + 1;
}

}  // namespace kinetree::inline inner
