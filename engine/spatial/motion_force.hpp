#pragma once
// Spatial vectors, angular part first (docs/conventions.md; Featherstone 2008, ch. 2).

#include "engine/spatial/vector3.hpp"

namespace kinetree::inline inner {

/// A motion vector: velocity or acceleration of a body, in some frame's coordinates about its origin.
template <class S>
struct Motion {
  Vector3<S> angular, linear;

  KINETREE_INLINE Motion& operator+=(const Motion& b) { return angular += b.angular, linear += b.linear, *this; }
  KINETREE_INLINE Motion& operator-=(const Motion& b) { return angular -= b.angular, linear -= b.linear, *this; }
  KINETREE_INLINE friend Motion operator+(const Motion& a, const Motion& b) {
    return {a.angular + b.angular, a.linear + b.linear};
  }
  KINETREE_INLINE friend Motion operator-(const Motion& a, const Motion& b) {
    return {a.angular - b.angular, a.linear - b.linear};
  }
  KINETREE_INLINE friend Motion operator-(const Motion& a) { return {-a.angular, -a.linear}; }
  KINETREE_INLINE friend Motion operator*(const S& s, const Motion& a) { return {s * a.angular, s * a.linear}; }
};

/// A force vector: moment about the frame's origin, and force.
template <class S>
struct Force {
  Vector3<S> moment, force;

  KINETREE_INLINE Force& operator+=(const Force& b) { return moment += b.moment, force += b.force, *this; }
  KINETREE_INLINE Force& operator-=(const Force& b) { return moment -= b.moment, force -= b.force, *this; }
  KINETREE_INLINE friend Force operator+(const Force& a, const Force& b) {
    return {a.moment + b.moment, a.force + b.force};
  }
  KINETREE_INLINE friend Force operator-(const Force& a, const Force& b) {
    return {a.moment - b.moment, a.force - b.force};
  }
  KINETREE_INLINE friend Force operator-(const Force& a) { return {-a.moment, -a.force}; }
  KINETREE_INLINE friend Force operator*(const S& s, const Force& a) { return {s * a.moment, s * a.force}; }
};

/// Power: the scalar product of the dual spaces.
template <class S>
KINETREE_INLINE S dot(const Motion<S>& m, const Force<S>& f) {
  return dot(m.angular, f.moment) + dot(m.linear, f.force);
}

/// v x m: how a motion vector fixed in a body moving with v changes (Featherstone 2008, Eq. 2.31).
template <class S>
KINETREE_INLINE Motion<S> cross(const Motion<S>& v, const Motion<S>& m) {
  return {cross(v.angular, m.angular), cross(v.angular, m.linear) + cross(v.linear, m.angular)};
}

/// v x* f: the same for a force vector (Featherstone 2008, Eq. 2.32).
template <class S>
KINETREE_INLINE Force<S> cross(const Motion<S>& v, const Force<S>& f) {
  return {cross(v.angular, f.moment) + cross(v.linear, f.force), cross(v.angular, f.force)};
}

}  // namespace kinetree::inline inner
