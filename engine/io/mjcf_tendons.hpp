#pragma once
// MJCF's spatial tendons that are a spring and a damper between two sites, as forces between points.

#include <set>

#include "engine/io/mjcf_bodies.hpp"

namespace kinetree::inline inner {

using MjcfElements = std::set<const MjcfElement*>;

/// Adds a force for every spatial tendon of exactly two sites that stiffness and damping alone act on, once for each
/// copy that a replica or an attached model makes of it, and returns these tendons. Those that wrap, run over pulleys
/// or more sites, rub, have a rotor, a range, or a spring that is slack within one are no such force.
MjcfElements read_tendons(MjcfReading& r, const MjcfModel& model, const MjcfNames& names, const MjcfOptions& options);

}  // namespace kinetree::inline inner
