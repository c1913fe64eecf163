#include "engine/io/sdf_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <sdf/SDFImpl.hh>
#include <utility>

#include "engine/io/mesh_closed.hpp"
#include "engine/io/mesh_file.hpp"
#include "engine/io/mesh_hull.hpp"
#include "engine/io/mesh_integrals.hpp"
#include "engine/io/sdf_newer.hpp"
#include "engine/io/sdf_search.hpp"
#include "engine/io/sdf_user_text.hpp"
#include "engine/scalar/number_text.hpp"

namespace kinetree::inline inner {

#if KINETREE_WITH_MJCF  // else there is no Assimp either
namespace {

namespace fs = std::filesystem;

/// Beside the file that has the URI, and where included models are looked for; empty: nowhere.
fs::path find_mesh(const std::string& uri, const fs::path& folder) {
  const fs::path plain = without_scheme(uri);
  if (plain.is_absolute() && !uri.starts_with("model://")) return plain;
  if (fs::path found = find_for_sdf(uri, folder); !found.empty()) return found;
  return sdf::findFile(plain.string(), false, false);  // by SDF_PATH
}

/// The cube of the longest diagonal of the points' box.
double cube_around(const TriangleMesh& mesh) {
  Eigen::Vector3d low = mesh.points[0], high = low;
  for (const Eigen::Vector3d& p : mesh.points) low = low.cwiseMin(p), high = high.cwiseMax(p);
  return std::pow((high - low).norm(), 3);
}

}  // namespace

std::optional<SolidInertia> SdfMeshes::solid_of(const sdf::Mesh& mesh, const std::string& file, std::string& why,
                                                std::string& warning) {
  const auto refused = [&](std::string reason) {
    why = std::move(reason);
    return std::nullopt;
  };
  const std::string& uri = mesh.Uri();
  if (is_remote(uri)) return refused("lies on another machine; fetch it, and give the file's name");
  const fs::path folder = fs::path(file).parent_path(), found = find_mesh(uri, folder);
  if (found.empty())
    return refused("is not found beside \"" + file +
                   "\", and in no folder of GZ_SIM_RESOURCE_PATH or SDF_PATH; put it there, or correct the <uri>");
  auto faces = budget_.read(found, "", why);
  if (!faces) return std::nullopt;
  const auto& scale = mesh.Scale();
  scale_points(*faces, {scale.X(), scale.Y(), scale.Z()});
  const std::string better = user_attribute(mesh.Element(), optimization_in_older_sdf);
  if (!better.empty() && better != "convex_hull")
    return refused("is to be taken by optimization=\"" + better +
                   "\", which kinetree does not make; give \"convex_hull\" or none");
  if (!better.empty() || faces->faces.empty()) {
    std::string flat;
    faces = hull_of(*faces, 0, flat);
    if (!faces) return refused("has no hull: " + flat + "; give it a volume");
  }
  const MeshFaults faults = faults_of(*faces);
  if (faults.turned > 0)
    return refused(in_words(faults) + ", so that there is no inside; turn them, or give optimization=\"convex_hull\"");
  SolidInertia solid = solid_between(*faces);
  if (!(std::abs(solid.mass) > 1e-12 * cube_around(*faces)) || !solid.moments.allFinite())
    return refused("encloses a volume of " + number_text(solid.mass, 4) + " m³; give it one");
  const auto warn = [&](const std::string& text) { warning += (warning.empty() ? "" : ", and ") + text; };
  if (!mesh.Submesh().empty())
    warn("counts whole, as in Gazebo, though its <submesh> \"" + mesh.Submesh() +
         "\" is a part; save that as a file of its own if it alone is meant");
  if (faults.open > 0)
    warn(in_words(faults) + "; it is read as if tetrahedra from its centre closed it; close the mesh");
  if (solid.mass < 0) {
    solid.mass = -solid.mass;
    solid.moments = -solid.moments;
    warn("is inside out; it is read with its faces turned");
  }
  return solid;
}

#else

std::optional<SolidInertia> SdfMeshes::solid_of(const sdf::Mesh&, const std::string&, std::string& why, std::string&) {
  why =
      "can't be opened: this build has no reader of meshes; build with Assimp and Qhull (libassimp-dev, libqhull-dev)";
  return std::nullopt;
}

#endif

}  // namespace kinetree::inline inner
