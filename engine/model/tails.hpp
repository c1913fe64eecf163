#pragma once
// Chains at the outer ends of a tree, cut in modules that are alike up to numbers, to be swept side by side for one
// state (design: section 1, lanes are modules of a chain).

#include <kinetree/model/lane_group.hpp>

namespace kinetree {

/// A chain that ends in a tip. Its bodies are consecutive; module k has [first + k length, first + (k + 1) length).
struct Tail {
  int first = 0;   ///< the body nearest the ground
  int length = 0;  ///< bodies per module
  /// Groups of as many modules as there are lanes, from the ground outwards. Places: a module's bodies, then the base
  /// of the next module, whose joint is cut; behind the last module -1.
  std::vector<LaneGroup> packs;

  int modules() const { return static_cast<int>(packs.size()) * packs.front().lanes(); }
  int end() const { return first + modules() * length; }
};

struct Tails {
  int width = 1;
  std::vector<Tail> tails;
  std::vector<bool> taken;  ///< over bodies: whether it is in a tail
};

/// Cuts every chain that ends in a tip in packs of `width` modules. `grain`: about so many bodies per module; 0: one
/// pack. What does not come out even stays inboard, with the rest of the tree. Left out: chains shorter than 2 bodies
/// per module, chains whose modules differ in joint types or may not be cut, and models with aggregates.
Tails find_tails(const ModelData& model, int width, int grain);

}  // namespace kinetree
