#include "engine/io/mesh_closed.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "engine/scalar/index.hpp"
#include "engine/scalar/number_text.hpp"

namespace kinetree::inline inner {
namespace {

std::string at_point(const Eigen::Vector3d& p) {
  return "(" + number_text(p[0], 4) + ", " + number_text(p[1], 4) + ", " + number_text(p[2], 4) + ")";
}

}  // namespace

std::string in_words(const MeshFaults& faults) {
  std::string text;
  if (faults.open > 0)
    text = "has a hole: " + count_of(static_cast<std::ptrdiff_t>(faults.open), "edge") +
           " without a second face, the first near " + at_point(faults.where_open);
  if (faults.turned > 0)
    text += (text.empty() ? "has " : ", and ") + std::string("faces that look to different sides along ") +
            count_of(static_cast<std::ptrdiff_t>(faults.turned), "edge") + ", the first near " +
            at_point(faults.where_turned);
  return text;
}

MeshFaults faults_of(const TriangleMesh& mesh) {
  using Edge = std::array<int, 3>;  // the lower end, the higher, and whether the face runs from the lower to the higher
  std::vector<Edge> edges;
  edges.reserve(3 * mesh.faces.size());
  for (const auto& face : mesh.faces)
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = face[k], b = face[(k + 1) % 3];
      edges.push_back({std::min(a, b), std::max(a, b), a < b});
    }
  std::sort(edges.begin(), edges.end());
  MeshFaults faults;
  for (std::size_t k = 0, end; k < edges.size(); k = end) {
    std::size_t up = 0;
    for (end = k; end < edges.size() && edges[end][0] == edges[k][0] && edges[end][1] == edges[k][1]; ++end)
      up += edges[end][2] == 1;
    const std::size_t all = end - k;
    if (2 * up == all) continue;
    const Eigen::Vector3d middle = (mesh.points[at(edges[k][0])] + mesh.points[at(edges[k][1])]) / 2;
    if (all % 2 == 1 && faults.open++ == 0) faults.where_open = middle;
    if (all % 2 == 0 && faults.turned++ == 0) faults.where_turned = middle;
  }
  return faults;
}

}  // namespace kinetree::inline inner
