#pragma once
// What one state of a plan is solved with, and the tasks that its threads get.

#include <kinetree/model.hpp>
#include <memory>
#include <type_traits>

#include "engine/algorithm/lanes/lane_solver.hpp"
#include "engine/partition/make_modules.hpp"
#include "library/planner.hpp"
#include "parallel/tasks.hpp"
#include "parallel/weighed_operations.hpp"

namespace kinetree::inline inner {

template <class T>
struct OneState {
  std::unique_ptr<LaneSolver<T>> solver;
  Tasks tasks;
};

/// On one thread all is one task. In float, limbs in two of the four lanes of a baseline register take longer than body
/// by body (star:64x3 1.21, humanoid 1.15).
template <class T>
OneState<T> make_one_state(const Model& model, const Planned& planned, InstructionSet set) {
  const int threads = planned.plan.one_threads;
  const Parts& parts = planned.parts;
  const bool in_lanes = !parts.empty() && (std::is_same_v<T, double> || parts.least_width() >= 4);
  Method method = !parts.end_chains.all.empty() && !in_lanes ? batch_method(planned.plan) : one_method(planned.plan);
  OneState<T> one;
  if (in_lanes) {
    one.solver = make_parts_solver<T>(set, model, method, parts);
  } else {
    if (threads > 1) method.modules.task_bodies = task_bodies(model.body_count(), threads);
    method.modules.split_chains = method.algorithm == Algorithm::crb;  // rows of the mass matrix wait for no other
    one.solver = make_lane_solver<T>(set, false, model, method,
                                     std::make_shared<const Modules>(make_modules(model.data(), method.modules)));
  }
  const Modules& modules = one.solver->modules();
  one.tasks = threads > 1 ? shared_out(modules, step_work(model, modules, method, in_lanes ? parts : Parts{}),
                                       threads)
                          : make_tasks(modules, {}, 0);
  return one;
}

}  // namespace kinetree::inline inner
