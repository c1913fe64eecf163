#pragma once
// Operations of spatial algebra and small matrices as Counted counts them, for those who predict what a plan takes.

#include "engine/joint/link.hpp"

namespace kinetree::inline inner {

/// Moving things across a joint: by two or three screws along axes, or by a general transform.
struct CrossingOperations {
  double move = 42;                               ///< X_up m, X_upᵀ f
  double congruent = 324, rigid_congruent = 132;  ///< X_upᵀ P X_up
  double free_congruent = 289;                    ///< of a P that feels no turn about the joint's axis
  double transform = 0;                           ///< X_up as a general transform
  double lead = 63;                               ///< X_up X, in place
  static constexpr double composition = 63;       ///< X X

  explicit CrossingOperations(const Link<double>& link) {
    if (!link.axial) return;
    const AxialPlacement<double>& p = link.placement;
    const int x_turns = p.x_turn != Turning::none && p.x_turn != Turning::square, x_slides = x_turns || p.x_slides;
    const int turns = 1 + x_turns, slides = p.outboard_slides + x_slides;
    move = 12 * turns + 4 * slides;
    lead = 18 * turns + 6 * slides;
    free_congruent = 44 + 37 * x_turns + 21 * p.outboard_slides + 25 * x_slides;
    congruent = 56 * turns + 25 * slides;
    rigid_congruent = 22 * turns + 10 * slides;
    transform = composition;
    if (!p.has_inboard()) return;
    const int inner_turns = p.inboard_turn == Turning::any, inboard_slides = p.inboard_slides;
    const double inner_congruent = 56 * inner_turns + 25 * inboard_slides;
    move += 12 * inner_turns + 4 * inboard_slides;
    lead += 18 * inner_turns + 6 * inboard_slides;
    rigid_congruent += 22 * inner_turns + 10 * inboard_slides;
    transform += composition;
    congruent += inner_congruent, free_congruent += inner_congruent;
  }
};

/// L D Lᵀ: `taken` pivots of n rows.
inline double factorization_operations(double n, double taken) {
  double sum = 0;
  for (double rest = n - 1; rest >= n - taken; --rest) sum += 1 + 2 * rest + rest * (rest + 1);
  return sum;
}

}  // namespace kinetree::inline inner
