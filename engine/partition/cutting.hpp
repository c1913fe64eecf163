#pragma once
// Which joints are cut (design: Rake and compress; Which joints may be cut).

#include "engine/model/model_data.hpp"
#include "engine/partition/make_modules.hpp"

namespace kinetree::inline inner {

/// Fills cuts (body, rows, carried), cut_of and notices.
void choose_cuts(const ModelData& model, const ModuleOptions& options, Modules& modules);

/// For each body the child on which its path goes on, -1 where the path ends. Two bodies of the same Strahler order
/// are on one path, so raking every path that is done leaves paths of the next order, and there are O(log N) orders.
std::vector<int> strahler_paths(const std::vector<int>& parent);

}  // namespace kinetree::inline inner
