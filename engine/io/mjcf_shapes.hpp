#pragma once
// Geoms of MJCF as visuals and collision shapes of links, and the frames of its sensors.

#include "engine/io/mjcf_reading.hpp"

namespace kinetree::inline inner {

/// Gives the bodies of the description, which are all read, their shapes: a geom that can touch is a visual and a
/// collision shape, another a visual alone. Geoms on the world, meshes (MuJoCo forgets their own frame) and height
/// fields are left out with a notice.
void read_shapes(MjcfReading& mjcf);

/// Sensors of a site, body, geom or camera, with the frame that they report; others have none and are left out with a
/// notice.
void read_sensors(MjcfReading& mjcf);

}  // namespace kinetree::inline inner
