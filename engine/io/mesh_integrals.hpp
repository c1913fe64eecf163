#pragma once
// Volume, centre and moments of what triangles enclose, and of the triangles themselves.

#include <Eigen/Core>

#include "engine/io/mesh_triangles.hpp"

namespace kinetree::inline inner {

/// Of unit density.
struct MeshMoments {
  double mass = 0;  ///< a volume, or an area
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  Eigen::Matrix3d moments = Eigen::Matrix3d::Zero();  ///< about the centre
};

/// The solid between faces that close it: tetrahedra from one point to each face, negative where a face looks back at
/// it. Of a surface that is inside out, mass and moments are negative.
MeshMoments solid_between(const TriangleMesh& mesh);

/// As MuJoCo 3 has it by default ("legacy"): every tetrahedron counts as positive, so that faces may look either way.
/// More than the volume, unless every face can be seen from the centre.
MeshMoments solid_of_absolutes(const TriangleMesh& mesh);

/// The faces as a shell of unit thickness.
MeshMoments shell_of(const TriangleMesh& mesh);

}  // namespace kinetree::inline inner
