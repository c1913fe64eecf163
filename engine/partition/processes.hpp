#pragma once
// Which process sweeps which module, where a state is shared out over processes.

#include <kinetree/export.hpp>

#include "engine/partition/modules.hpp"

namespace kinetree::inline inner {

/// What a body counts as that goes side by side with others (AVX-512; docs/performance.md, "Limbs side by side").
inline constexpr double weight_in_lanes = 0.3;

/// How many bodies a sweep of body i counts as: a body that columns pass, more.
KINETREE_EXPORT double sweep_weight(const Modules& modules, int i);

/// Sets Modules::process, before there are steps. Each process gets modules that are neighbours in the numbering, which
/// is depth first, of about equal weight.
void share_out(int processes, Modules& modules);

}  // namespace kinetree::inline inner
