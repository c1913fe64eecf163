#pragma once
// Inertias of single geoms.

#include <map>
#include <optional>
#include <utility>

#include "engine/io/mesh_file.hpp"
#include "engine/io/mjcf_model.hpp"

namespace kinetree::inline inner {

/// Meshes that were asked for so far.
struct MjcfMeshes {
  std::map<std::pair<const MjcfMesh*, bool>, std::optional<MjcfInertia>> found;  ///< of unit density; true: as a shell
  MeshBudget files;
};

/// The inertia of a geom in its own axes. A primitive that is fitted to a mesh stands at `moved` in the geom's frame.
/// Errors: its mesh gives none; the mass is then 0.
MjcfInertia inertia_of(MjcfReading& r, const MjcfGeom& geom, bool fit_to_boxes, MjcfMeshes& meshes, MjcfPose& moved);

/// A mesh of unit density as a solid, or as a shell of unit thickness, in its frame: refpos, refquat
/// and scale are applied, in this order. The one place where masses of meshes come from. None, with an error at `geom`.
/// Warnings on faces that enclose no solid.
std::optional<MjcfInertia> mesh_inertia(MjcfReading& r, MjcfMeshes& all, const MjcfMesh& mesh, bool shell,
                                        const MjcfGeom& geom);

}  // namespace kinetree::inline inner
