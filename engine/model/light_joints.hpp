#pragma once
// Joints whose own body resists their motion by next to nothing: what they feel is left of the inertia of bodies
// farther outboard. Where those do not move with the joint, as a rod in line with the axis of a massless body, nothing
// resists but a rounding error, of either sign.

#include <kinetree/export.hpp>
#include <span>
#include <vector>

#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

struct LightJoint {
  int body;
  /// What the bodies outboard resist to a unit of its motion, each alone, at most (kg m²; of a sliding joint kg).
  double carried;
};

/// Those with less than a ten-thousandth of that by themselves. Of a joint that neither turns alone nor slides alone
/// the body's own moments are compared, and `carried` is 0.
/// `cut_of`: over bodies, >= 0 where the joint is cut: it carries nothing then, and is none of them. May be empty.
KINETREE_EXPORT std::vector<LightJoint> light_joints(const ModelData& m, std::span<const int> cut_of = {});

}  // namespace kinetree::inline inner
