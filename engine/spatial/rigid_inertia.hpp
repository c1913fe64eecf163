#pragma once
// The inertia of a rigid body, ten numbers, about the body frame's origin.

#include "engine/spatial/motion_force.hpp"

namespace kinetree::inline inner {

template <class S>
struct RigidInertia {
  S mass{};         ///< kg
  Vector3<S> h;     ///< mass times centre of mass
  Symmetric3<S> I;  ///< about the origin

  KINETREE_INLINE void take(const RigidInertia& b) { mass = b.mass, h.take(b.h), I.take(b.I); }
  KINETREE_INLINE RigidInertia& operator+=(const RigidInertia& b) { return mass += b.mass, h += b.h, I += b.I, *this; }

  KINETREE_INLINE friend Force<S> operator*(const RigidInertia& a, const Motion<S>& m) {
    return {a.I * m.angular + cross(a.h, m.linear), a.mass * m.linear - cross(a.h, m.angular)};
  }
};

/// v x* I v: what a rigid body's motion alone asks for. By Jacobi's identity, w x (h x v) + v x (w x h) = h x (w x v).
template <class S>
KINETREE_INLINE Force<S> gyroscopic_force(const RigidInertia<S>& a, const Motion<S>& m) {
  const Vector3<S>& w = m.angular;
  const Vector3<S> b = cross(w, m.linear);
  return {cross(w, a.I * w) + cross(a.h, b), a.mass * b + cross(w, cross(w, a.h))};
}

}  // namespace kinetree::inline inner
