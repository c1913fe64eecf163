#pragma once
// Which process sweeps which module, where a state is shared out over processes.

#include <kinetree/export.hpp>
#include <vector>

#include "engine/partition/modules.hpp"

namespace kinetree::inline inner {

/// What a body of a limb counts as that goes side by side with others (AVX-512; docs/performance.md, "Limbs side by
/// side").
inline constexpr double limb_weight = 0.3;

KINETREE_EXPORT int body_count(const Modules& modules, const Module& module);

/// How many bodies a sweep of body i counts as: a body that columns pass, more.
KINETREE_EXPORT double sweep_weight(const Modules& modules, int i);

/// Over what several processes share out, the process of each: neighbours of about equal weight together. None is left
/// without, where there is enough for all.
std::vector<int> shares_of(int processes, const std::vector<double>& weight);

/// Sets Modules::process, before there are steps. Each process gets modules that are neighbours in the numbering, which
/// is depth first, of about equal weight.
void share_out(int processes, Modules& modules);

}  // namespace kinetree::inline inner
