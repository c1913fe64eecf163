#pragma once
// The inertia of a rigid body, ten numbers, about the body frame's origin.

#include <kinetree/spatial/motion_force.hpp>

namespace kinetree {

template <class S>
struct RigidInertia {
  S mass{};         ///< kg
  Vector3<S> h;     ///< mass times centre of mass
  Symmetric3<S> I;  ///< about the origin

  KINETREE_INLINE RigidInertia& operator+=(const RigidInertia& b) { return mass += b.mass, h += b.h, I += b.I, *this; }

  KINETREE_INLINE friend Force<S> operator*(const RigidInertia& a, const Motion<S>& m) {
    return {a.I * m.angular + cross(a.h, m.linear), a.mass * m.linear - cross(a.h, m.angular)};
  }
};

}  // namespace kinetree
