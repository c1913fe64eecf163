#pragma once
// Visuals, collision shapes and sensors of SDFormat's links.

#include <kinetree/description.hpp>
#include <kinetree/load_model.hpp>
#include <sdf/Link.hh>
#include <sdf/SemanticPose.hh>
#include <string>

#include "engine/io/sdf_places.hpp"

namespace kinetree::inline inner {

/// Where a shape or a sensor stands in its link.
Placement sdf_frame_of(const sdf::SemanticPose& semantic);

/// Gives a body the shapes of its link, and the description its sensors, named as links are: `scope` before the name.
/// A shape without a counterpart (height fields, polylines), or with a fault, is left out with a warning.
void read_shapes(const sdf::Link& link, BodyDescription& body, const std::string& scope, const SdfPlaces& places,
                 Reading& reading);

}  // namespace kinetree::inline inner
