#pragma once
// The page that plays a motion, or shows one configuration: one file of HTML with everything in it.

#include <Eigen/Core>
#include <filesystem>
#include <kinetree/model.hpp>
#include <string>
#include <utility>
#include <vector>

namespace kinetree::bench {

/// A page of more bodies would be too large, and too slow to turn.
inline constexpr int most_bodies_of_page = 5000;

/// A number over time.
struct Curve {
  std::string name;
  std::vector<double> values;  ///< over the times of the motion
};

/// Curves in one frame.
struct Plot {
  std::string title;  ///< with units
  std::vector<Curve> curves;
  bool logarithmic = false;  ///< of magnitudes
};

struct PlayedMotion {
  std::vector<double> times;       ///< s, ascending; one alone: a configuration
  std::vector<Eigen::VectorXd> q;  ///< over times: what the page shows
  std::vector<Plot> plots;
  std::vector<std::pair<std::string, std::string>> facts;  ///< names and values, shown above
};

/// `model_file`: where meshes are looked for from; a family's text is none. Bodies are at most most_bodies_of_page.
/// Poses are kept of as many rows as the page has room for, and the player interpolates; of a plot the first 24 curves.
/// The page says what it leaves out.
std::string player_page(const Model& model, const std::filesystem::path& model_file, const PlayedMotion& motion);

}  // namespace kinetree::bench
