#pragma once
// Operations of spatial algebra and small matrices as Counted counts them, for those who predict what a plan takes.

#include <kinetree/model/link.hpp>

namespace kinetree {

/// Moving things across a joint: by two or three screws along axes, or by a general transform.
struct CrossingOperations {
  double move = 42;                               ///< X_up m, X_upᵀ f
  double congruent = 324, rigid_congruent = 132;  ///< X_upᵀ P X_up
  double transform = 0;                           ///< X_up as a general transform
  double lead = 63;                               ///< X_up X, in place
  static constexpr double composition = 63;       ///< X X

  explicit CrossingOperations(const Link<double>& link) {
    if (!link.axial) return;
    move = 2 * 16, congruent = 2 * 81, rigid_congruent = 2 * 32, transform = composition, lead = 2 * 24;  // two screws
    if (!link.placement.has_inner) return;
    const bool screw = link.placement.inner_turns;  // or a shift
    move += screw ? 16 : 8, congruent += screw ? 81 : 25, rigid_congruent += screw ? 32 : 10, transform += composition,
        lead += 24;
  }
};

/// L D Lᵀ: `taken` pivots of n rows.
inline double factorization_operations(double n, double taken) {
  double sum = 0;
  for (double rest = n - 1; rest >= n - taken; --rest) sum += 1 + 2 * rest + rest * (rest + 1);
  return sum;
}

}  // namespace kinetree
