#pragma once
// What readers give as std::vector, for solvers.

#include <Eigen/Core>
#include <vector>

namespace kinetree::bench {

inline Eigen::VectorXd to_vector(const std::vector<double>& x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

}  // namespace kinetree::bench
