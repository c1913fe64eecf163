#pragma once
// Whether triangles enclose a solid: each edge is there once in each direction, or as often in one as in the other.

#include <cstddef>
#include <string>

#include "engine/io/mesh_triangles.hpp"

namespace kinetree::inline inner {

struct MeshFaults {
  std::size_t open = 0;                                        ///< edges of a hole: an odd number of faces meets there
  std::size_t turned = 0;                                      ///< edges whose faces look to different sides
  Eigen::Vector3d where_open{0, 0, 0}, where_turned{0, 0, 0};  ///< the middle of the first of each

  bool none() const { return open == 0 && turned == 0; }
};

/// What is wrong, as a clause with places in the mesh's own frame: `has a hole: 3 edges without a second face, the
/// first near (0, 0, 1)`; empty: nothing.
std::string in_words(const MeshFaults& faults);

/// Points at one place must be one (merge_points).
MeshFaults faults_of(const TriangleMesh& mesh);

}  // namespace kinetree::inline inner
