#pragma once
// Push and pull of a plan: by the method that its solve goes by, through the dial where that cuts joints.

#include <kinetree/model.hpp>
#include <memory>
#include <optional>

#include "library/batch.hpp"
#include "library/planner.hpp"
#include "parallel/tasks.hpp"

namespace kinetree::inline inner {

template <class T>
class PlannedProducts {
 public:
  /// One state goes by its own method and all its threads. Modules of end chains in lanes are left to the method of
  /// batches: products go in lanes by directions alone.
  PlannedProducts(const Model& model, const Plan& plan, const Runner& runner)
      : one_(plan.end_chains > 1 ? batch_method(plan) : one_method(plan)),
        many_(batch_method(plan)),
        plan_(plan),
        runner_(runner) {
    if (plan.one_threads > 1 && one_.modules.grain > 0)
      one_.modules.task_bodies = task_bodies(model.body_count(), plan.one_threads);
  }

  const Method& many() const { return many_; }
  /// The batch of one state's directions, for one of the two functions.
  Batch<T>& of_one(const Model& model, boundary::Function function, BatchOptions options,
                   const std::shared_ptr<const OwnNumbers>& own) {
    std::optional<Batch<T>>& batch = batch_[function == boundary::Function::forward_dynamics_cotangent];
    if (batch) return *batch;
    Method method = one_;
    method.function = function, options.threads = 1;
    std::unique_ptr<Together<T>> together;
    if (plan_.one_threads > 1)
      together = std::make_unique<Together<T>>(model, one_, plan_.executor, plan_.one_threads, plan_.pinning, runner_);
    return batch.emplace(&make_function_lane_solver<T>, model, method, options, own, std::move(together));
  }

 private:
  Method one_, many_;
  Plan plan_;
  Runner runner_;
  std::optional<Batch<T>> batch_[2];
};

}  // namespace kinetree::inline inner
