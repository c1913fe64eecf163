#pragma once
// A rank's solver of one state on one scalar type, and the run that shares out its steps.

#include <kinetree/model.hpp>
#include <kinetree/plan.hpp>
#include <memory>
#include <utility>
#include <vector>

#include "engine/algorithm/lanes/lane_solver.hpp"
#include "engine/scalar/index.hpp"
#include "library/planner.hpp"
#include "mpi/rank_run.hpp"
#include "mpi/spread_plan.hpp"
#include "parallel/weighed_operations.hpp"

namespace kinetree::inline inner {

/// Of the modules of all ranks, which parts in lanes make anew.
template <class S>
std::unique_ptr<LaneSolver<S>> rank_solver(int ranks, const Model& model, const Plan& plan,
                                           std::shared_ptr<const Modules> modules) {
  const Method method = spread_method(model, plan, ranks);
  const Parts parts = spread_parts(model, plan, ranks);
  if (!parts.empty()) return make_parts_solver<S>(instruction_set(), model, method, parts);
  return make_lane_solver<S>(instruction_set(), false, model, method, std::move(modules));
}

template <class S>
struct RankSolver {
  RankSolver(const Communicator& c, const Model& model, const Plan& plan, std::shared_ptr<const Modules> modules)
      : solver(rank_solver<S>(c.ranks(), model, plan, std::move(modules))),
        run(c,
            {solver->passes(), solver->space(), *solver->borders(), solver->modules(),
             solver->modules().parts_of(model.data()), work_of(c.ranks(), model, plan)},
            plan),
        result(at(model.nv())),
        packed(at(model.nv())) {}

  /// Of the solver's steps, as RankSteps has it.
  std::vector<double> work_of(int ranks, const Model& model, const Plan& plan) const {
    if (plan.one_threads == 1) return {};
    return step_work(model, solver->modules(), spread_method(model, plan, ranks), spread_parts(model, plan, ranks));
  }

  std::unique_ptr<LaneSolver<S>> solver;
  RankRun run;
  std::vector<S> result;  ///< of all joints; those of other ranks' bodies stay zero
  std::vector<S> packed;  ///< rank after rank: the rows of its joints
};

}  // namespace kinetree::inline inner
