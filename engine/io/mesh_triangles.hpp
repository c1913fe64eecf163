#pragma once
// A surface of triangles, whatever file it came from.

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <vector>

namespace kinetree::inline inner {

struct TriangleMesh {
  std::vector<Eigen::Vector3d> points;
  std::vector<std::array<int, 3>>
      faces;                 ///< counter-clockwise, seen from outside; none: the hull of the points is meant
  int objects_left_out = 0;  ///< of an OBJ file (ObjParts::first)
};

/// Which objects and groups of an OBJ file count: all, or the first one with faces.
enum class ObjParts { all, first };

/// How much a mesh may have: files come from strangers.
struct MeshLimits {
  std::size_t bytes = std::size_t{128} << 20;
  std::size_t triangles = 5'000'000;
  std::size_t points = 15'000'000;
  std::size_t steps = 1'000'000'000;  ///< in cutting polygons (ear_clipping.hpp)
};

/// Points at one place become one, and faces that have one of them twice are left out: STL has every corner anew, OBJ
/// one for every normal, and only shared corners tell whether a surface is closed.
void merge_points(TriangleMesh& mesh);

/// Seen from the other side.
void turn_faces(TriangleMesh& mesh);

/// Multiplies coordinates. Where that mirrors, faces are turned, so that outside stays outside.
void scale_points(TriangleMesh& mesh, const Eigen::Vector3d& factors);

}  // namespace kinetree::inline inner
