#pragma once
// Which joints are cut (design: Rake and compress; Which joints may be cut).

#include "engine/model/model_data.hpp"
#include "engine/partition/make_modules.hpp"

namespace kinetree::inline inner {

/// Fills cuts (body, rows, carried), cut_of and notices.
void choose_cuts(const ModelData& model, const ModuleOptions& options, Modules& modules);

/// Over bodies, the child that continues the body's path; -1: none. A path joins parents to children of one Strahler
/// order (Strahler 1952): raking all paths of an order leaves those of the next, so there are O(log N) rounds.
std::vector<int> strahler_paths(const std::vector<int>& parent);

}  // namespace kinetree::inline inner
