#pragma once
// Link: the constants of a body and of the joint that carries it, on any scalar.

#include <kinetree/model/joint_type.hpp>
#include <kinetree/spatial/rigid_inertia.hpp>
#include <kinetree/spatial/transform.hpp>

namespace kinetree {

template <class S>
struct Link {
  Transform<S> X_tree;  ///< from the parent's body frame to the joint's first frame; its axis is z
  RigidInertia<S> I;    ///< of the rigid body outboard of the joint, about the body frame's origin
  /// helical: {pitch (m/rad), 1 / sqrt(1 + pitch²)}. universal: {cos, sin} of the angle from the first axis to the
  /// second, about x, the common normal: X_up = rotz(q2) rotx(angle) rotz(q1) X_tree.
  S constant[2]{};
};

/// A link's constants, carried over to another scalar exactly as they stand in double.
template <class S>
Link<S> cast(const Link<double>& a) {
  const auto c = [](double x) { return S(x); };
  return {{{c(a.X_tree.E.xx), c(a.X_tree.E.xy), c(a.X_tree.E.xz), c(a.X_tree.E.yx), c(a.X_tree.E.yy), c(a.X_tree.E.yz),
            c(a.X_tree.E.zx), c(a.X_tree.E.zy), c(a.X_tree.E.zz)},
           {c(a.X_tree.r.x), c(a.X_tree.r.y), c(a.X_tree.r.z)}},
          {c(a.I.mass),
           {c(a.I.h.x), c(a.I.h.y), c(a.I.h.z)},
           {c(a.I.I.xx), c(a.I.I.yy), c(a.I.I.zz), c(a.I.I.xy), c(a.I.I.xz), c(a.I.I.yz)}},
          {c(a.constant[0]), c(a.constant[1])}};
}

}  // namespace kinetree
