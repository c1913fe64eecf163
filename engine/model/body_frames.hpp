#pragma once
// Body frames are the Model's to choose: a joint that moves along a screw about z does not feel its frame turned about
// z or slid along it.

#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// Turns and slides the frames of such bodies so that the joint to one child each, the one with the largest subtree,
/// is placed by two axial screws (Denavit & Hartenberg 1955), the joints to the others by three; writes Link::placement
/// and moves everything that stands in body coordinates along. Axes that are almost, but not quite, parallel have their
/// common normal far away; those joints keep a general transform, since the screws would lose digits.
void choose_body_frames(ModelData& model);

}  // namespace kinetree::inline inner
