#pragma once
// Limbs of a tree that are alike, to be swept side by side for one state: same joint types, same constraints, other
// numbers.

#include <kinetree/export.hpp>
#include <span>
#include <vector>

#include "engine/model/model_data.hpp"
#include "engine/partition/lane_group.hpp"

namespace kinetree::inline inner {

/// What goes side by side in lanes, `width` at most in a group.
struct Limbs {
  int width = 1;
  std::vector<LaneGroup> groups;
  std::vector<bool> taken;  ///< over bodies: whether it is in a group
};

/// What a body takes: weighed operations alone; in a pack operations of a whole register, and weighed ones of each
/// lane.
struct BodyPrice {
  double alone = 0, in_pack = 0, of_lane = 0;
};

/// The groups that save most, by the prices of the model's bodies. None where nothing pays. A limb has all
/// bodies of an aggregate or none. `by_multipliers`: over aggregates, those that are left to multipliers, which are in
/// no limb; may be empty. `most_bodies`: of a limb; 0: any number. `process`: over bodies, who sweeps them; a group is
/// of one process; may be empty.
KINETREE_EXPORT Limbs find_limbs(const ModelData& model, int width, std::span<const BodyPrice> prices,
                                 const std::vector<bool>& by_multipliers = {}, int most_bodies = 0,
                                 const std::vector<int>& process = {});

}  // namespace kinetree::inline inner
