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
#include "engine/partition/processes.hpp"
#include "engine/scalar/index.hpp"
#include "parallel/assignment.hpp"
#include "parallel/makespan.hpp"
#include "parallel/weighed_operations.hpp"

namespace kinetree::inline inner {
namespace {

/// Passes over all tasks between the scatter of velocities and the gather of inertias (Nodes::has_constraints).
int constraint_passes(const ModelData& m, const std::vector<bool>& multipliers) {
  const auto depends_on_state = [](const Aggregate& a) { return !a.constant(); };
  return std::ranges::any_of(m.aggregates, depends_on_state) || std::ranges::count(multipliers, true) > 0 ? 1 : 0;
}

// Bytes that come from memory per weighed operation, where no cache holds them. Sweeps: lines that a cache of 1 MiB
// misses, by cachegrind (`ab`: 3.0 on chain:16384, 2.3 on tree:2x14; `modular`, grain 64: 2.6). Merges miss no more
// lines, but scattered ones, each of which they wait for: they take as long as 5.4 bytes in sequence would (`cfa` on
// chains of 4096 to 100000 bodies: 4.6 to 5.6 on a quiet machine).
constexpr double streamed = 2.5, scattered = 5.4;
// Of the time in which bytes come from the largest cache, the fraction that a thread waits: `ab` on chain:1024 to
// chain:16384; packs, which read whole lines in sequence (0.16 to 0.3 on AVX-512: limbs of star:64x64 to star:64x256
// and tree:2x11 to tree:2x14, end chains of chain:4096 to chain:16384).
constexpr double exposed_alone = 0.45, exposed_in_lanes = 0.2;
// If another thread had a task in the pass before, the task waits for each line of its bytes this fraction of a line
// transfer (oneTBB's graph, cores without a common cache: `cfa` on chains, combs, random trees).
constexpr double bytes_of_line = 64, waited_for = 0.02;

double fetched(const Step& step) { return step.module < 0 ? scattered : streamed; }

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

Costs::Costs(Model model, Loops loops, const Calibration& calibration)
    : model_(std::move(model)),
      calibration_(calibration),
      multipliers_(multiplier_aggregates(model_.data(), loops)),
      node_(model_.data().parent.size()) {
  const Modules uncut = make_modules(model_.data(), {});
  WeighedOperations operations(model_.data(), uncut, multipliers_);
  std::vector<double> path(node_.size());
  for (std::size_t i = 0; i < node_.size(); ++i) {
    const int p = model_.data().parent[i];
    node_[i] = operations.of_node(static_cast<int>(i)).all(0);
    path[i] = node_[i] + (p < 0 ? 0 : path[at(p)]);
    work_ += node_[i];
    path_ = std::max(path_, path[i]);
  }
}

Costs::Fractions Costs::fractions(std::size_t modules, int cores, int machines) const {
  const double cache_count = machines * std::min(calibration_.caches, std::ceil(static_cast<double>(cores) / machines));
  // what a solver keeps, with the model's own numbers (`kinetree info`: chain:16384, tree:2x14, grains of 1 to 1024)
  constexpr double bytes_of_body = 850, bytes_of_module = 4800;
  const double held =
      bytes_of_body * static_cast<double>(node_.size()) + bytes_of_module * static_cast<double>(modules);
  const auto beyond = [](double bytes, double cache, double rate) {  // others have their part of a cache
    return cache > 0 && rate > 0 ? std::clamp(bytes / cache - 0.5, 0.0, 1.0) : 0.0;
  };
  Fractions from;
  from.memory = beyond(held / cache_count, calibration_.cache, calibration_.bandwidths.memory.one);
  from.cache =
      (1 - from.memory) * beyond(held / cores, calibration_.core_cache, calibration_.bandwidths.caches.back().one);
  return from;
}

double Costs::fetch_ns(double bytes, const Fractions& from, double exposed, int threads) const {
  const double rate = calibration_.bandwidths.caches.back().one;
  return memory_ns(threads * from.memory * bytes, threads) + (from.cache > 0 ? exposed * from.cache * bytes / rate : 0);
}

double Costs::memory_ns(double bytes, double busy) const {
  if (bytes == 0) return 0;
  const auto [one, all] = calibration_.bandwidths.memory;
  return bytes / (all > 0 ? std::min(busy * one, std::max(one, all)) : busy * one);
}

std::vector<Operations> Costs::step_ns(const Modules& modules, const Processes& on, const ModulesInLanes& lanes) const {
  const bool dial = modules.any_cut();
  const int machines = (on.count + on.on_each_machine - 1) / on.on_each_machine,
            here = std::min(on.count, on.on_each_machine);
  const Fractions from = fractions(dial ? modules.modules.size() : 0, on.count, machines);
  WeighedOperations operations(modules.parts_of(model_.data()), modules, multipliers_);
  const double slow = slowed(calibration_.team, here, calibration_.cores),
               each = slow * (dial ? calibration_.dial : calibration_.ab),
               of_body = work_ / static_cast<double>(node_.size());
  std::vector<Operations> all;
  for (const Step& step : modules.steps) {
    all.push_back(operations.of(step));
    if (step.module >= 0 && at(step.module) < lanes.count) {
      // measured as a whole, and shared out over phases as operations are
      const double bodies = body_count(modules, modules.modules[at(step.module)]) * of_body;
      const double ns = slow * calibration_.ab * lanes.body * bodies +
                        fetch_ns(lanes.fetches * streamed * bodies, from, exposed_in_lanes, here);
      const double of_all = all.back().all(lanes.refinements);
      for (double& x : all.back().of) x *= ns / of_all;
      continue;
    }
    for (double& x : all.back().of) x = each * x + fetch_ns(fetched(step) * x, from, exposed_alone, here);
  }
  return all;
}

double Costs::predicted_ns(Method method, const Threads& on) const {
  const int threads = std::max(1, on.count);
  if (threads == 1 && method.algorithm == Algorithm::ab)
    return (work_ + WeighedOperations::of_solve) * calibration_.ab +
           fetch_ns(streamed * work_, fractions(0, 1), exposed_alone);
  if (threads > 1) method.modules.task_bodies = task_bodies(model_, threads);
  const Modules modules = make_modules(model_.data(), method.modules);
  const bool dial = modules.any_cut();
  const Fractions from = fractions(dial ? modules.modules.size() : 0, threads);
  const double ns_of_operation = dial ? calibration_.dial : calibration_.ab;
  WeighedOperations operations(modules.parts_of(model_.data()), modules, multipliers_);
  if (threads == 1) {
    double sum = WeighedOperations::of_solve, bytes = 0;
    for (const Step& step : modules.steps) {
      const double of_step = operations.of(step).all(method.refinements);
      sum += of_step, bytes += fetched(step) * of_step;
    }
    return sum * ns_of_operation + fetch_ns(bytes, from, exposed_alone);
  }
  const Tasks tasks = make_tasks(modules, method.modules.task_bodies);
  const SchedulingCost cost = scheduling_cost(calibration_, on.executor, threads);
  const int constraints = constraint_passes(model_.data(), multipliers_);
  PassCounts passes{.constraints = constraints,
                    .turns_at_roots = dial ? 2 + method.refinements : 1,
                    .turns_at_tips = constraints == 0 ? 1 : 0};
  std::vector<Operations> work(at(tasks.count())), bytes_of(work.size());
  for (int t = 0; t < tasks.count(); ++t)
    tasks.for_steps(t, [&](int s) {
      const Step& step = modules.steps[at(s)];
      const Operations of_step = operations.of(step);
      work[at(t)] += of_step, add(bytes_of[at(t)], fetched(step), of_step);
    });
  std::vector<double> ns(at(tasks.count()));
  const auto sweeps_of = [](std::size_t p) { return p == Pass::articulate ? 2 : 1; };  // velocities, then inertias
  const auto runs_of = [&](std::size_t p) {
    const auto empty = [&](const Operations& of_task) { return of_task.of[p] == 0; };
    return std::all_of(work.begin(), work.end(), empty) ? 0 : static_cast<int>(Operations::runs(p, method.refinements));
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
  double sum = WeighedOperations::of_solve * calibration_.ab;
  for (std::size_t p = 0; p < Pass::phases; ++p) {
    const double runs = runs_of(p);
    if (runs == 0) continue;
    const double in_phase = sweeps_of(p) + (p == Pass::articulate ? constraints : 0);
    double all_ns = 0, fetching = 0, bytes = 0;
    for (int t = 0; t < tasks.count(); ++t) {
      double fetch = fetch_ns(bytes_of[at(t)].of[p], from, exposed_alone);
      if (dynamic) {
        const double elsewhere = (1 - 1.0 / threads) * shared_levels.from_others[at(t)];
        fetch += elsewhere * bytes_of[at(t)].of[p] / bytes_of_line * waited_for * calibration_.line_transfer;
      }
      ns[at(t)] = in_phase * shared_levels.from_others[at(t)] * cost.task + ns_of_operation * work[at(t)].of[p] + fetch;
      all_ns += ns[at(t)], fetching += fetch, bytes += from.memory * streamed * work[at(t)].of[p];
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
    // What threads wait longer because they share memory: all bytes at the shared rate, less at each thread's own rate.
    // All count as streamed: while a thread waits for one scattered line, memory serves the others.
    const double shared = memory_ns(bytes, busy) - memory_ns(bytes, 1) / busy;
    const double computed = 1 - fetching / all_ns;  // threads that wait for memory slow each other no further
    sum += runs * (time * (computed * slowed(cost, busy, calibration_.cores) + 1 - computed) + std::max(0.0, shared));
  }
  if (!shared_levels.any) return sum;  // no thread is handed a task
  // from one single task to the next oneTBB's graph may change the thread
  if (dynamic) sum += passes.sweeps * shared_levels.single * calibration_.line_transfer;
  return sum + fork_join_ns(cost, threads) + cost.meet * barriers(on.executor, tasks, passes);
}

double Costs::predicted_ns(const PartsCost& bodies, const PartsRun& run, const Threads& on) const {
  // plain: the work of bodies outside aggregates; what an aggregate's body takes beyond such a body goes to no lane
  const ModelData& m = model_.data();
  double plain = 0, count = 0;
  for (std::size_t i = 0; i < node_.size(); ++i)
    if (aggregate_of(m, static_cast<int>(i)) < 0) plain += node_[i], ++count;
  const bool weighed = bodies.alone > 0;
  const double body = (weighed     ? work_ / bodies.alone
                       : count > 0 ? plain / count
                                   : work_ / static_cast<double>(node_.size())) *
                      calibration_.ab;
  const double tied =
      weighed || m.aggregates.empty() ? 0 : work_ * calibration_.ab - body * static_cast<double>(node_.size());
  const double solve = WeighedOperations::of_solve * calibration_.ab;
  const auto fetching = [&](int busy) {
    return fetch_ns(run.fetches * streamed * work_ / busy, fractions(0, busy), exposed_in_lanes, busy);
  };
  const int threads = std::max(1, on.count);
  if (threads == 1) return solve + body * bodies.all() + tied + fetching(1);
  const SchedulingCost cost = scheduling_cost(calibration_, on.executor, threads);
  constexpr double fetched = 2;  // what is joined comes from other threads' caches (measured: chain:512 to chain:2048)
  // Of a thread's packs in a stage the first two wait for data in other threads' caches as tasks do; of those behind
  // them each adds a tenth of that at most (star:256x3, star:1024x3, star:4096x3, cores that share no cache).
  constexpr double waiting = 2;
  // packs are not stolen
  const double packs = bodies.packs > 0 ? std::ceil(bodies.packs / bodies.largest - 1e-9) : 0;
  const double packs_each = std::ceil(packs / threads);
  const int busy = std::clamp(static_cast<int>(packs), 1, threads);
  const double slow = slowed(cost, busy, calibration_.cores);
  return solve + body * (packs_each * bodies.largest * slow + fetched * bodies.joins + bodies.rest) + tied +
         run.stages * std::min(packs_each, waiting) * cost.task + fetching(busy) + fork_join_ns(cost, threads) +
         cost.meet * run.barriers;
}

double Costs::lower_bound_ns(const Method& method, const Threads& on) const {
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
