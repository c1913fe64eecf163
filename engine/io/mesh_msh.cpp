// MuJoCo's own binary format of meshes: four numbers of int32 (points, normals, texture points, faces), then three
// floats a point, three a normal, two a texture point, and three int32 a face, little end first.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "engine/io/mesh_file.hpp"

namespace kinetree::inline inner {
namespace {

constexpr std::size_t head = 16;

template <class T>
T number_at(std::string_view bytes, std::size_t place) {
  std::array<char, 4> four{};
  std::memcpy(four.data(), bytes.data() + place, 4);
  if constexpr (std::endian::native == std::endian::big) std::reverse(four.begin(), four.end());
  return std::bit_cast<T>(four);
}

}  // namespace

std::optional<TriangleMesh> read_msh(std::string_view bytes, const MeshLimits& limits, std::string& why) {
  const auto refused = [&](std::string reason) {
    why = std::move(reason) + "; let MuJoCo save it anew";
    return std::nullopt;
  };
  if (bytes.size() < head) return refused("is shorter than the 16 bytes of an MSH file's head");
  std::array<std::uint64_t, 4> counts{};
  for (std::size_t k = 0; k < 4; ++k) {
    const auto count = number_at<std::int32_t>(bytes, 4 * k);
    if (count < 0) return refused("has " + std::to_string(count) + " as a number of parts in its head");
    counts[k] = static_cast<std::uint64_t>(count);
  }
  const auto [points, normals, textures, faces] = counts;
  // counts are below 2^31, so that no product or sum leaves 64 bits
  const std::uint64_t whole = head + 12 * points + 12 * normals + 8 * textures + 12 * faces;
  if (whole != bytes.size())
    return refused("has " + std::to_string(bytes.size()) + " bytes where its head asks for " + std::to_string(whole));
  if (points > limits.points || faces > limits.triangles) {
    why = "has more than the " + std::to_string(limits.triangles) + " triangles on " + std::to_string(limits.points) +
          " points that kinetree reads; simplify the mesh";
    return std::nullopt;
  }
  TriangleMesh mesh;
  std::size_t place = head;
  mesh.points.resize(points);
  for (Eigen::Vector3d& p : mesh.points)
    for (double& x : p) x = static_cast<double>(number_at<float>(bytes, place)), place += 4;
  place += 12 * normals + 8 * textures;
  mesh.faces.resize(faces);
  for (auto& face : mesh.faces)
    for (int& corner : face) {
      corner = number_at<std::int32_t>(bytes, place), place += 4;
      if (corner < 0 || static_cast<std::uint64_t>(corner) >= points)
        return refused("has a face with point " + std::to_string(corner) + " where points are 0 to " +
                       std::to_string(static_cast<std::int64_t>(points) - 1));
    }
  return mesh;
}

}  // namespace kinetree::inline inner
