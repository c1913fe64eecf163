#pragma once
// Forces on links that a simulation holds: they stay as they are in world axes and act at the origins of their links.

#include <Eigen/Core>
#include <kinetree/forces.hpp>
#include <vector>

#include "engine/io/states.hpp"

namespace kinetree::bench {

class HeldForces {
 public:
  HeldForces(const Model& model, const std::vector<LinkForce>& forces)
      : model_(model), workspace_(model), numbers_(6 * static_cast<Eigen::Index>(forces.size())) {
    for (std::size_t k = 0; k < forces.size(); ++k) {
      links_.push_back(forces[k].link);
      numbers_.segment<6>(6 * static_cast<Eigen::Index>(k)) =
          Eigen::Map<const Eigen::Matrix<double, 6, 1>>(forces[k].force.data());
    }
  }
  void add(const Eigen::VectorXd& q, Eigen::VectorXd& f_ext) {
    (void)add_forces(model_, workspace_, q, links_, Axes::world_aligned, numbers_, f_ext);  // of a state in motion
  }

 private:
  Model model_;
  Workspace workspace_;
  std::vector<int> links_;
  Eigen::VectorXd numbers_;
};

}  // namespace kinetree::bench
