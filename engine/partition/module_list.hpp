#pragma once
// From cut joints to the modules between them.

#include <kinetree/export.hpp>
#include <vector>

#include "engine/model/light_joints.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/modules.hpp"

namespace kinetree::inline inner {

/// Fills modules, ranges, module_of, carried and omega_count from cuts and cut_of. `task_base`: bodies at which a
/// module begins though their joint is not cut.
void list_modules(const ModelData& model, const std::vector<bool>& task_base, Modules& modules);

/// Adds a module of these bodies, ascending, of which the first is its base; without what it carries, and its step.
/// Its cut is found only if joints are cut before.
void add_module(Modules& modules, const std::vector<int>& bodies);

/// Over bodies; empty where nothing is cut.
KINETREE_EXPORT std::vector<JointCut> joint_cuts(const Modules& modules);

/// Gives each module its cut child joints, once all are added.
void list_carried(const ModelData& model, Modules& modules);

}  // namespace kinetree::inline inner
