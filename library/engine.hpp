#pragma once
// Engine: a plan on one scalar type, an executor, and the solvers of its workers.

#include <algorithm>
#include <kinetree/columns.hpp>
#include <kinetree/model.hpp>
#include <limits>
#include <vector>

#include "engine/algorithm/multipliers_choice.hpp"
#include "library/batch.hpp"
#include "library/planner.hpp"
#include "library/state_check.hpp"
#include "library/statuses.hpp"

namespace kinetree::inline inner {

/// Whether there are kernels for what the options put side by side of one state: for modules of end chains in double.
template <class T>
bool has_kernels_for(const Options& options) {
  return options.limbs <= 1 || options.algorithm == Algorithm::ab || std::is_same_v<T, double>;
}

/// One state goes over its threads, by the kernels for one; several go as a batch.
template <class T>
class Engine final : Batch<T>::Call {
 public:
  /// `set`: what one state is solved with; packs have options.lanes lanes in double, twice as many in float.
  Engine(const Model& model, const Options& options, InstructionSet set)
      : model_(model),
        plan_(has_kernels_for<T>(options) ? make_plan(options) : make_batch_plan(options)),
        set_(set),
        check_(model),
        executor_(make_executor(options.executor, options.one_threads)),
        batch_(model, make_batch_plan(options), {set, options.lanes, options.batch_threads, options.batch_from}) {
    if (options.batch_threads > 1 && options.batch_threads != options.one_threads)
      batch_executor_ = make_executor(options.executor, options.batch_threads);
    const int threads = std::max(1, options.one_threads);
    plan_.modules.task_bodies = threads > 1 ? task_bodies(model, threads) : 0;
    plan_.modules.split_chains =
        plan_.algorithm == Algorithm::crb;  // rows of the mass matrix do not wait for each other
    one_ = solver_of_one(options);
    tasks_ = make_tasks(one_->modules(), threads > 1 ? task_bodies(model, threads) : 1e300);
    executor_->prepare(one_->passes(), one_->space(), tasks_);
  }

  void solve(Columns<const T> q, Columns<const T> v, Columns<const T> tau, Columns<const T> f, Columns<T> a,
             Statuses& statuses) {
    q_ = q, v_ = v, tau_ = tau, f_ = f, a_ = a, statuses_ = &statuses;
    const int columns = static_cast<int>(a.columns);
    if (columns > 1)
      return batch_.solve(columns, f.data != nullptr, *this, batch_executor_ ? *batch_executor_ : *executor_);
    const State<T> s = state(0);
    one_->set({&s, 1});
    executor_->run();
    one_->store();
    judge(0, s, *one_);
  }

 private:
  /// For one state; with `limbs` parts of it side by side, where there are such.
  std::unique_ptr<LaneSolver<T>> solver_of_one(const Options& o) const {
    if (o.limbs > 1 && o.algorithm == Algorithm::ab)
      if (const Limbs alike = find_limbs(model_.data(), o.limbs, multiplier_aggregates(model_.data(), o.loops));
          !alike.groups.empty())
        return make_limb_solver<T>(set_, model_, plan_, alike);
    if constexpr (std::is_same_v<T, double>)
      if (o.limbs > 1 && o.algorithm == Algorithm::modular)
        if (const EndChains chains = end_chains_of(model_, o); !chains.all.empty())
          return make_end_chain_solver(set_, model_, plan_, chains);
    const auto modules = std::make_shared<const Modules>(make_modules(model_.data(), plan_.modules));
    return make_lane_solver<T>(set_, false, model_, plan_, modules);
  }

  State<T> state(int column) const override {
    return {at_column(q_, column), at_column(v_, column), at_column(f_, column), at_column(tau_, column), nullptr,
            at_column(a_, column)};
  }

  bool passes(int column, const State<T>& s, const LaneSolver<T>& solver, int lane) override {
    if (!check_.passes(s, solver, lane)) return false;
    (*statuses_)[column] = {StatusCode::ok, column};
    return true;
  }

  /// What went wrong with a column, if anything; a failed column becomes NaN.
  void judge(int column, const State<T>& s, const LaneSolver<T>& solver) override {
    Status status = check_.fault(s, solver);
    status.column = column;
    if (!status.ok()) std::fill_n(s.result, model_.nv(), std::numeric_limits<T>::quiet_NaN());
    (*statuses_)[column] = status;
  }

  Model model_;
  Plan plan_;
  InstructionSet set_;
  StateCheck check_;
  std::unique_ptr<Executor> executor_;
  std::unique_ptr<Executor> batch_executor_;  ///< null: executor_, or none
  std::unique_ptr<LaneSolver<T>> one_;
  Tasks tasks_;
  Batch<T> batch_;
  Columns<const T> q_, v_, tau_, f_;
  Columns<T> a_;
  Statuses* statuses_ = nullptr;
};

}  // namespace kinetree::inline inner
