#pragma once
// Operations of a plan, weighed by their time against operations of a long chain's bodies. These are the fastest: what
// one body passes to the next stays in registers.

#include <kinetree/model.hpp>
#include <vector>

#include "engine/algorithm/method.hpp"
#include "engine/algorithm/solver/step_operations.hpp"
#include "engine/partition/modules.hpp"

namespace kinetree::inline inner {

/// sum += times * more.
void add(Operations& sum, double times, const Operations& more);

class WeighedOperations {
 public:
  /// `multipliers`: over aggregates, those that are left to multipliers. `model` and `modules` must outlive the object.
  WeighedOperations(const ModelData& model, const Modules& modules, const std::vector<bool>& multipliers);

  Operations of(const Step& step);
  /// Of the node that begins with body i, by `ab`.
  Operations of_node(int i);
  /// Of all steps, and of the solve itself.
  double all(int refinements);

  /// Weighed operations of a solve that belong to no step (measured on chain:4 to chain:64).
  static constexpr double of_solve = 600;

 private:
  const Modules& modules_;
  StepOperations operations_;
  std::vector<double> weight_;     ///< over bodies: factor on the operations of the node that begins there; else 1
  std::vector<double> uncounted_;  ///< over bodies: weighed operations to be added, which Counted does not see
};

/// Of a model by a method.
double weighed_operations(const Model& model, const Method& method);

}  // namespace kinetree::inline inner
