#pragma once
// Chains at the outer ends of a tree, cut in modules that are alike up to numbers, to be swept side by side for one
// state (design: The node).

#include <functional>
#include <vector>

#include "engine/model/model_data.hpp"
#include "engine/partition/lane_group.hpp"

namespace kinetree::inline inner {

/// A chain that ends in a tip, of units: bodies, or embedded aggregates with all of their bodies, of which one body has
/// the next unit. Its modules hold equally many, alike up to numbers.
struct EndChain {
  bool welds = false;       ///< modules hang by welds in the bodies inboard of them, else by their first joints, cut
  int packs = 0;            ///< of as many modules as there are lanes, from the ground outwards
  std::vector<int> parent;  ///< over a module's bodies, depth first: which of them it hangs from; -1: the module's base
  std::vector<int> body;    ///< module after module, from the ground outwards, in that order
  int tip = 0, next = 0;    ///< place of the body that the next module hangs from; places numbered before that module

  int length() const { return static_cast<int>(parent.size()); }
  int modules() const { return static_cast<int>(body.size() / parent.size()); }
  int body_of(int module, int place) const { return body[static_cast<std::size_t>(module * length() + place)]; }
};

struct EndChains {
  int width = 1;
  std::vector<EndChain> all;
  std::vector<bool> taken;  ///< over bodies: whether it is in a chain, or was in a limb

  /// Bodies per module of the longest chain: with it as grain chains in one pack come out again. 0 where there is none.
  int grain() const;
};

/// Whether a chain's modules take less side by side than alone.
using Pays = std::function<bool(const EndChain&)>;

/// Cuts every chain that ends in a tip in packs of `width` modules, two or more. `grain`: about so many bodies per
/// module; 0: one pack. What does not come out even stays inboard, with the rest of the tree. Modules hang by joints
/// that may be cut, or all by welds. Left out: chains whose modules do not pay or have one body, chains whose modules
/// differ in joint types and constraints or only slide (their bodies do not turn at all, which `ab` keeps exactly and
/// constraint forces do not), aggregates held by multipliers (`by_multipliers`: over aggregates; may be empty), and
/// bodies that are `in_limbs` (over bodies; may be empty). `pays`: empty: all do.
EndChains find_end_chains(const ModelData& model, int width, int grain, const Pays& pays = {},
                          const std::vector<bool>& in_limbs = {}, const std::vector<bool>& by_multipliers = {});

}  // namespace kinetree::inline inner
