#include "engine/io/mesh_file.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <system_error>
#include <utility>

#include "engine/scalar/lower.hpp"

namespace kinetree::inline inner {

namespace fs = std::filesystem;

std::optional<TriangleMesh> read_mesh_file(const fs::path& file, std::string format, const MeshLimits& limits,
                                           std::string& why, ObjParts parts) {
  const auto refused = [&](const std::string& reason) {
    why = file.string() + " " + reason;
    return std::nullopt;
  };
  if (format.empty() && file.has_extension()) format = file.extension().string().substr(1);
  format = lower(format);
  if (format != "stl" && format != "obj" && format != "msh")
    return refused("is of a kind that kinetree does not read; save it as STL, OBJ or MSH" +
                   std::string(format == "dae" ? ", scaled by its <unit> as Gazebo has it" : ""));
  std::error_code error;
  if (!fs::exists(file, error)) return refused("does not exist; put the file there, or correct its name");
  if (!fs::is_regular_file(file, error)) return refused("is no ordinary file");
  const auto size = fs::file_size(file, error);
  if (error) return refused("can't be read: " + error.message());
  if (size > limits.bytes)
    return refused("has " + std::to_string(size) + " bytes, more than the " + std::to_string(limits.bytes) +
                   " that kinetree reads of it; simplify the mesh");
  std::string bytes(size, '\0');
  std::ifstream in(file, std::ios::binary);
  if (!in.read(bytes.data(), static_cast<std::streamsize>(size))) return refused("can't be read");
  auto mesh = read_mesh(bytes, format, limits, why, parts);
  if (!mesh) return refused(why);
  return mesh;
}

std::optional<TriangleMesh> MeshBudget::read(const fs::path& file, std::string format, std::string& why,
                                             ObjParts parts) {
  MeshLimits limits;
  limits.bytes = std::min(limits.bytes, bytes_left);
  auto mesh = read_mesh_file(file, std::move(format), limits, why, parts);
  std::error_code error;
  if (const auto size = fs::file_size(file, error); mesh && !error)
    bytes_left -= std::min<std::uintmax_t>(size, bytes_left);
  return mesh;
}

std::optional<TriangleMesh> read_mesh(std::string_view bytes, const std::string& format, const MeshLimits& limits,
                                      std::string& why, ObjParts parts) {
  auto mesh = format == "msh" ? read_msh(bytes, limits, why) : read_by_assimp(bytes, format, limits, why, parts);
  if (!mesh) return mesh;
  if (!std::ranges::all_of(mesh->points, [](const Eigen::Vector3d& p) { return p.allFinite(); })) {
    why = "has a point whose coordinates are no numbers; save it anew";
    return std::nullopt;
  }
  merge_points(*mesh);
  return mesh;
}

}  // namespace kinetree::inline inner
