#pragma once
// In which order modules are merged: the tree of steps.

#include <kinetree/options.hpp>

#include "engine/model/model_data.hpp"
#include "engine/partition/modules.hpp"

namespace kinetree::inline inner {

/// Fills steps, boundary, Module::step and the sizes of what steps store.
void make_steps(const ModelData& model, Elimination elimination, Modules& modules);

}  // namespace kinetree::inline inner
