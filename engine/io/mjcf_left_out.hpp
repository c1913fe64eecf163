#pragma once
// What an MJCF file says beyond the description.

#include "engine/io/mjcf_tendons.hpp"

namespace kinetree::inline inner {

/// Notices, one per kind: what acts by a force that kinetree does not apply, what needs a word of its own, and in one
/// notice all that has no part in the dynamics.
/// `springs`: tendons that were read as forces between points.
void say_what_was_left_out(MjcfReading& r, const MjcfModel& model, const MjcfElements& springs);

}  // namespace kinetree::inline inner
