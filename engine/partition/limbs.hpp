#pragma once
// Limbs of a tree that are alike, to be swept side by side for one state: same joint types, same constraints, other
// numbers.

#include <kinetree/export.hpp>
#include <kinetree/lane_costs.hpp>

#include "engine/model/model_data.hpp"
#include "engine/partition/lane_group.hpp"

namespace kinetree::inline inner {

/// What goes side by side in lanes, `width` at most in a group.
struct Limbs {
  int width = 1;
  std::vector<LaneGroup> groups;
  std::vector<bool> taken;  ///< over bodies: whether it is in a group
};

/// The groups that save most, by default_lane_costs. None where nothing pays. A limb has all
/// bodies of an aggregate or none. `by_multipliers`: over aggregates, those that are left to multipliers, which are in
/// no limb; may be empty. `most_bodies`: of a limb; 0: any number. `process`: over bodies, who sweeps them; a group is of
/// one process; may be empty.
KINETREE_EXPORT Limbs find_limbs(const ModelData& model, int width, const std::vector<bool>& by_multipliers = {},
                                 int most_bodies = 0, const std::vector<int>& process = {});

/// Of a sweep over the whole tree.
PartsCost cost_of(const ModelData& model, const Limbs& limbs, const LaneCosts& costs);

}  // namespace kinetree::inline inner
