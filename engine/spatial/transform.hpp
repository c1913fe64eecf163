#pragma once
// Transform X_b_a: maps motion coordinates from frame a to frame b (Featherstone 2008, Sec. 2.8).

#include "engine/spatial/motion_force.hpp"

namespace kinetree::inline inner {

/// E rotates a's coordinates into b's; r is b's origin in a's coordinates.
template <class S>
struct Transform {
  Matrix3<S> E;
  Vector3<S> r;

  KINETREE_INLINE void take(const Transform& b) { E.take(b.E), r.take(b.r); }
  static Transform identity() { return {Matrix3<S>::identity(), {S(0), S(0), S(0)}}; }

  /// X m
  KINETREE_INLINE friend Motion<S> operator*(const Transform& X, const Motion<S>& m) {
    return {X.E * m.angular, X.E * (m.linear - cross(X.r, m.angular))};
  }
  /// X_c_b X_b_a
  KINETREE_INLINE friend Transform operator*(const Transform& c_b, const Transform& b_a) {
    return {c_b.E * b_a.E, b_a.r + transpose_times(b_a.E, c_b.r)};
  }
};

/// A motion in b's coordinates, turned to a's axes, about b's origin.
template <class S>
KINETREE_INLINE Motion<S> turned_back(const Transform<S>& X_b_a, const Motion<S>& m) {
  return {transpose_times(X_b_a.E, m.angular), transpose_times(X_b_a.E, m.linear)};
}

/// X⁻¹ m: a motion in b's coordinates, expressed in a's.
template <class S>
KINETREE_INLINE Motion<S> inverse_times(const Transform<S>& X_b_a, const Motion<S>& m) {
  Motion<S> a = turned_back(X_b_a, m);
  a.linear += cross(X_b_a.r, a.angular);
  return a;
}

/// Xᵀ f: a force in b's coordinates, expressed in a's.
template <class S>
KINETREE_INLINE Force<S> transpose_times(const Transform<S>& X, const Force<S>& f) {
  const Vector3<S> force = transpose_times(X.E, f.force);
  return {transpose_times(X.E, f.moment) + cross(X.r, force), force};
}

/// X⁻ᵀ f: a force in a's coordinates, expressed in b's.
template <class S>
KINETREE_INLINE Force<S> inverse_transpose_times(const Transform<S>& X, const Force<S>& f) {
  return {X.E * (f.moment - cross(X.r, f.force)), X.E * f.force};
}

}  // namespace kinetree::inline inner
