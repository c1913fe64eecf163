#pragma once
// Single elements of a body.

#include <optional>

#include "engine/io/mjcf_model.hpp"

namespace kinetree::inline inner {

/// A <joint> or <freejoint> in a frame of its body.
MjcfJoint read_joint(MjcfReading& r, const MjcfView& view, const MjcfCompiler& compiler, const MjcfPose& frame);

/// A <geom>. None, with an error: its mesh is unknown, or its size is wrong.
std::optional<MjcfGeom> read_geom(MjcfReading& r, const MjcfView& view, const MjcfSource& source,
                                  const MjcfPose& frame);

/// An <inertial>, which no frame around it moves: it is the body's own.
MjcfPlacedInertia read_inertial(MjcfReading& r, const MjcfView& view, const MjcfCompiler& compiler);

/// Where a <geom> or <site> stands: `fromto` counts before the rest. Half the distance in `half`, or 0.
MjcfPose read_placed(MjcfReading& r, const MjcfView& view, const MjcfAngles& angles, double& half);

}  // namespace kinetree::inline inner
