#include "engine/io/mesh_integrals.hpp"

#include <Eigen/Geometry>
#include <cmath>

#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
namespace {

using Eigen::Matrix3d, Eigen::Vector3d;

/// Integrals of 1, x and x xᵀ, with x from a point.
struct Sums {
  double mass = 0;
  Vector3d first = Vector3d::Zero();
  Matrix3d second = Matrix3d::Zero();
};

/// Of tetrahedra between a point and each face, whose quadratic moments are m/20 (Σ xᵢ xᵢᵀ + (Σ xᵢ)(Σ xᵢ)ᵀ) over their
/// corners (Tonon 2004, Explicit exact formulas for the 3-D tetrahedron inertia tensor).
Sums tetrahedra(const TriangleMesh& mesh, const Vector3d& from, bool absolute) {
  Sums sums;
  for (const auto& face : mesh.faces) {
    const Vector3d a = mesh.points[at(face[0])] - from, b = mesh.points[at(face[1])] - from,
                   c = mesh.points[at(face[2])] - from, s = a + b + c;
    double m = a.dot(b.cross(c)) / 6;
    if (absolute) m = std::abs(m);
    sums.mass += m;
    sums.first += m / 4 * s;
    sums.second += m / 20 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
  }
  return sums;
}

/// Of the faces: a triangle's are m/12 (Σ xᵢ xᵢᵀ + (Σ xᵢ)(Σ xᵢ)ᵀ).
Sums triangles(const TriangleMesh& mesh, const Vector3d& from) {
  Sums sums;
  for (const auto& face : mesh.faces) {
    const Vector3d a = mesh.points[at(face[0])] - from, b = mesh.points[at(face[1])] - from,
                   c = mesh.points[at(face[2])] - from, s = a + b + c;
    const double m = (b - a).cross(c - a).norm() / 2;
    sums.mass += m;
    sums.first += m / 3 * s;
    sums.second += m / 12 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
  }
  return sums;
}

Matrix3d moments_from(const Matrix3d& second) { return second.trace() * Matrix3d::Identity() - second; }

/// The area-weighted centre of the faces.
Vector3d middle_of(const TriangleMesh& mesh) {
  // from a point of the mesh: far from the origin the sums would lose digits
  const Vector3d near = mesh.points.empty() ? Vector3d(0, 0, 0) : mesh.points[0];
  const Sums sums = triangles(mesh, near);
  return sums.mass > 0 ? Vector3d(near + sums.first / sums.mass) : near;
}

/// First from the middle of the faces for the centre, then from that: where the sums are absolute or a hole is left,
/// the point matters, and MuJoCo 3 has these two.
SolidInertia solid(const TriangleMesh& mesh, bool absolute) {
  SolidInertia out;
  const Vector3d middle = middle_of(mesh);
  const Sums sums = tetrahedra(mesh, middle, absolute);
  out.centre = sums.mass != 0 ? Vector3d(middle + sums.first / sums.mass) : middle;
  const Sums centred = tetrahedra(mesh, out.centre, absolute);
  out.mass = centred.mass;
  out.moments = moments_from(centred.second);
  return out;
}

}  // namespace

SolidInertia solid_between(const TriangleMesh& mesh) { return solid(mesh, false); }
SolidInertia solid_of_absolutes(const TriangleMesh& mesh) { return solid(mesh, true); }

SolidInertia shell_of(const TriangleMesh& mesh) {
  SolidInertia out;
  out.centre = middle_of(mesh);
  const Sums sums = triangles(mesh, out.centre);
  out.mass = sums.mass;
  out.moments = moments_from(sums.second);
  return out;
}

}  // namespace kinetree::inline inner
