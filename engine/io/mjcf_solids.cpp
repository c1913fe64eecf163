#include "engine/io/mjcf_solids.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

namespace kinetree::inline inner {
namespace {

using Eigen::Matrix3d, Eigen::Vector3d;
using Kind = MjcfGeomKind;
constexpr double pi = std::numbers::pi;

/// Of unit density.
MjcfInertia solid(Kind kind, const Vector3d& s) {
  switch (kind) {
    case Kind::sphere:
      return solid_sphere(s[0]);
    case Kind::cylinder:
      return solid_cylinder(s[0], 2 * s[1]);
    case Kind::capsule:
      return solid_capsule(s[0], 2 * s[1]);
    case Kind::ellipsoid:
      return solid_ellipsoid(s);
    case Kind::box:
      return solid_box(s);
    default:
      return {};  // planes and height fields have no mass
  }
}

Matrix3d diagonal(double x, double y, double z) { return Vector3d(x, y, z).asDiagonal(); }

/// A surface of unit density.
MjcfInertia shell(Kind kind, const Vector3d& s) {
  const double r = s[0], h = 2 * s[1];
  MjcfInertia out;
  switch (kind) {
    case Kind::sphere:
      out.mass = 4 * pi * r * r;
      out.moments = diagonal(2, 2, 2) * (out.mass * r * r / 3);
      break;
    case Kind::cylinder:
    case Kind::capsule: {
      const double tube = 2 * pi * r * h;
      const bool round = kind == Kind::capsule;
      const double ends = (round ? 4 : 2) * pi * r * r;
      // a half sphere's centre is r/2 behind its rim, its moment across about that centre 5/12 m r²
      const double across = tube * (6 * r * r + h * h) / 12 +
                            ends * (round ? 5 * r * r / 12 + (h + r) * (h + r) / 4 : r * r / 4 + h * h / 4);
      out.mass = tube + ends;
      out.moments = diagonal(across, across, tube * r * r + ends * r * r * (round ? 2. / 3 : .5));
      break;
    }
    case Kind::box:
      for (int k = 0; k < 3; ++k) {  // two faces across axis k
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double m = 8 * s[i] * s[j];
        out.mass += m;
        out.moments(k, k) += m * (s[i] * s[i] + s[j] * s[j]) / 3;
        out.moments(i, i) += m * (s[j] * s[j] / 3 + s[k] * s[k]);
        out.moments(j, j) += m * (s[i] * s[i] / 3 + s[k] * s[k]);
      }
      break;
    case Kind::ellipsoid: {
      // MuJoCo's: the area by Thomsen's formula (2004), spread as between two ellipsoids a micrometre apart
      constexpr double p = 1.6075, thickness = 1e-6;
      const Vector3d pairs(s[0] * s[1], s[0] * s[2], s[1] * s[2]), grown = s.array() + thickness;
      out.mass = 4 * pi * std::pow(pairs.array().pow(p).sum() / 3, 1 / p);
      const MjcfInertia outer = solid(kind, grown), inner = solid(kind, s);
      out.moments = (outer.moments - inner.moments) * (out.mass / (outer.mass - inner.mass));
      break;
    }
    default:
      break;
  }
  return out;
}

/// MuJoCo fits a primitive to the box of uniform density that has the mesh's inertia, in the mesh's principal axes, the
/// longest along z.
Vector3d fitted_size(Kind kind, const Vector3d& box) {
  const double across = (box[0] + box[1]) / 2;
  switch (kind) {
    case Kind::sphere:
      return {box.mean(), 0, 0};
    case Kind::capsule:
      return {across, std::max(0., box[2] - across / 2), 0};
    case Kind::cylinder:
      return {across, box[2], 0};
    default:
      return box;
  }
}

}  // namespace

MjcfInertia inertia_of(MjcfReading& r, const MjcfGeom& geom, bool fit_to_boxes, MjcfMeshes& meshes, MjcfPose& moved) {
  MjcfInertia out;
  const auto of_mesh = [&](bool as_shell) -> const std::optional<MjcfInertia>& {
    const auto [found, fresh] = meshes.found.try_emplace({geom.mesh, as_shell});
    if (fresh) found->second = mesh_inertia(r, meshes, *geom.mesh, as_shell, geom);
    return found->second;
  };
  const bool faces_alone = geom.mesh && geom.mesh->inertia == MjcfMeshInertia::shell;
  if (geom.kind == Kind::mesh) {
    const auto& mesh = of_mesh(geom.shell || faces_alone);
    if (!mesh) return out;
    out = *mesh;
  } else {
    Vector3d size = geom.size;
    if (geom.mesh) {
      if (fit_to_boxes) {
        r.say(Severity::error, geom.line, called(geom),
              "is fitted to the bounds of its mesh (fitaabb), which kinetree does not do; give the body an <inertial>");
        return out;
      }
      const auto& mesh = of_mesh(faces_alone);
      if (!mesh) return out;
      const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(mesh->moments);  // ascending
      Matrix3d R;
      R << solver.eigenvectors().col(2), solver.eigenvectors().col(1), solver.eigenvectors().col(0);
      if (R.determinant() < 0) R.col(0) *= -1;
      const Vector3d I = solver.eigenvalues().reverse();
      Vector3d box;
      for (int k = 0; k < 3; ++k) box[k] = std::sqrt(std::max(0., 6 * (I.sum() - 2 * I[k]) / mesh->mass)) / 2;
      size = fitted_size(geom.kind, box);
      moved = {mesh->centre, Eigen::Quaterniond(R)};
    }
    out = geom.shell ? shell(geom.kind, size) : solid(geom.kind, size);
  }
  if (!(out.mass > 0)) return out;
  const double scale = geom.mass ? *geom.mass / out.mass : geom.density;
  out.mass *= scale;
  out.moments *= scale;
  out.enclosed *= scale;
  return out;
}

}  // namespace kinetree::inline inner
