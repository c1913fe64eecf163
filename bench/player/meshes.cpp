#include "bench/player/meshes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <utility>

#include "bench/player/base64.hpp"
#include "bench/quantity.hpp"

namespace kinetree::bench {

namespace fs = std::filesystem;

fs::path find_mesh(const std::string& name, const fs::path& folder) {
  std::string path = name;
  bool packaged = false;
  if (const auto scheme = name.find("://"); scheme != std::string::npos) {
    const std::string_view word = std::string_view(name).substr(0, scheme);
    packaged = word == "package" || word == "model";
    if (!packaged && word != "file") return {};
    path = name.substr(scheme + 3);
  }
  if (path.empty()) return {};
  std::error_code error;
  const auto is_file = [&](const fs::path& place) { return fs::is_regular_file(place, error); };
  const fs::path wanted(path);
  if (wanted.is_absolute() && !packaged) return is_file(wanted) ? wanted : fs::path();
  const fs::path relative = wanted.relative_path();
  const fs::path inside = relative.lexically_relative(*relative.begin());  // behind the package's name
  const fs::path here = fs::absolute(folder.empty() ? fs::path(".") : folder, error).lexically_normal();
  for (fs::path above = here; !above.empty(); above = above.parent_path()) {
    if (is_file(above / relative)) return above / relative;
    if (packaged && above.filename() == *relative.begin() && is_file(above / inside)) return above / inside;
    if (above == above.parent_path()) break;
  }
  for (const char* variable : {"ROS_PACKAGE_PATH", "GZ_SIM_RESOURCE_PATH"}) {
    const char* const listed = std::getenv(variable);
    std::string_view left = listed ? listed : "";
    while (!left.empty()) {
      const std::string_view one = left.substr(0, left.find(':'));
      left.remove_prefix(std::min(one.size() + 1, left.size()));
      if (!one.empty() && is_file(fs::path(one) / relative)) return fs::path(one) / relative;
    }
  }
  return {};
}

void make_fewer(TriangleMesh& mesh, std::size_t most) {
  if (mesh.faces.size() <= most || mesh.points.empty()) return;
  Eigen::Vector3d low = mesh.points[0], high = low;
  for (const Eigen::Vector3d& p : mesh.points) low = low.cwiseMin(p), high = high.cwiseMax(p);
  const double size = std::max((high - low).maxCoeff(), 1e-300);
  // a closed surface has about two triangles a cell that it crosses, and crosses some six times the square of the cells
  for (double cells = std::max(2., std::sqrt(static_cast<double>(most) / 4)); cells >= 1; cells *= 0.8) {
    std::map<std::array<int, 3>, int> cell_of;
    TriangleMesh coarse;
    std::vector<int> to(mesh.points.size());
    std::vector<int> count;
    for (std::size_t k = 0; k < mesh.points.size(); ++k) {
      const Eigen::Vector3d at = (mesh.points[k] - low) * (cells / size);
      const std::array<int, 3> cell{static_cast<int>(at[0]), static_cast<int>(at[1]), static_cast<int>(at[2])};
      const auto [found, fresh] = cell_of.emplace(cell, static_cast<int>(coarse.points.size()));
      if (fresh) coarse.points.emplace_back(0, 0, 0), count.push_back(0);
      to[k] = found->second;
      coarse.points[static_cast<std::size_t>(to[k])] += mesh.points[k];
      ++count[static_cast<std::size_t>(to[k])];
    }
    for (std::size_t k = 0; k < coarse.points.size(); ++k) coarse.points[k] /= count[k];
    for (const std::array<int, 3>& face : mesh.faces) {
      const std::array<int, 3> corners{to[static_cast<std::size_t>(face[0])], to[static_cast<std::size_t>(face[1])],
                                       to[static_cast<std::size_t>(face[2])]};
      if (corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0])
        coarse.faces.push_back(corners);
    }
    if (coarse.faces.size() <= most) {
      mesh = std::move(coarse);
      return;
    }
  }
  mesh.faces.resize(most);
}

int PageMeshes::take(const std::string& name) {
  if (const auto found = known_.find(name); found != known_.end()) return found->second;
  int& index = known_[name] = -1;
  const fs::path file = find_mesh(name, folder_);
  if (file.empty()) {
    missing_.push_back(name);
    return -1;
  }
  std::string why;
  auto mesh = budget_.read(file, "", why);
  if (!mesh || mesh->faces.empty()) {
    unread_.push_back(mesh ? file.string() + " has no faces" : why);
    return -1;
  }
  if (mesh->faces.size() > share_) make_fewer(*mesh, share_), ++coarser_;
  std::vector<float> points;
  for (const Eigen::Vector3d& p : mesh->points)
    for (const double x : p) points.push_back(static_cast<float>(x));
  const bool wide = mesh->points.size() > 65536;
  std::vector<std::uint32_t> faces;
  for (const auto& face : mesh->faces)
    for (const int corner : face) faces.push_back(static_cast<std::uint32_t>(corner));
  index = static_cast<int>(meshes_.size());
  meshes_.push_back(
      {{"file", file.filename().string()},
       {"points", base64_of(points)},
       {"faces", wide ? base64_of(faces) : base64_of(std::vector<std::uint16_t>(faces.begin(), faces.end()))},
       {"wide", wide}});
  return index;
}

std::vector<std::string> PageMeshes::notes() const {
  std::vector<std::string> all;
  if (!missing_.empty())
    all.push_back(fmt::format(
        "{} not found (\"{}\"{}): their links are drawn as bones; put the files beside the model, "
        "or list their folder in ROS_PACKAGE_PATH",
        counted(missing_.size(), "mesh was", "meshes were"), missing_.front(), missing_.size() > 1 ? ", ..." : ""));
  if (!unread_.empty())
    all.push_back(fmt::format("{} not read, the first since {}", counted(unread_.size(), "mesh was", "meshes were"),
                              unread_.front()));
  if (coarser_ > 0)
    all.push_back(fmt::format("{} drawn with fewer triangles than the file has, so that the page stays small",
                              counted(static_cast<std::size_t>(coarser_), "mesh is", "meshes are")));
  return all;
}

}  // namespace kinetree::bench
