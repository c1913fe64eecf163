#pragma once
// From cut joints to the modules between them.

#include <vector>

#include "engine/model/model_data.hpp"
#include "engine/partition/modules.hpp"

namespace kinetree::inline inner {

/// Fills modules, ranges, module_of, carried and omega_count from cuts and cut_of. `task_base`: bodies at which a
/// module begins though their joint is not cut.
void list_modules(const ModelData& model, const std::vector<bool>& task_base, Modules& modules);

/// Adds a module of these bodies, ascending, none of whose joints is cut, and the step that sweeps it. `parent`: of the
/// step; it may be added later.
void add_module(Modules& modules, int parent, const std::vector<int>& bodies);

}  // namespace kinetree::inline inner
