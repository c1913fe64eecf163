#pragma once
// What Assimp 5.2 must not see of an OBJ file, or sees otherwise than MuJoCo.

#include <string>
#include <string_view>

#include "engine/io/mesh_triangles.hpp"

namespace kinetree::inline inner {

/// Assimp leaves out a vertex where it takes a number for none, as ".5", and all later ones then stand in for their
/// neighbours, without a word; so numbers get their leading zeros. Polygons are cut into triangles. With
/// ObjParts::first, faces of other objects and groups than the first with faces are taken out, and `left_out` is the
/// number of these. False, with `why`: a vertex is not three numbers, or polygons take more than limits.steps.
bool mend_obj(std::string_view bytes, ObjParts parts, const MeshLimits& limits, std::string& text, int& left_out,
              std::string& why);

}  // namespace kinetree::inline inner
