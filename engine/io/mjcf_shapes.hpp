#pragma once
// Geoms of MJCF as visuals and collision shapes of links, and the frames of its sensors.

#include "engine/io/mjcf_bodies.hpp"

namespace kinetree::inline inner {

/// Gives the bodies of the description, which are all read, their shapes: a geom that can touch is a visual and a
/// collision shape, another a visual alone. Geoms on the world, height fields, meshes whose vertices stand in the file
/// and primitives fitted to meshes are left out with a notice.
void read_shapes(MjcfReading& r, const MjcfModel& model, const MjcfNames& names);

/// Sensors of a site, body, geom or camera, with the frame that they report; others have none and are left out with a
/// notice.
void read_sensors(MjcfReading& r, const MjcfModel& model, const MjcfNames& names);

}  // namespace kinetree::inline inner
