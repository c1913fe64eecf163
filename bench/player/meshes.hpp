#pragma once
// Meshes of a page: where a shape's file is found, and its triangles, made few enough for a page.

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/io/mesh_file.hpp"

namespace kinetree::bench {

/// The file that a shape names: an absolute path; in the model's folder or one above it; for `package://NAME/...` and
/// `model://NAME/...` also where a folder above is NAME itself; in a folder that ROS_PACKAGE_PATH or
/// GZ_SIM_RESOURCE_PATH lists. Empty: there is none. Nothing leads to another machine.
std::filesystem::path find_mesh(const std::string& name, const std::filesystem::path& folder);

/// Corners within a cell of a grid become one, on ever larger cells, until there are at most `most` triangles.
void make_fewer(TriangleMesh& mesh, std::size_t most);

/// Meshes that a page has, each once, whatever number of shapes show it.
class PageMeshes {
 public:
  /// `folder`: the model's file's. `most`: triangles of all meshes together.
  PageMeshes(std::filesystem::path folder, std::size_t most) : folder_(std::move(folder)), most_(most) {}

  /// Announces the number of files that follow: each may have an equal share of all bytes.
  void expect(std::size_t files) { share_ = most_ / std::max<std::size_t>(files, 1); }
  /// Its index in json(); -1: it was not found, or can't be read, which notes() say.
  int take(const std::string& name);
  /// A list of {file, points, faces, wide}: points three floats each, faces three indices each, of 16 bits or 32.
  const nlohmann::ordered_json& json() const { return meshes_; }
  /// What was left out or made coarser, in sentences.
  std::vector<std::string> notes() const;

 private:
  std::filesystem::path folder_;
  std::size_t most_, share_ = 0;
  MeshBudget budget_{};
  nlohmann::ordered_json meshes_ = nlohmann::ordered_json::array();
  std::map<std::string, int> known_;
  std::vector<std::string> missing_, unread_;
  int coarser_ = 0;
};

}  // namespace kinetree::bench
