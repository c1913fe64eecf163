#pragma once
// A plan as JSON: what was run, so that it can be run again.

#include <kinetree/plan.hpp>
#include <nlohmann/json.hpp>

namespace kinetree::bench {

/// Only the settings that the algorithm reads.
nlohmann::ordered_json plan_json(const Plan& plan);

}  // namespace kinetree::bench
