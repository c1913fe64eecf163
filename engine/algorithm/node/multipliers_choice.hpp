#pragma once
// Which aggregates are embedded and which are left to multipliers: operations of both, predicted from the model alone,
// so that a plan is repeatable.

#include <kinetree/model.hpp>
#include <vector>

#include "engine/algorithm/method.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// Operations (additions, multiplications, divisions, as Counted counts them) that `ab` spends on an aggregate beyond
/// kinematics, its members' own articulation included. Tests hold them to a factor of 1.25 of the
/// count.
struct LoopCost {
  double embed = 0;
  double multipliers = 0;
};

/// Predicted cost of one of the model's aggregates.
LoopCost loop_cost(const ModelData& model, const Aggregate& aggregate);

/// Whether an aggregate goes to multipliers; `automatic` takes what is predicted to be cheaper.
bool takes_multipliers(const ModelData& model, const Aggregate& aggregate, Loops loops);

/// The same over all aggregates; empty where none does.
std::vector<bool> multiplier_aggregates(const ModelData& model, Loops loops);

}  // namespace kinetree::inline inner
