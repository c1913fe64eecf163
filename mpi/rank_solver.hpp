#pragma once
// A rank's solver of one state on one scalar type, and the run that shares out its steps.

#include <kinetree/model.hpp>
#include <kinetree/plan.hpp>
#include <memory>
#include <utility>
#include <vector>

#include "engine/algorithm/lanes/lane_solver.hpp"
#include "engine/scalar/index.hpp"
#include "mpi/rank_run.hpp"
#include "mpi/spread_plan.hpp"

namespace kinetree::inline inner {

template <class S>
struct RankSolver {
  RankSolver(const Communicator& c, const Model& model, const Plan& plan, std::shared_ptr<const Modules> modules)
      : solver(make_lane_solver<S>(instruction_set(), false, model, spread_method(model, plan, c.ranks()), modules)),
        run(c, {solver->passes(), solver->space(), *solver->borders(), *modules, modules->parts_of(model.data())},
            plan.executor, plan.one_threads),
        result(at(model.nv())) {}

  std::unique_ptr<LaneSolver<S>> solver;
  RankRun run;
  std::vector<S> result;  ///< of all joints; those of other ranks' bodies stay zero
};

}  // namespace kinetree::inline inner
