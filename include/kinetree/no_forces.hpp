#pragma once
// External forces that are left out, for functions that may have them.

#include <Eigen/Core>

namespace kinetree::boundary {

/// No rows and no columns, as an argument that the caller does not give.
template <class S>
using NoForces = Eigen::Matrix<S, 0, 0>;

}  // namespace kinetree::boundary
