#pragma once
// Whether the joints' factors of articulated inertias are sound.

#include "engine/algorithm/articulated_body.hpp"

namespace kinetree::inline inner {

/// Whether the factor D of the joint that carries body i is positive and finite. `lane`: of a pack, that state's.
template <class S>
bool positive(const ArticulatedBody<S>& b, const ModelData& m, int i, int lane = 0) {
  const int n = velocity_count(m.joint_type[at(i)]);
  for (int k = 0; k < n; ++k) {
    const double inverse = number_of(b.D_of(i)[n * k + k], lane);
    if (!(inverse > 0) || !(inverse < 1e300)) return false;
  }
  return true;
}

}  // namespace kinetree::inline inner
