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

/// What a body has at least where joints beside it are cut: of its own size the smallest moment of inertia; of what
/// hangs from it mass and moment.
struct CutThresholds {
  double own_moment, mass, moment;
};

/// With one refinement `cfa` keeps the accuracy of `ab` on chains of bodies with a smallest moment down to 2e-7 of
/// their size (lost at 2e-9), and on ropes of dummy links down to 1e-7 of the neighbours' mass (lost at 1e-9) or 3e-9
/// of their moment (lost at 3e-10).
inline constexpr CutThresholds cuts_in_double{1e-6, 1e-7, 1e-8};
/// In float it is within 3e-4 of the largest acceleration on chains of rods with a smallest moment of 3e-5 of their
/// size (4e-2 at 3e-6), and within 1e-4 beside one link of 1e-4 of the others' mass and 1e-5 of their moment (4e-2 at a
/// tenth of that).
inline constexpr CutThresholds cuts_in_float{3e-5, 1e-4, 1e-5};

/// A cut leaves a body with its rigid inertia alone in some directions, and constraint forces solve with the inverse of
/// that inertia. So it must be positive definite, measured by its own size, and not negligible against the inertia of
/// the bodies that hang from it.
CutRule bodies_that_allow_cuts(const ModelData& model, const CutThresholds& least = cuts_in_double);

}  // namespace kinetree::inline inner
