#pragma once
// From cut joints to the modules between them.

#include <vector>

#include "engine/model/model_data.hpp"
#include "engine/partition/modules.hpp"

namespace kinetree::inline inner {

/// Fills modules, ranges, module_of, carried and omega_count from cuts and cut_of. `task_base`: bodies at which a
/// module begins though their joint is not cut.
void list_modules(const ModelData& model, const std::vector<bool>& task_base, Modules& modules);

/// Adds a module of these bodies, ascending, of which the first is its base; without steps.
void add_module(Modules& modules, const std::vector<int>& bodies);

}  // namespace kinetree::inline inner
