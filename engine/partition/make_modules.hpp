#pragma once
// From a model and a setting of the dial to modules.

#include <kinetree/export.hpp>
#include <kinetree/options.hpp>

#include "engine/partition/modules.hpp"

namespace kinetree::inline inner {

struct ModelData;

/// How to make modules.
struct ModuleOptions {
  int grain = 0;  ///< bodies per module; 0: cut nothing
  Cuts cuts = Cuts::paths;
  Elimination elimination = Elimination::cyclic;
  int task_bodies = 0;  ///< about so many bodies make a further module at an uncut joint of a body with siblings,
                        ///< as a task for an executor; 0: none. Results do not depend on it
  int processes = 1;    ///< processes that share out the modules (Modules::process). Results depend on
                        ///< it only through the order of merges
  /// What each module takes, before there are steps; null: its bodies count. Processes share out the modules by it.
  std::vector<double> (*module_work)(const ModelData& model, const Modules& modules) = nullptr;
  bool split_chains = false;  ///< split between branching bodies too: for passes whose steps do not wait for each other
};

/// Cuts a model; throws TooManyCuts.
KINETREE_EXPORT Modules make_modules(const ModelData& model, const ModuleOptions& options);

}  // namespace kinetree::inline inner
