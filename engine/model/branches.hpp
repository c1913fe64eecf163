#pragma once
// Branches of a tree that are alike, to be swept side by side for one state: same joint types, other numbers.

#include <kinetree/model/model.hpp>
#include <vector>

namespace kinetree {

/// Branches laid over one pattern, one per lane.
struct BranchGroup {
  // over places of the pattern, depth first
  std::vector<int> parent;                      ///< place; -1: the body that the branch hangs from
  std::vector<std::vector<int>> body;           ///< over lanes; -1: this branch ends before (padding)
  std::vector<std::vector<Link<double>>> link;  ///< over lanes; all placed the same way: general, or by as many screws.
                                                ///< Padding: a unit ball, which is swept, and counts for nothing

  int places() const { return static_cast<int>(parent.size()); }
  int lanes() const { return static_cast<int>(body.front().size()); }
  bool padded(int place) const;
};

/// What goes side by side in lanes, `width` at most in a group.
struct Branches {
  int width = 1;
  std::vector<BranchGroup> groups;
  std::vector<bool> taken;  ///< over bodies: whether it is in a group
  double cost = 0;          ///< of a sweep over the whole tree, in bodies swept alone
};

/// The groups that save most, by what a body takes in a pack of `width` lanes. None where nothing pays, and in models
/// with aggregates.
Branches find_branches(const ModelData& model, int width);

/// The pattern of a group as a model of its own: body 0 stands for what the branches hang from, place p is body p + 1.
/// Its links are those of the first lane. Nothing is named.
ModelData pattern_of(const ModelData& model, const BranchGroup& group);

}  // namespace kinetree
