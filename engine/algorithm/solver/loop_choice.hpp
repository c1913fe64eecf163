#pragma once
// Which aggregates are embedded and which are left to multipliers: by the operations of both, counted on the model
// alone, so that a plan is repeatable.

#include <kinetree/options.hpp>
#include <vector>

#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// Operations (step_operations.hpp) that `ab` spends on an aggregate's node.
struct LoopCost {
  double embed = 0;  ///< a lower bound where that is more than multipliers take, and counting would take long
  double multipliers = 0;
  bool idle = false;  ///< whether, without its constraints, nothing resists some joint of it in any configuration

  bool by_multipliers(Loops loops) const {
    return loops == Loops::automatic ? multipliers < embed && !idle : loops == Loops::multipliers;
  }
};

/// Over the model's aggregates.
std::vector<LoopCost> loop_costs(const ModelData& model);

/// Over the model's aggregates: which go to multipliers; empty where none does. `automatic` takes what is cheaper,
/// but multipliers only where the spanning tree has an inertia without the constraints.
std::vector<bool> multiplier_aggregates(const ModelData& model, Loops loops);

}  // namespace kinetree::inline inner
