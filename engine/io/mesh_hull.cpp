#include "engine/io/mesh_hull.hpp"

#include <libqhull_r/qhull_ra.h>

#include <Eigen/Geometry>
#include <cstdio>
#include <memory>
#include <utility>

#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
namespace {

/// Qhull's working memory, of one call: its reentrant library keeps nothing else.
class Qhull {
 public:
  Qhull() : sink_(std::fopen("/dev/null", "w")) { qh_zero(&qh_, sink_); }
  ~Qhull() {
    qh_freeqhull(&qh_, !qh_ALL);
    int left = 0, blocks = 0;
    qh_memfreeshort(&qh_, &left, &blocks);
    if (sink_) std::fclose(sink_);
  }
  Qhull(const Qhull&) = delete;
  Qhull& operator=(const Qhull&) = delete;

  /// What Qhull prints goes nowhere. It jumps out of its errors, so nothing in here may have a destructor.
  bool run(coordT* numbers, int count, char* options) {
    return sink_ && qh_new_qhull(&qh_, 3, count, numbers, false, options, nullptr, sink_) == 0;
  }
  qhT& get() { return qh_; }

 private:
  std::FILE* sink_;
  qhT qh_{};
};

}  // namespace

std::optional<TriangleMesh> hull_of(const TriangleMesh& mesh, int most_points, std::string& why) {
  if (mesh.points.size() < 4) {
    why = "a hull needs at least four points, and it has " + std::to_string(mesh.points.size());
    return std::nullopt;
  }
  if (most_points == 4) {  // Qhull 2020 takes "TA0" for no limit at all
    why = "a hull of four points is none that Qhull makes of more; allow it five";
    return std::nullopt;
  }
  std::vector<coordT> numbers;
  for (const Eigen::Vector3d& p : mesh.points) numbers.insert(numbers.end(), {p[0], p[1], p[2]});
  std::string options = "qhull Qt";  // in triangles
  if (most_points > 4) options += " TA" + std::to_string(most_points - 4);
  const auto qhull = std::make_unique<Qhull>();
  if (!qhull->run(numbers.data(), static_cast<int>(mesh.points.size()), options.data())) {
    why = "its points have no hull with a volume (Qhull finds them in a plane, or too close to one)";
    return std::nullopt;
  }
  TriangleMesh hull{mesh.points, {}};
  qhT* const qh = &qhull->get();
  facetT* facet = nullptr;
  FORALLfacets {
    std::array<int, 3> face{};
    std::size_t corners = 0;
    vertexT *vertex = nullptr, **vertexp = nullptr;
    FOREACHvertex_(facet->vertices) if (corners < 3) face[corners++] = qh_pointid(qh, vertex->point);
    if (corners < 3) continue;
    const Eigen::Vector3d a = mesh.points[at(face[0])], b = mesh.points[at(face[1])], c = mesh.points[at(face[2])];
    // Qhull's normals look outward, while a facet's points come in the order in which they were found
    if ((b - a).cross(c - a).dot(Eigen::Vector3d(facet->normal)) < 0) std::swap(face[1], face[2]);
    hull.faces.push_back(face);
  }
  return hull;
}

}  // namespace kinetree::inline inner
