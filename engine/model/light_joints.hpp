#pragma once
// Joints whose own body resists their motion by next to nothing: what they feel is left of the inertia of bodies
// farther outboard. Where those do not move with the joint, as a rod in line with the axis of a massless body, nothing
// resists but a rounding error, of either sign.

#include <kinetree/export.hpp>
#include <span>
#include <vector>

#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// What becomes of a joint in a partition: it is not cut; it is cut, and what hangs from it comes back to the parent
/// body as inertia and bias once its constraint force is eliminated; or it is cut, and its constraint force is a column
/// of the parent's module, which no inertia reaches.
enum class JointCut : char { none, raked, carried };

/// What a model's joints may feel.
struct FeltInertia {
  /// Over velocities: the most that one body alone resists to a unit of it (kg m²; of a sliding one kg). The body is
  /// the joint's own, or hangs from it with none between them but bodies on light joints.
  std::vector<double> most;
  /// Bodies, ascending, that by themselves resist some velocity of their joint by less than a ten-thousandth of that.
  std::vector<int> light;
};

/// `cuts`: over bodies; may be empty. A joint that is cut is not light; where it is carried, its parent body feels
/// nothing of what hangs from it.
KINETREE_EXPORT FeltInertia felt_inertia(const ModelData& m, std::span<const JointCut> cuts = {});

}  // namespace kinetree::inline inner
