#pragma once
// Columns of a trajectory that say how far apart the points of forces are, and how these pull.

#include <Eigen/Core>
#include <kinetree/point_forces.hpp>
#include <kinetree/workspace.hpp>
#include <string>
#include <vector>

#include "bench/player/page.hpp"
#include "bench/simulate/trajectory.hpp"

namespace kinetree::bench {

class Tensions {
 public:
  /// Of the forces that act; they outlive this.
  Tensions(const Model& model, const PointForces& forces);

  /// "distance:NAME" (m) and "tension:NAME" (N), force by force.
  const std::vector<std::string>& columns() const { return columns_; }
  /// Of a state; NaN where points coincide and the force has no direction.
  std::vector<double> of(const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  /// A plot of distances and one of tensions; none where no force acts. `first`: where the columns begin in
  /// Sample::holding.
  std::vector<Plot> plots(const std::vector<Sample>& samples, std::size_t first) const;

 private:
  const PointForces& forces_;
  Workspace workspace_;
  std::vector<std::string> columns_;
};

}  // namespace kinetree::bench
