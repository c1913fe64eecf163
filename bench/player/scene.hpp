#pragma once
// What a mechanism looks like, as JSON for the page that plays it: bodies, shapes, bones, joints, loops and colours.

#include <Eigen/Core>
#include <filesystem>
#include <kinetree/workspace.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace kinetree::bench {

struct Scene {
  nlohmann::ordered_json json;
  std::vector<std::string> notes;  ///< what the page can't show, in sentences
};

/// `folder`: of the model's file, where meshes are looked for. Lengths in m; poses are [x, y, z, qx, qy, qz, qw]. What
/// belongs to a body stands in the frame of the body's own link, what belongs to the ground (-1) in the world's.
Scene make_scene(const Model& model, const std::filesystem::path& folder);

/// Poses of the bodies' own links at q, seven numbers each.
std::vector<double> body_poses(const Model& model, Workspace& workspace, const Eigen::VectorXd& q);

}  // namespace kinetree::bench
