#pragma once
// Stretches of paths on which every joint only turns, and is placed by screws.

#include <vector>

#include "engine/model/model_data.hpp"
#include "engine/model/modules.hpp"

namespace kinetree::inline inner {

/// Over bodies, the run each is in: bodies one after another, each the only node of the one before and placed there by
/// two screws, outside aggregates. Empty where a body is in none. Sweeps take a run in one loop, in which what a body
/// hands to the next stays in registers.
std::vector<Range> turn_runs(const ModelData& model);

}  // namespace kinetree::inline inner
