#pragma once
// MJCF's spatial tendons that are a spring and a damper between two sites, as forces between points.

#include <set>

#include "engine/io/mjcf_bodies.hpp"

namespace kinetree::inline inner {

using MjcfElements = std::set<const MjcfElement*>;

/// Adds a force for every spatial tendon that runs between two sites and has stiffness and damping alone; returns these
/// tendons. Each copy that a replica or an attached model makes of a tendon gets a force of its own. Other tendons add
/// none: with wrapping, pulleys or more sites, with friction, a rotor or a range, with a spring that is slack in
/// between.
MjcfElements read_tendons(MjcfReading& r, const MjcfModel& model, const MjcfNames& names, const MjcfOptions& options);

}  // namespace kinetree::inline inner
