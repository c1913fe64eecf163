#pragma once
// Limbs side by side, and the rest of a tree, where several processes share it out.

#include <vector>

#include "engine/model/model_data.hpp"
#include "engine/partition/limbs.hpp"
#include "engine/partition/part_modules.hpp"

namespace kinetree::inline inner {

/// Adds to `made` one module, which has the bodies of the group's limbs, and the node that sweeps it in lanes.
void add_limbs(const ModelData& model, LaneGroup group, PartModules& made);

/// Adds the modules, as modules_of_parts says; each of `limbs.groups` is of one process of these options.
void list_shared_parts(const ModelData& model, const Limbs& limbs, const ModuleOptions& options, PartModules& made);

}  // namespace kinetree::inline inner
