#pragma once
// The convex hull of a mesh's points, by Qhull (Barber, Dobkin and Huhdanpaa 1996).

#include <optional>
#include <string>

#include "engine/io/mesh_triangles.hpp"

namespace kinetree::inline inner {

/// Of at most `most_points` points, five or more, where that is positive: Qhull then stops early, as MuJoCo's
/// maxhullvert lets it. None, with `why`: fewer than four points, or all in a plane.
std::optional<TriangleMesh> hull_of(const TriangleMesh& mesh, int most_points, std::string& why);

}  // namespace kinetree::inline inner
