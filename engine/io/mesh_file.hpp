#pragma once
// Triangles of a mesh file: STL, OBJ, or MuJoCo's binary MSH.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "engine/io/mesh_triangles.hpp"

namespace kinetree::inline inner {

/// The mesh of a file, its points merged. `format`: "stl", "obj" or "msh"; where it is empty, the file's ending says
/// it. No other file is opened. None, with `why`, which names the file and what to do.
std::optional<TriangleMesh> read_mesh_file(const std::filesystem::path& file, std::string format,
                                           const MeshLimits& limits, std::string& why, ObjParts parts = ObjParts::all);

/// The bytes that all mesh files of a model may have together. A file that several meshes name counts for each.
struct MeshBudget {
  std::size_t bytes_left = std::size_t{1} << 30;

  /// As read_mesh_file, of a file that may have as much as is left, and which then counts.
  std::optional<TriangleMesh> read(const std::filesystem::path& file, std::string format, std::string& why,
                                   ObjParts parts = ObjParts::all);
};

/// The same of a file's bytes, which `why` does not name.
std::optional<TriangleMesh> read_mesh(std::string_view bytes, const std::string& format, const MeshLimits& limits,
                                      std::string& why, ObjParts parts = ObjParts::all);

/// By Assimp, of bytes that are an STL or OBJ file.
std::optional<TriangleMesh> read_by_assimp(std::string_view bytes, const std::string& format, const MeshLimits& limits,
                                           std::string& why, ObjParts parts);

/// Of bytes that are an MSH file.
std::optional<TriangleMesh> read_msh(std::string_view bytes, const MeshLimits& limits, std::string& why);

}  // namespace kinetree::inline inner
