#pragma once
// Solids of the meshes from which SDFormat's automatic inertias come.

#include <cstddef>
#include <optional>
#include <sdf/Mesh.hh>
#include <string>

#include "engine/io/solid_inertia.hpp"

namespace kinetree::inline inner {

class SdfMeshes {
 public:
  /// `most`: bytes of all mesh files of a model; a mesh that stands in two collisions counts twice.
  explicit SdfMeshes(std::size_t most = std::size_t{1} << 30) : bytes_left_(most) {}

  /// What lies between the faces of a mesh that `file` names, scaled, in its frame. None, with `why`, a clause on the
  /// mesh: there is no such file, it can't be read, or its faces enclose nothing. `warning`, a clause too: they enclose
  /// it not quite.
  std::optional<SolidInertia> solid_of(const sdf::Mesh& mesh, const std::string& file, std::string& why,
                                       std::string& warning);

 private:
  std::size_t bytes_left_;
};

}  // namespace kinetree::inline inner
