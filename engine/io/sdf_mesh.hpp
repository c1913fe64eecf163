#pragma once
// Solids of the meshes from which SDFormat's automatic inertias come.

#include <optional>
#include <sdf/Mesh.hh>
#include <string>

#include "engine/io/mesh_file.hpp"
#include "engine/io/solid_inertia.hpp"

namespace kinetree::inline inner {

class SdfMeshes {
 public:
  /// What lies between the faces of a mesh that `file` names, scaled, in its frame. None, with `why`, a clause on the
  /// mesh: there is no such file, it can't be read, or its faces enclose nothing. `warning`, a clause too: they enclose
  /// it not quite.
  std::optional<SolidInertia> solid_of(const sdf::Mesh& mesh, const std::string& file, std::string& why,
                                       std::string& warning);

 private:
  MeshBudget budget_{};  ///< of all mesh files of the model
};

}  // namespace kinetree::inline inner
