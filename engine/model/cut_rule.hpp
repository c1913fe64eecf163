#pragma once
// Which bodies are well-conditioned enough for the joints beside them to be cut (design: Which joints may be cut).

#include <vector>

#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// Over bodies: whether the inertia of the body allows that the joint that carries it is cut, and the joints of the
/// bodies that hang from it. A cut leaves a body with its rigid inertia alone in some directions, and constraint forces
/// solve with the inverse of that inertia. So it must be positive definite, measured by its own size, and not
/// negligible against the inertia of the bodies that hang from it. `part`: of its inertia that it has; 0.5 where it is
/// to be split.
std::vector<bool> bodies_that_allow_cuts(const ModelData& model, double part = 1);

}  // namespace kinetree::inline inner
