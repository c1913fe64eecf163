#pragma once
// Link: the constants of a body and of the joint that carries it, on any scalar.

#include <kinetree/joint_type.hpp>

#include "engine/joint/joint_transform.hpp"

namespace kinetree::inline inner {

template <class S>
struct Link {
  Transform<S> X_tree;  ///< from the parent's body frame to the joint's first frame; its axis is z
  RigidInertia<S> I;    ///< of the rigid body outboard of the joint, about the body frame's origin
  /// Types whose facts have a slope: {slope (m/rad), 1 / sqrt(1 + slope²)}. Those with a second axis: {cos, sin} of the
  /// angle from the first axis to the second, about x, the common normal: X_up = rotz(q2) rotx(angle) rotz(q1) X_tree.
  S constant[2]{};
  AxialPlacement<S> placement;  ///< X_tree by screws, where it is axial
  bool axial = false;           ///< whether the joint moves by a screw about z, and X_tree is worth three screws
  S origin{};                   ///< where the user's link has its origin on z: joints about z may have moved the body's
};

/// c² + s² = 1 on scalar S as well, whose digits may be more than those of double.
template <class S>
ScrewZ<S> cast(const ScrewZ<double>& a) {
  S c = S(a.c), s = S(a.s);
  for (int k = 0; k < 3; ++k) {  // Newton's method for the inverse length
    const S scale = S(1) + (S(1) - (c * c + s * s)) / S(2);
    c *= scale, s *= scale;
  }
  return {c, s, S(a.d)};
}

/// A link's constants, carried over to another scalar exactly as they stand in double.
template <class S>
Link<S> cast(const Link<double>& a) {
  const AxialPlacement<double>& p = a.placement;
  const ScrewZ<S> x = cast<S>(ScrewZ<double>{p.x.c, p.x.s, p.x.d});
  const auto c = [](double x) { return S(x); };
  return {{{c(a.X_tree.E.xx), c(a.X_tree.E.xy), c(a.X_tree.E.xz), c(a.X_tree.E.yx), c(a.X_tree.E.yy), c(a.X_tree.E.yz),
            c(a.X_tree.E.zx), c(a.X_tree.E.zy), c(a.X_tree.E.zz)},
           {c(a.X_tree.r.x), c(a.X_tree.r.y), c(a.X_tree.r.z)}},
          {c(a.I.mass),
           {c(a.I.h.x), c(a.I.h.y), c(a.I.h.z)},
           {c(a.I.I.xx), c(a.I.I.yy), c(a.I.I.zz), c(a.I.I.xy), c(a.I.I.xz), c(a.I.I.yz)}},
          {c(a.constant[0]), c(a.constant[1])},
          {cast<S>(p.outboard),
           c(p.angle),
           {x.c, x.s, x.d},
           cast<S>(p.inboard),
           p.outboard_slides,
           p.x_slides,
           p.inboard_slides,
           p.x_turn,
           p.inboard_turn},
          a.axial,
          c(a.origin)};
}

}  // namespace kinetree::inline inner
