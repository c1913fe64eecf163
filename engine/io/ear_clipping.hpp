#pragma once
// Polygons cut into triangles as tinyobjloader cuts those of OBJ files, and with it MuJoCo and Gazebo: where a polygon
// is not flat, what it encloses depends on the cuts.

#include <array>
#include <cstddef>
#include <vector>

namespace kinetree::inline inner {

/// Triangles by numbers of corners, in single precision as there. Where no ear is found, the rest is left out, as
/// there too. Each corner that is looked at takes one of `steps`, which an artful polygon can need by the cube of its
/// corners; it ends, unfinished, where none is left.
std::vector<std::array<std::size_t, 3>> ears_of(const std::vector<std::array<float, 3>>& corners, std::size_t& steps);

}  // namespace kinetree::inline inner
