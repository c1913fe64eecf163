#include "engine/io/mjcf_meshes.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "engine/io/mjcf_compile.hpp"
#include "engine/io/mjcf_limits.hpp"
#include "engine/scalar/number_text.hpp"

namespace kinetree::inline inner {
namespace {

/// Coordinates of vertices are floats.
constexpr double mesh_rounding = 1e-4;

/// Whether sizes of tetrahedra, all positive, add up to another volume than their signed sizes do. The point inside is
/// MuJoCo's: the centre of the surface.
bool has_false_volume(const mjModel& m, int mesh) {
  const auto corner = [&](int face, int k) {
    const int vertex = m.mesh_face[3 * (m.mesh_faceadr[mesh] + face) + k];
    const float* x = m.mesh_vert + 3 * (m.mesh_vertadr[mesh] + vertex);
    return Eigen::Vector3d(x[0], x[1], x[2]);
  };
  Eigen::Vector3d inside = Eigen::Vector3d::Zero();
  double surface = 0;
  for (int f = 0; f < m.mesh_facenum[mesh]; ++f) {
    const Eigen::Vector3d a = corner(f, 0), b = corner(f, 1), c = corner(f, 2);
    const double area = (b - a).cross(c - a).norm() / 2;
    inside += area * (a + b + c) / 3;
    surface += area;
  }
  if (!(surface > 0)) return false;
  inside /= surface;
  double exact = 0, added = 0;
  for (int f = 0; f < m.mesh_facenum[mesh]; ++f) {
    const Eigen::Vector3d a = corner(f, 0) - inside, b = corner(f, 1) - inside, c = corner(f, 2) - inside;
    const double volume = a.dot(b.cross(c)) / 6;
    exact += volume;
    added += std::abs(volume);
  }
  return added - std::abs(exact) > mesh_rounding * added;
}

}  // namespace

void note_concave_meshes(MjcfReading& mjcf, const std::string& text) {
  const mjModel& m = *mjcf.compiled;
  bool any = false;
  for (int g = 0; g < m.ngeom && !any; ++g)
    any = m.geom_type[g] == mjGEOM_MESH && m.geom_dataid[g] >= 0 && has_false_volume(m, m.geom_dataid[g]);
  if (!any) return;
  // which bodies it matters to, and by how much, MuJoCo itself says: geoms may be left out of inertia in many ways
  std::string said;
  std::vector<std::string> warnings;
  const auto exact =
      compile_mjcf(with_compiler(text, "exactmeshinertia=\"true\""), mjcf.reading.description.file, said, warnings);
  if (!exact || exact->nbody != m.nbody) return;
  int bodies = 0, worst = 0;
  double largest = 0;
  for (int b = 1; b < m.nbody; ++b) {
    double off = std::abs(m.body_mass[b] - exact->body_mass[b]) / std::max(exact->body_mass[b], 1e-300);
    for (int k = 0; k < 3; ++k)
      off = std::max(off, std::abs(m.body_inertia[3 * b + k] - exact->body_inertia[3 * b + k]) /
                              std::max(exact->body_inertia[3 * b + 2], 1e-300));
    if (!(off > mesh_rounding)) continue;
    ++bodies;
    if (off > largest) largest = off, worst = b;
  }
  if (bodies == 0) return;
  mjcf.say(Severity::notice, mjcf.xml.first("mesh"), "<mesh>",
           std::to_string(bodies) + (bodies == 1 ? " body has" : " bodies have") +
               " not the inertia of a concave mesh, whose tetrahedra MuJoCo's default adds up: " +
               in_quotes(mjcf.body_name[at(worst)]) + " " + number_text(m.body_mass[worst], 3) +
               " kg where its volume gives " + number_text(exact->body_mass[worst], 3) +
               " kg; <compiler exactmeshinertia=\"true\"/> takes the mesh's own");
}

}  // namespace kinetree::inline inner
