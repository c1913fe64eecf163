// Inertias of meshes by MuJoCo 3's rules.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "engine/io/mesh_closed.hpp"
#include "engine/io/mesh_file.hpp"
#include "engine/io/mesh_hull.hpp"
#include "engine/io/mesh_integrals.hpp"
#include "engine/io/mjcf_solids.hpp"
#include "engine/scalar/number_from.hpp"
#include "engine/scalar/number_text.hpp"

namespace kinetree::inline inner {
namespace {

constexpr double least_volume = 1e-15;  // MuJoCo's

/// The mesh of the attributes vertex and face.
std::optional<TriangleMesh> inline_mesh(const MjcfElement& e, std::string& why) {
  const auto refused = [&](std::string reason) {
    why = std::move(reason);
    return std::nullopt;
  };
  if (e.attribute("builtin"))
    return refused("it is one of MuJoCo's builtin shapes, which kinetree does not make; save the mesh as a file");
  const char *vertex = e.attribute("vertex"), *face = e.attribute("face");
  if (!vertex) return refused("it has neither a file nor vertices; give file=\"...\" or vertex=\"...\"");
  const auto numbers = numbers_from(vertex);
  if (!numbers || numbers->size() % 3 != 0 || numbers->size() < 12)
    return refused("vertex is not three numbers each for at least four points; correct it");
  TriangleMesh mesh;
  for (std::size_t k = 0; k < numbers->size(); k += 3) mesh.points.emplace_back(numbers->data() + k);
  if (!std::ranges::all_of(*numbers, [](double x) { return std::isfinite(x); }))
    return refused("vertex has a number that is not finite; correct it");
  if (!face) return mesh;
  const auto corners = numbers_from(face);
  if (!corners || corners->size() % 3 != 0) return refused("face is not three numbers of points each; correct it");
  for (const double x : *corners)
    if (!(x >= 0 && x < static_cast<double>(mesh.points.size()) && x == std::floor(x)))
      return refused("face names point " + number_text(x) + " where points are 0 to " +
                     std::to_string(mesh.points.size() - 1) + "; correct it");
  for (std::size_t k = 0; k < corners->size(); k += 3)
    mesh.faces.push_back(
        {static_cast<int>((*corners)[k]), static_cast<int>((*corners)[k + 1]), static_cast<int>((*corners)[k + 2])});
  merge_points(mesh);
  return mesh;
}

/// The mesh's triangles in its own frame: those of its hull where it has no faces, or where the hull is asked for.
std::optional<TriangleMesh> triangles_of(const MjcfMesh& mesh, MjcfMeshes& all, std::string& why) {
  std::optional<TriangleMesh> found;
  if (mesh.file.empty()) {
    found = inline_mesh(*mesh.element, why);
  } else {
    const char* type = mesh.element->attribute("content_type");  // as "model/obj"
    std::string format = type ? type : "";
    format.erase(0, format.find_last_of("/.") + 1);
    // MuJoCo has all points of the file for a hull
    const auto parts = mesh.inertia == MjcfMeshInertia::convex ? ObjParts::all : ObjParts::first;
    found = all.files.read(mesh.file, format, why, parts);
  }
  if (!found) return found;
  const Eigen::Matrix3d turn = mesh.origin.turn.toRotationMatrix().transpose();
  for (Eigen::Vector3d& p : found->points) p = turn * (p - mesh.origin.at);
  scale_points(*found, mesh.scale);
  if (mesh.inertia == MjcfMeshInertia::convex || found->faces.empty())
    found = hull_of(*found, mesh.most_hull_points, why);
  return found;
}

/// The solid that MuJoCo 3 takes the faces for, and what is said of faces that enclose none.
std::optional<SolidInertia> solid_of(MjcfReading& r, const MjcfMesh& mesh, const TriangleMesh& faces, double& enclosed,
                                     std::string& why) {
  const MjcfElement& e = *mesh.element;
  const MeshFaults faults = faults_of(faces);
  SolidInertia exact = solid_between(faces);
  if (mesh.inertia == MjcfMeshInertia::legacy) {
    const SolidInertia found = solid_of_absolutes(faces);
    if (faults.none())
      enclosed = std::abs(exact.mass);
    else
      r.say(Severity::warning, e.line(), called(e),
            in_words(faults) +
                "; its mass is that of tetrahedra between its centre and each face, all positive, as "
                "MuJoCo has it by default; close the mesh, or give it inertia=\"convex\"");
    return found;
  }
  if (faults.turned > 0) {
    why = "the mesh " + in_words(faults) +
          ", and inertia=\"exact\" needs all to look outward, here as in MuJoCo; turn them, or give the mesh "
          "inertia=\"legacy\" or \"convex\"";
    return std::nullopt;
  }
  if (exact.mass < 0 && faults.none()) {
    exact.mass = -exact.mass;
    exact.moments = -exact.moments;
    r.say(Severity::warning, e.line(), called(e),
          "is inside out, which MuJoCo refuses with inertia=\"exact\"; it is read with its faces turned");
  } else if (faults.open > 0) {
    r.say(Severity::warning, e.line(), called(e),
          in_words(faults) +
              "; it is read as if tetrahedra from its centre closed it, as MuJoCo has it; close the "
              "mesh, or give it inertia=\"convex\"");
  }
  enclosed = exact.mass;
  return exact;
}

}  // namespace

std::optional<MjcfInertia> mesh_inertia(MjcfReading& r, MjcfMeshes& all, const MjcfMesh& mesh, bool shell,
                                        const MjcfGeom& geom) {
  std::string why;
  double enclosed = 0;
  std::optional<SolidInertia> found;
  if (const auto faces = triangles_of(mesh, all, why)) {
    if (faces->objects_left_out > 0)
      r.say(Severity::warning, mesh.element->line(), called(*mesh.element),
            "the first object of its file alone gives a mass, as in MuJoCo, and " +
                count_of(faces->objects_left_out, "other") + (faces->objects_left_out == 1 ? " is" : " are") +
                " left out; join them if all are meant");
    if (shell)
      found = shell_of(*faces);
    else
      found = solid_of(r, mesh, *faces, enclosed, why);
  }
  if (found && !(found->mass > least_volume && std::isfinite(found->mass) && found->moments.allFinite())) {
    why = std::string("its ") + (shell ? "area" : "volume") + ", " + number_text(found->mass, 4) +
          (shell ? " m²" : " m³") + ", is not above 1e-15, the least that MuJoCo takes; scale the mesh" +
          (shell ? "" : ", or give it inertia=\"shell\"");
    found.reset();
  }
  if (!found) {
    r.say(
        Severity::error, geom.line, called(geom),
        "its mesh " + in_quotes(mesh.name) + " gives the body no inertia: " + why + "; or give the body an <inertial>");
    return std::nullopt;
  }
  found->enclosed = enclosed;
  return found;
}

}  // namespace kinetree::inline inner
