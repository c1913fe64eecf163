#pragma once
// Which process sweeps which module, where a state is shared out over processes.

#include <kinetree/export.hpp>
#include <vector>

#include "engine/partition/modules.hpp"

namespace kinetree::inline inner {

KINETREE_EXPORT int body_count(const Modules& modules, const Module& module);

/// Bodies that make a part of their own at branches of a tree that processes share out (ModuleOptions::task_bodies):
/// few enough that shares can be even, and that each process's threads have several.
KINETREE_EXPORT int part_bodies(int bodies, int processes);

/// Over what several processes share out, the process of each: neighbours of about equal weight together. None is left
/// without, where there is enough for all.
std::vector<int> shares_of(int processes, const std::vector<double>& weight);

/// Sets Modules::process, before there are steps. Each process gets modules that are neighbours in the numbering, which
/// is depth first, of about equal weight. `weight`: over modules; empty: bodies are counted, and no price is asked.
void share_out(int processes, std::vector<double> weight, Modules& modules);

}  // namespace kinetree::inline inner
