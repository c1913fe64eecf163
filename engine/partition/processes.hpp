#pragma once
// Which process sweeps which module, where a state is shared out over processes.

#include <kinetree/export.hpp>

#include "engine/partition/modules.hpp"

namespace kinetree::inline inner {

/// How many bodies a sweep of body i counts as: a body that columns pass, more.
KINETREE_EXPORT double sweep_weight(const Modules& modules, int i);

/// Sets Modules::process, before there are steps. Each process gets modules that are neighbours in the numbering, which
/// is depth first, of about equal weight.
void share_out(int processes, Modules& modules);

}  // namespace kinetree::inline inner
