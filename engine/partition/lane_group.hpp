#pragma once
// Parts of a tree that are alike up to numbers, one per lane: what is swept side by side for one state.

#include <vector>

#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// Parts laid over one pattern: limbs, or modules of a chain.
struct LaneGroup {
  // over places of the pattern, depth first
  std::vector<int> parent;                      ///< place; -1: the body that the part hangs from
  std::vector<std::vector<int>> body;           ///< over lanes; -1: this part has no such body (padding)
  std::vector<std::vector<Link<double>>> link;  ///< over lanes; all placed the same way: general, or by as many screws.
                                                ///< Padding: placed as the first lane's, without inertia
  std::vector<std::vector<int>> aggregate;      ///< over aggregates of the pattern, then lanes: which of the model; -1:
                                                ///< padding

  /// Padding is swept like a limb and contributes nothing: all that resists a joint of it is a rotor (kg m²).
  static constexpr double padding_rotor = 1;

  int places() const { return static_cast<int>(parent.size()); }
  int lanes() const { return static_cast<int>(body.front().size()); }
  /// Adds a place; the first lane has a body there.
  void add_place(const ModelData& model, int parent_place, const std::vector<int>& bodies);
};

/// Up to numbers; kernels make no difference between a turn with limits and one without.
inline JointType kind_of(JointType type) { return type == JointType::continuous ? JointType::revolute : type; }

/// The pattern of a group as a model of its own: body 0 stands for what the parts hang from, place p is body p + 1.
/// Its links and constraints are those of the first lane; its armature is the largest of any lane. Nothing is named.
ModelData pattern_of(const ModelData& model, const LaneGroup& group);

}  // namespace kinetree::inline inner
