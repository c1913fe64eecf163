#pragma once
// Masses of concave meshes, which MuJoCo's default makes too heavy.

#include <string>

#include "engine/io/mjcf_reading.hpp"

namespace kinetree::inline inner {

/// A notice where a body's inertia comes from a concave mesh and is not the mesh's own: MuJoCo up to 3.2 adds the sizes
/// of the tetrahedra between a point inside and the faces, and takes none of them off. `text`: what was compiled.
void note_concave_meshes(MjcfReading& mjcf, const std::string& text);

}  // namespace kinetree::inline inner
