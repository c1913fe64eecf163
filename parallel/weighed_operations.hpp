#pragma once
// Operations of a plan, weighed by what they take beside those of a long chain's bodies, which a processor does
// fastest: what one body passes to the next stays in registers there.

#include <kinetree/model.hpp>
#include <vector>

#include "engine/algorithm/method.hpp"
#include "engine/algorithm/solver/step_operations.hpp"
#include "engine/partition/modules.hpp"

namespace kinetree::inline inner {

/// Adds `more` so many times.
void add(Operations& sum, double times, const Operations& more);

class WeighedOperations {
 public:
  /// `multipliers`: over aggregates, those that are left to multipliers. The rest must outlive it.
  WeighedOperations(const ModelData& model, const Modules& modules, const std::vector<bool>& multipliers);

  Operations of(const Step& step);
  /// Of the node that begins with body i, as `ab` takes it.
  Operations of_node(int i);
  /// Of all steps, and of the solve itself.
  double all(int refinements);

  /// What a solve takes beside its steps (chain:4 to chain:64).
  static constexpr double of_solve = 600;

 private:
  const Modules& modules_;
  StepOperations operations_;
  std::vector<double> weight_;  ///< over bodies: of a node that begins there, above 1; of the others 1
  std::vector<double> beside_;  ///< over bodies: operations that none counts
};

/// Of a model by a method.
double weighed_operations(const Model& model, const Method& method);

}  // namespace kinetree::inline inner
