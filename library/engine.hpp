#pragma once
// Engine: a plan on one scalar type, an executor, and the solvers of its workers.

#include <algorithm>
#include <kinetree/columns.hpp>
#include <kinetree/model.hpp>
#include <limits>
#include <vector>

#include "library/batch.hpp"
#include "library/one_state.hpp"
#include "library/planner.hpp"
#include "library/state_check.hpp"
#include "library/statuses.hpp"

namespace kinetree::inline inner {

/// One state goes over its threads, by the kernels for one; several go as a batch.
template <class T>
class Engine {
 public:
  /// `set`: what one state is solved with; packs have plan.lanes lanes in double, twice as many in float.
  Engine(const Model& model, const Planned& planned, InstructionSet set, const Runner& runner)
      : model_(model),
        check_(model),
        executor_(make_executor(planned.plan.executor, planned.plan.one_threads, planned.plan.pinning, runner)),
        batch_(model, batch_method(planned.plan),
               {set, planned.plan.lanes, planned.plan.batch_threads, planned.plan.batch_from}),
        one_(make_one_state<T>(model, planned, set)) {
    const Plan& plan = planned.plan;
    if (plan.batch_threads > 1 && plan.batch_threads != plan.one_threads)
      batch_executor_ = make_executor(plan.executor, plan.batch_threads, plan.pinning, runner);
    executor_->prepare(one_.solver->passes(), one_.solver->space(), one_.tasks);
  }

  void solve(Columns<const T> q, Columns<const T> v, Columns<const T> tau, Columns<const T> f, Columns<T> a,
             Statuses& statuses) {
    q_ = q, v_ = v, tau_ = tau, f_ = f, a_ = a, statuses_ = &statuses;
    const int columns = static_cast<int>(a.columns);
    if (columns > 1)
      return batch_.solve(columns, f.data != nullptr, *this, batch_executor_ ? *batch_executor_ : *executor_);
    const State<T> s = state(0);
    one_.solver->set({&s, 1});
    executor_->run();
    one_.solver->store();
    judge(0, s, *one_.solver);
  }

 private:
  friend Batch<T>;

  State<T> state(int column) const {
    return {at_column(q_, column), at_column(v_, column), at_column(f_, column), at_column(tau_, column), nullptr,
            at_column(a_, column)};
  }

  bool passes(int column, const State<T>& s, const LaneSolver<T>& solver, int lane) {
    if (!check_.passes(s, solver, lane)) return false;
    statuses_->pass(column);
    return true;
  }

  /// What went wrong with a column, if anything; a failed column becomes NaN.
  void judge(int column, const State<T>& s, const LaneSolver<T>& solver) {
    if (check_.passes(s, solver)) return statuses_->pass(column);
    Status status = check_.fault(s, solver);
    status.column = column;
    std::fill_n(s.result, model_.nv(), std::numeric_limits<T>::quiet_NaN());
    (*statuses_)[column] = status;
  }

  Model model_;
  StateCheck check_;
  std::unique_ptr<Executor> executor_;
  std::unique_ptr<Executor> batch_executor_;  ///< null: executor_, or none
  Batch<T> batch_;
  OneState<T> one_;
  Columns<const T> q_, v_, tau_, f_;
  Columns<T> a_;
  Statuses* statuses_ = nullptr;
};

}  // namespace kinetree::inline inner
