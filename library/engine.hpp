#pragma once
// Engine: a plan on one scalar type, an executor, and the solvers of its workers.

#include <kinetree/model.hpp>
#include <memory>

#include "library/batch.hpp"
#include "library/dynamics_call.hpp"
#include "library/one_state.hpp"
#include "library/planner.hpp"

namespace kinetree::inline inner {

/// One state goes over its threads, by the kernels for one; several go as a batch.
template <class T>
class Engine {
 public:
  /// `set`: what one state is solved with; packs have plan.lanes lanes in double, twice as many in float. `own`: as
  /// Batch has it; one state then goes as a batch does.
  Engine(const Model& model, const Planned& planned, InstructionSet set, const Runner& runner,
         const std::shared_ptr<const OwnNumbers>& own = nullptr)
      : check_(model),
        executor_(make_executor(planned.plan.executor, planned.plan.one_threads, planned.plan.pinning, runner)),
        batch_(&make_lane_solver<T>, model, batch_method(planned.plan),
               {set, planned.plan.lanes, planned.plan.batch_threads, planned.plan.batch_from}, own),
        varies_(own != nullptr),
        one_(make_one_state<T>(model, planned, set)) {
    const Plan& plan = planned.plan;
    if (plan.batch_threads > 1 && plan.batch_threads != plan.one_threads)
      batch_executor_ = make_executor(plan.executor, plan.batch_threads, plan.pinning, runner);
    executor_->prepare(one_.solver->passes(), one_.solver->space(), one_.tasks);
  }

  void solve(const DynamicsInputs<T>& inputs, const Columns<T>& a, Statuses& statuses) {
    DynamicsCall<T> call{inputs, a, check_, statuses};
    const int columns = static_cast<int>(a.columns);
    if (columns > 1 || varies_)
      return batch_.solve(columns, inputs.f.data != nullptr, call, batch_executor_ ? *batch_executor_ : *executor_);
    const State<T> state = call.state(0);
    one_.solver->set({&state, 1});
    executor_->run();
    one_.solver->store();
    call.judge(0, state, *one_.solver);
  }

 private:
  StateCheck check_;
  std::unique_ptr<Executor> executor_;
  std::unique_ptr<Executor> batch_executor_;  ///< null: executor_, or none
  Batch<T> batch_;
  bool varies_;
  OneState<T> one_;
};

}  // namespace kinetree::inline inner
