#pragma once
// The neutral configuration of a mechanism.

#include <Eigen/Core>
#include <kinetree/model.hpp>
#include <vector>

namespace kinetree {

namespace boundary {
std::vector<double> neutral(const Model& model);
}

/// The neutral configuration, nq positions (rad, m; quaternions x y z w): every joint at zero, every quaternion a unit,
/// but where the model says otherwise (`assembled` in YAML); loops and couplings closed from there, as loading found
/// that they can be.
inline Eigen::VectorXd neutral(const Model& model) {
  const std::vector<double> q = boundary::neutral(model);
  return Eigen::Map<const Eigen::VectorXd>(q.data(), static_cast<Eigen::Index>(q.size()));
}

}  // namespace kinetree
