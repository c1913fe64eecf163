#pragma once
// Which bodies are well-conditioned enough for the joints beside them to be cut (design: Which joints may be cut).

#include <vector>

#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// Over bodies: whether their inertia allows cuts.
struct CutRule {
  std::vector<bool> whole;  ///< of the joint that carries the body, and of the joints of the bodies that hang from it
  std::vector<bool> half;   ///< of a weld between two halves of the body: whether the body may be split
};

/// A cut leaves a body with its rigid inertia alone in some directions, and constraint forces solve with the inverse of
/// that inertia. So it must be positive definite, measured by its own size, and not negligible against the inertia of
/// the bodies that hang from it.
CutRule bodies_that_allow_cuts(const ModelData& model);

}  // namespace kinetree::inline inner
