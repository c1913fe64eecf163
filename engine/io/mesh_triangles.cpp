#include "engine/io/mesh_triangles.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

void merge_points(TriangleMesh& mesh) {
  std::vector<int> order(mesh.points.size()), place(mesh.points.size());
  std::iota(order.begin(), order.end(), 0);
  const auto numbers = [&](int k) {
    const Eigen::Vector3d& p = mesh.points[at(k)];
    return std::tuple(p[0], p[1], p[2]);
  };
  // not by a hash of the numbers: files could be made in which all of them collide
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const auto first = numbers(a), second = numbers(b);
    return first != second ? first < second : a < b;
  });
  for (std::size_t k = 0; k < order.size(); ++k)  // to the first of those alike, so that their order stays
    place[at(order[k])] = k > 0 && numbers(order[k]) == numbers(order[k - 1]) ? place[at(order[k - 1])] : order[k];
  std::vector<int> kept(mesh.points.size());
  int count = 0;
  for (std::size_t k = 0; k < place.size(); ++k)
    if (place[k] == static_cast<int>(k)) {
      mesh.points[at(count)] = mesh.points[k];
      kept[k] = count++;
    }
  mesh.points.resize(at(count));
  for (auto& face : mesh.faces)
    for (int& corner : face) corner = kept[at(place[at(corner)])];
  std::erase_if(mesh.faces, [](const auto& f) { return f[0] == f[1] || f[1] == f[2] || f[2] == f[0]; });
}

void turn_faces(TriangleMesh& mesh) {
  for (auto& face : mesh.faces) std::swap(face[1], face[2]);
}

void scale_points(TriangleMesh& mesh, const Eigen::Vector3d& factors) {
  for (Eigen::Vector3d& p : mesh.points) p = p.cwiseProduct(factors);
  if ((factors.array() < 0).count() % 2 == 1) turn_faces(mesh);
}

}  // namespace kinetree::inline inner
