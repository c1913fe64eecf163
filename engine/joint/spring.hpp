#pragma once
// How far the spring of a joint is from rest.

#include <algorithm>

#include "engine/joint/advance.hpp"

namespace kinetree::inline inner {

/// The displacement (velocity_count(type) numbers, in the axes of v) whose force by a stiffness is the gradient of half
/// the stiffness times its square: positions from the reference; of quaternions the turn (rad, child's axes) from the
/// reference, the shorter way round; of the origin of a floating joint its way, in the child's axes.
template <class T>
void spring_displacement(JointType type, const T* reference, const T* q, T* out) {
  const int quaternion = quaternion_at(type), plain = quaternion < 0 ? position_count(type) : quaternion;
  for (int k = 0; k < plain; ++k) out[k] = q[k] - reference[k];
  if (quaternion < 0) return;
  T unit[4], ignored;
  std::copy_n(q + quaternion, 4, unit);
  advance_detail::normalize(unit);
  if (plain > 0) advance_detail::rotate(-1, unit, out);
  advance_detail::turn_between(reference + quaternion, unit, out + plain, ignored);
}

}  // namespace kinetree::inline inner
