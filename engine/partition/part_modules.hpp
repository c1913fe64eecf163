#pragma once
// Modules of parts that are swept side by side, and the nodes that stand for them.

#include <kinetree/export.hpp>
#include <vector>

#include "engine/partition/make_modules.hpp"
#include "engine/partition/modules.hpp"
#include "engine/partition/nodes.hpp"
#include "engine/partition/parts.hpp"
#include "engine/partition/split_bodies.hpp"

namespace kinetree::inline inner {

struct PartModules {
  Modules modules;
  NodeOptions nodes;
  SplitModel halves;             ///< the model whose bodies the modules have
  std::vector<LaneGroup> limbs;  ///< of those bodies
};

/// One module per group of limbs; then end chain after end chain one per pack, whose base joint is cut; last a module
/// for the rest of the tree, if there is any. `model` must outlive the result.
/// With end chains, several processes share out the packs, the first process has the rest, and there may be no limbs.
/// Without end chains they share out the modules that `options` make at branches, and a group's limbs are of one
/// process: each process has a module for the rest of its share by each module that this hangs from, and one per group
/// by what it hangs from; too few limbs to pay in lanes stay with the rest.
KINETREE_EXPORT PartModules modules_of_parts(const ModelData& model, const Parts& parts,
                                             const ModuleOptions& options = {});

/// Over bodies, the process that sweeps each, where several share out the modules that `options` make.
KINETREE_EXPORT std::vector<int> processes_of_bodies(const ModelData& model, const ModuleOptions& options);

/// The modules of end chains in the words of the dial: the joints that they cut, those of their bases too, and the
/// modules that leaves; without columns and steps, which are the dial's.
Modules end_chain_modules(const ModelData& model, const EndChains& chains);

/// Limbs of a group that hang from the same body contribute as one, in the slot of the first of them.
struct LimbSum {
  int first;               ///< body
  std::vector<int> lanes;  ///< of the group
};
/// None for limbs that hang from the ground.
std::vector<LimbSum> sums_of(const ModelData& model, const LaneGroup& group);

/// The module that a pattern of parts is swept as. Body 0 of the pattern stands for the body that a part hangs from;
/// the module leaves it out. `next` = 0: the parts are limbs. The module has all other bodies, and no joint is cut.
/// `next` > 0: the parts are modules of an end chain, and body `next` stands for the base of the module behind. The
/// module leaves it out too. Two joints are cut: that of body `next`, and that of body 1, the module's own base.
Modules module_of_pattern(const ModelData& pattern, int next);

/// The modules of a pack, one after another, and the steps that merge them, the outermost first. `modules`: a chain
/// with one body for each module. `last`: whether the pack is the last of its end chain; if it is not, the chain has
/// one more body, for the module behind the pack, whose base joint stays open.
Modules modules_of_pack(const ModelData& modules, bool last);

}  // namespace kinetree::inline inner
