#pragma once
// Engine: a plan on one scalar type, an executor, and the solvers of its workers.

#include <algorithm>
#include <array>
#include <kinetree/columns.hpp>
#include <kinetree/model.hpp>
#include <limits>
#include <vector>

#include "engine/algorithm/lanes/lane_solver.hpp"
#include "engine/algorithm/multipliers_choice.hpp"
#include "engine/partition/make_modules.hpp"
#include "library/planner.hpp"
#include "library/state_check.hpp"
#include "parallel/executor.hpp"

namespace kinetree::inline inner {

/// Whether there are kernels for what the options put side by side of one state: of floats a register holds more than
/// there are limbs.
template <class T>
bool has_kernels_for(const Options& options) {
  return options.limbs <= 1 || std::is_same_v<T, double>;
}

/// One state goes over its threads, by the kernels for one. Several go as packs of states, and packs are shared out
/// among the batch's threads where there are enough of them; a state's bits do not depend on the pack or the lane it
/// falls in. Workers are made when several columns first come.
template <class T>
class Engine {
 public:
  /// `set`: what one state is solved with; packs have options.lanes lanes in double, twice as many in float.
  Engine(const Model& model, const Options& options, InstructionSet set)
      : model_(model),
        plan_(has_kernels_for<T>(options) ? make_plan(options) : make_batch_plan(options)),
        set_(set),
        lanes_(options.lanes),
        check_(model),
        batch_plan_(make_batch_plan(options)),
        executor_(make_executor(options.executor, options.one_threads)),
        batch_threads_(std::max(1, options.batch_threads)),
        batch_from_(options.batch_from) {
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
             std::vector<Status>& statuses) {
    q_ = q, v_ = v, tau_ = tau, f_ = f, a_ = a, statuses_ = &statuses;
    const int columns = static_cast<int>(a.columns);
    if (columns == 1) {
      const State<T> s = state(0);
      one_->set({&s, 1});
      executor_->run();
      one_->store();
      judge(0, s, *one_);
      return;
    }
    if (workers_.empty()) make_workers();
    // now, since which worker meets which column is chance
    if (f_.data)
      for (Worker& worker : workers_) {
        worker.one->expect_external_forces();
        if (worker.many) worker.many->expect_external_forces();
      }
    const int packs = (columns + width_ - 1) / width_;
    if (batch_threads_ == 1 || packs < batch_from_) {
      for (int pack = 0; pack < packs; ++pack) solve_pack(pack, workers_[0]);
      return;
    }
    (batch_executor_ ? *batch_executor_ : *executor_).for_columns(packs, this, [](void* self, int pack, int worker) {
      Engine& e = *static_cast<Engine*>(self);
      e.solve_pack(pack, e.workers_[at(worker)]);
    });
  }

 private:
  struct alignas(64) Worker {             // as LaneSolver
    std::unique_ptr<LaneSolver<T>> many;  ///< null without lanes
    std::unique_ptr<LaneSolver<T>> one;
    std::array<State<T>, most_lanes> states;
  };

  std::shared_ptr<const Modules> share(const Plan& plan) const {
    return std::make_shared<const Modules>(make_modules(model_.data(), plan.modules));
  }

  /// For one state; in double with `limbs` parts of it side by side, where there are such.
  std::unique_ptr<LaneSolver<T>> solver_of_one(const Options& o) const {
    if constexpr (std::is_same_v<T, double>) {
      if (o.limbs > 1 && o.algorithm == Algorithm::modular) {
        if (const EndChains chains = end_chains_of(model_, o); !chains.all.empty())
          return make_end_chain_solver(set_, model_, plan_, chains);
      } else if (o.limbs > 1) {
        if (const Limbs alike = find_limbs(model_.data(), o.limbs, multiplier_aggregates(model_.data(), o.loops));
            !alike.groups.empty())
          return make_limb_solver(set_, model_, plan_, alike);
      }
    }
    return make_lane_solver<T>(set_, false, model_, plan_, share(plan_));
  }

  void make_workers() {
    const auto modules = share(batch_plan_);
    for (int w = 0; w < batch_threads_; ++w) {
      Worker worker;
      if (lanes_ > 1) worker.many = make_lane_solver<T>(set_of_lanes(lanes_), true, model_, batch_plan_, modules);
      worker.one = make_lane_solver<T>(set_, false, model_, batch_plan_, modules);
      width_ = worker.many ? worker.many->width() : 1;
      workers_.push_back(std::move(worker));
    }
  }

  void solve_pack(int pack, Worker& worker) {
    const int first = pack * width_, count = std::min(width_, static_cast<int>(a_.columns) - first);
    for (int k = 0; k < count; ++k) worker.states[at(k)] = state(first + k);
    if (worker.many) worker.many->solve({worker.states.data(), at(count)});
    for (int k = 0; k < count; ++k) {
      const State<T>& s = worker.states[at(k)];
      if (worker.many && check_.passes(s, *worker.many, k)) {
        (*statuses_)[at(first + k)] = {StatusCode::ok, first + k};
        continue;
      }
      // a lane that failed is solved again alone, which says why
      worker.one->solve({&s, 1});
      judge(first + k, s, *worker.one);
    }
  }

  State<T> state(int column) const {
    return {q_.data + column * q_.stride,
            v_.data + column * v_.stride,
            f_.data ? f_.data + column * f_.stride : nullptr,
            tau_.data + column * tau_.stride,
            nullptr,
            a_.data + column * a_.stride};
  }

  /// What went wrong with a column, if anything; a failed column becomes NaN.
  void judge(int column, const State<T>& s, const LaneSolver<T>& solver) {
    Status status = check_.fault(s, solver);
    status.column = column;
    if (!status.ok()) std::fill_n(s.result, model_.nv(), std::numeric_limits<T>::quiet_NaN());
    (*statuses_)[at(column)] = status;
  }

  Model model_;
  Plan plan_;
  InstructionSet set_;
  int lanes_;
  StateCheck check_;
  Plan batch_plan_;
  std::unique_ptr<Executor> executor_;
  std::unique_ptr<Executor> batch_executor_;  ///< null: executor_, or none
  int batch_threads_, batch_from_;
  std::unique_ptr<LaneSolver<T>> one_;
  Tasks tasks_;
  std::vector<Worker> workers_;
  int width_ = 1;
  Columns<const T> q_, v_, tau_, f_;
  Columns<T> a_;
  std::vector<Status>* statuses_ = nullptr;
};

}  // namespace kinetree::inline inner
