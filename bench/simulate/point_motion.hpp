#pragma once
// Where named links and points on them are over a motion, and how they move: columns of the trajectory.

#include <kinetree/link_point.hpp>
#include <kinetree/simulation/simulation.hpp>
#include <string>
#include <vector>

#include "bench/player/page.hpp"

namespace kinetree::bench {

/// Thirteen columns a point: `pose:P[0]` to `[6]`, its position (m) and its link's orientation, a quaternion
/// [x, y, z, w] to world axes; `velocity:P[0]` to `[5]`, angular (rad/s), then of the point (m/s), in world axes. P is
/// the text that names the point.
class PointMotion {
 public:
  /// `texts`: `LINK`, or `LINK=X:Y:Z` for a point there in the link's frame (m). `file`: for messages. Throws
  /// InputError with a finding for every text that names no point.
  PointMotion(const Model& model, const std::vector<std::string>& texts, const std::string& file);

  /// A line of the trajectory, its heads before it where it is the first, with these columns behind. Comments stay.
  std::string appended(const std::string& lines, const Simulation& simulation);
  /// Position and velocity of each point over the lines so far.
  std::vector<Plot> plots() const;

 private:
  Model model_;
  Workspace workspace_;
  std::vector<std::string> texts_;
  std::vector<LinkPoint> points_;
  std::vector<std::vector<double>> rows_;
};

}  // namespace kinetree::bench
