#pragma once
// What `kinetree info` says of loops and couplings: which bodies they tie to one node, why, and what either way costs.

#include <kinetree/model.hpp>
#include <kinetree/plan.hpp>
#include <nlohmann/json.hpp>

namespace kinetree::bench {

/// One entry per aggregate, with what a plan does about it.
nlohmann::ordered_json aggregates_json(const Model& model, const Plan& plan);

/// The same as text, `most` aggregates of them.
void print_aggregates(const nlohmann::ordered_json& aggregates, std::size_t most);

}  // namespace kinetree::bench
