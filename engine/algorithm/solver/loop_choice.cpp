#include "engine/algorithm/solver/loop_choice.hpp"

#include <algorithm>

#include "engine/algorithm/solver/step_operations.hpp"
#include "engine/model/idle_directions.hpp"
#include "engine/model/loops.hpp"

namespace kinetree::inline inner {
namespace {

constexpr double quickly_counted = 1e6;  ///< operations: some milliseconds

}  // namespace

// By counts without the prices of the table: which loops multipliers hold depends on kernels and models alone.
std::vector<LoopCost> loop_costs(const ModelData& model) {
  const Modules uncut;
  StepOperations embed(model, uncut), multipliers(model, uncut, std::vector<bool>(model.aggregates.size(), true));
  std::vector<LoopCost> costs;
  for (const Aggregate& a : model.aggregates) {
    const int first = a.bodies.front();
    LoopCost& cost = costs.emplace_back(LoopCost{least_operations_embedded(a), multipliers.of_node(first).all(0)});
    if (cost.embed <= std::max(cost.multipliers, quickly_counted)) cost.embed = embed.of_node(first).all(0);
  }
  for (const IdleDirection& found : idle_directions(model, true))
    if (const int a = aggregate_of(model, found.body); a >= 0) costs[at(a)].idle = true;
  return costs;
}

std::vector<bool> multiplier_aggregates(const ModelData& model, Loops loops) {
  if (loops == Loops::embed || model.aggregates.empty()) return {};
  if (loops == Loops::multipliers) return std::vector<bool>(model.aggregates.size(), true);
  std::vector<bool> chosen;
  for (const LoopCost& cost : loop_costs(model)) chosen.push_back(cost.by_multipliers(loops));
  if (std::find(chosen.begin(), chosen.end(), true) == chosen.end()) chosen.clear();
  return chosen;
}

}  // namespace kinetree::inline inner
