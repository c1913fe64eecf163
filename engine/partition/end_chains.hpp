#pragma once
// Chains at the outer ends of a tree, cut in modules that are alike up to numbers, to be swept side by side for one
// state (design: The node).

#include <kinetree/lane_costs.hpp>

#include "engine/model/model_data.hpp"
#include "engine/partition/lane_group.hpp"

namespace kinetree::inline inner {

/// A chain that ends in a tip. Its bodies are consecutive; module k has [first + k length, first + (k + 1) length).
struct EndChain {
  int first = 0;   ///< the body nearest the ground
  int length = 0;  ///< bodies per module
  int packs = 0;   ///< of as many modules as there are lanes, from the ground outwards
};

struct EndChains {
  int width = 1;
  std::vector<EndChain> all;
  std::vector<bool> taken;  ///< over bodies: whether it is in a chain, or was in a limb

  /// Bodies per module of the longest chain: with it as grain the same chains come out. 0 where there is none.
  int grain() const;
};

PartsCost cost_of(const EndChains& chains, int refinements, const LaneCosts& costs);
/// Bodies per module from which on a chain in one pack takes less than alone, by default_lane_costs.
int paying_length(int width, int refinements);

/// One pack of a chain. Places: a module's bodies, then the base of the next module, whose joint is cut; behind the
/// last module -1.
LaneGroup pack_of(const ModelData& model, const EndChain& chain, int width, int pack);

/// Cuts every chain that ends in a tip in packs of `width` modules. `grain`: about so many bodies per module; 0: one
/// pack. What does not come out even stays inboard, with the rest of the tree. Left out: chains with fewer than `least`
/// bodies per module, chains whose modules differ in joint types, may not be cut or only slide (their bodies do not
/// turn at all, which `ab` keeps exactly and constraint forces do not), bases on floating joints, members of
/// aggregates, bodies that are `in_limbs` (over bodies; may be empty), and models with joints that lanes do not watch.
EndChains find_end_chains(const ModelData& model, int width, int grain, int least = 2,
                          const std::vector<bool>& in_limbs = {});

}  // namespace kinetree::inline inner
