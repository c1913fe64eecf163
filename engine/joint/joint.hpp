#pragma once
// The mathematics of joint types: joint_at (X_up, S, cJ), constraint_basis (T) and gram_solve (S'); with_subspace
// stands in motion_subspace.hpp, the manifold in advance.hpp. Kernels see a subspace alone (design: The house).

#include <kinetree/scalar/scalar.hpp>

#include "engine/joint/link.hpp"
#include "engine/joint/motion_subspace.hpp"

namespace kinetree::inline inner {

namespace joint_detail {

/// Rows x and y of a rotation, turned by the angle about z: rotz(angle) E.
template <class S>
void turn_z(const S& c, const S& s, Matrix3<S>& E) {
  const S xx = E.xx, xy = E.xy, xz = E.xz;
  E.xx = c * xx + s * E.yx, E.xy = c * xy + s * E.yy, E.xz = c * xz + s * E.yz;
  E.yx = c * E.yx - s * xx, E.yy = c * E.yy - s * xy, E.yz = c * E.yz - s * xz;
}
template <class S>
void turn_x(const S& c, const S& s, Matrix3<S>& E) {
  const S yx = E.yx, yy = E.yy, yz = E.yz;
  E.yx = c * yx + s * E.zx, E.yy = c * yy + s * E.zy, E.yz = c * yz + s * E.zz;
  E.zx = c * E.zx - s * yx, E.zy = c * E.zy - s * yy, E.zz = c * E.zz - s * yz;
}
/// Rotation from the parent's to the child's coordinates of a quaternion x, y, z, w of any length.
template <class S>
Matrix3<S> rotation_to_child(const S* p) {
  const S x = p[0], y = p[1], z = p[2], w = p[3];
  const S k = S(2) / (x * x + y * y + z * z + w * w);
  return {S(1) - k * (y * y + z * z), k * (x * y + w * z),        k * (x * z - w * y),
          k * (x * y - w * z),        S(1) - k * (x * x + z * z), k * (y * z + w * x),
          k * (x * z + w * y),        k * (y * z - w * x),        S(1) - k * (x * x + y * y)};
}

/// The columns of S of joints that slide along the z they turn about, whatever their place.
template <class S>
KINETREE_INLINE void screw_columns(JointType type, const Link<S>& link, Motion<S>* columns) {
  const S o(0), l(1);
  if (type == JointType::helical) columns[0] = {{o, o, l}, {o, o, link.constant[0]}};
  if (type != JointType::cylindrical) return;
  columns[0] = {{o, o, l}, {o, o, o}};
  columns[1] = {{o, o, o}, {o, o, l}};
}

/// How far a joint of screw_columns has slid along its axis.
template <class S>
S screw_slide(JointType type, const Link<S>& link, const S* q) {
  return type == JointType::helical ? link.constant[0] * q[0] : q[1];
}

}  // namespace joint_detail

/// Writes X_up (parent to body), the columns of S where with_subspace reads them, and cJ = (dS/dt) v in body
/// coordinates. Zero cJ is written too.
template <class S>
void joint_at(JointType type, const Link<S>& link, const S* q, const S* v, Transform<S>& X_up, Motion<S>* columns,
              Motion<S>& cJ) {
  using joint_detail::rotation_to_child;
  using joint_detail::turn_x;
  using joint_detail::turn_z;
  const S o(0), l(1);
  const Matrix3<S>& E = link.X_tree.E;
  X_up = link.X_tree;
  cJ = {{o, o, o}, {o, o, o}};
  S s, c;
  switch (type) {
    case JointType::fixed:
      break;
    case JointType::prismatic:
      X_up.r += q[0] * Vector3<S>{E.zx, E.zy, E.zz};
      break;
    case JointType::helical:
    case JointType::cylindrical:
      sin_cos(q[0], s, c);
      turn_z(c, s, X_up.E);
      X_up.r += joint_detail::screw_slide(type, link, q) * Vector3<S>{E.zx, E.zy, E.zz};
      joint_detail::screw_columns(type, link, columns);
      break;
    case JointType::universal: {
      S s2, c2;
      sin_cos(q[0], s, c);
      sin_cos(q[1], s2, c2);
      turn_z(c, s, X_up.E);
      turn_x(link.constant[0], link.constant[1], X_up.E);
      turn_z(c2, s2, X_up.E);
      const S sa = link.constant[1], ca = link.constant[0];  // first axis in the second frame: (0, sin, cos)
      columns[0] = {{s2 * sa, c2 * sa, ca}, {o, o, o}};
      columns[1] = {{o, o, l}, {o, o, o}};
      const S w = v[0] * v[1] * sa;
      cJ.angular.x = w * c2;
      cJ.angular.y = -(w * s2);
      break;
    }
    case JointType::spherical:
      X_up.E = rotation_to_child(q) * E;
      break;
    case JointType::planar: {
      X_up.r += q[0] * Vector3<S>{E.xx, E.xy, E.xz} + q[1] * Vector3<S>{E.yx, E.yy, E.yz};
      sin_cos(q[2], s, c);
      turn_z(c, s, X_up.E);
      columns[0] = {{o, o, o}, {c, -s, o}};
      columns[1] = {{o, o, o}, {s, c, o}};
      columns[2] = {{o, o, l}, {o, o, o}};
      const S dx = v[0] * c + v[1] * s, dy = v[1] * c - v[0] * s;  // the velocity of x, y in body coordinates
      cJ.linear.x = v[2] * dy;
      cJ.linear.y = -(v[2] * dx);
      break;
    }
    case JointType::floating:
      X_up.r += q[0] * Vector3<S>{E.xx, E.xy, E.xz} + q[1] * Vector3<S>{E.yx, E.yy, E.yz} +
                q[2] * Vector3<S>{E.zx, E.zy, E.zz};
      X_up.E = rotation_to_child(q + 3) * E;
      break;
    case JointType::revolute:
    case JointType::continuous:
      sin_cos(q[0], s, c);
      turn_z(c, s, X_up.E);
      break;
  }
}

/// The same, X_up by screws where the link is placed by them; cJ only where columns are written. `subspace`: the
/// type's.
template <class S, class Subspace>
KINETREE_INLINE void joint_at(const Subspace&, JointType type, const Link<S>& link, const S* q, const S* v,
                              JointTransform<S>& X_up, Motion<S>* columns, Motion<S>& cJ) {
  if (Subspace::freedoms == 0 || Subspace::freedoms > 2 || !link.axial) {
    X_up.placed = nullptr;
    return joint_at(type, link, q, v, *X_up.general, columns, cJ);
  }
  const ScrewZ<S>& at_zero = link.placement.outboard;
  X_up.placed = &link.placement;
  if constexpr (std::is_same_v<Subspace, Prismatic>) {
    X_up.outboard = {at_zero.c, at_zero.s, at_zero.d + q[0]};
  } else if constexpr (Subspace::freedoms <= 2) {
    S s, c;
    sin_cos(q[0] + link.placement.angle, s, c);
    X_up.outboard = {c, s, at_zero.d};
    if constexpr (!RevoluteSubspace<Subspace>) {
      cJ = {};
      X_up.outboard.d += joint_detail::screw_slide(type, link, q);
      joint_detail::screw_columns(type, link, columns);
    }
  }
}

/// The same of any type.
template <class S>
void joint_at(JointType type, const Link<S>& link, const S* q, const S* v, JointTransform<S>& X_up, Motion<S>* columns,
              Motion<S>& cJ) {
  with_cut_subspace(type, columns, [&](auto subspace) { joint_at(subspace, type, link, q, v, X_up, columns, cJ); });
}

/// X_up of a joint as kernels take it: compiled into those of turns and slides alone.
template <class Subspace, class S>
KINETREE_INLINE decltype(auto) transform_of(const Subspace&, const JointTransform<S>& X_up) {
  if constexpr (RevoluteSubspace<Subspace> || std::is_same_v<Subspace, Prismatic>)
    return (X_up);
  else
    return CalledTransform<S>{X_up};
}

/// T: an orthonormal basis of the joint's constraint forces, 6 - n columns in body coordinates; TᵀS = 0.
template <class S>
void constraint_basis(JointType type, const Link<S>& link, const Motion<S>* columns, Force<S>* T) {
  const S o(0), l(1);
  const Force<S> nx{{l, o, o}, {o, o, o}}, ny{{o, l, o}, {o, o, o}}, nz{{o, o, l}, {o, o, o}};
  const Force<S> fx{{o, o, o}, {l, o, o}}, fy{{o, o, o}, {o, l, o}}, fz{{o, o, o}, {o, o, l}};
  int k = 0;
  const auto put = [&](const Force<S>& t) { T[k++] = t; };
  switch (type) {
    case JointType::prismatic:
      put(nx), put(ny), put(nz), put(fx), put(fy);
      break;
    case JointType::helical: {
      const S p = link.constant[0], w = link.constant[1];  // w = 1 / sqrt(1 + p²), so that T has unit length
      put(nx), put(ny), put(fx), put(fy), put({{o, o, -(p * w)}, {o, o, w}});
      break;
    }
    case JointType::cylindrical:
      put(nx), put(ny), put(fx), put(fy);
      break;
    case JointType::universal: {
      // the common normal of both axes in body coordinates: x turned by the second angle, whose sine and cosine stand
      // in the first column, scaled by the sine of the angle between the axes
      const S k0 = l / link.constant[1];
      put({{columns[0].angular.y * k0, -(columns[0].angular.x * k0), o}, {o, o, o}});
      put(fx), put(fy), put(fz);
      break;
    }
    case JointType::spherical:
      put(fx), put(fy), put(fz);
      break;
    case JointType::planar:
      put(nx), put(ny), put(fz);
      break;
    case JointType::floating:
      break;
    case JointType::fixed:
      put(nx), put(ny), put(nz), put(fx), put(fy), put(fz);
      break;
    case JointType::revolute:
    case JointType::continuous:
      put(nx), put(ny), put(fx), put(fy), put(fz);
      break;
  }
}

/// x := (SᵀS)⁻¹ x, which makes S' = S (SᵀS)⁻¹ of S (Featherstone & Fijany 1999, T'_1 with I_X = 1).
template <class S>
void gram_solve(JointType type, const Link<S>& link, S* x) {
  if (type == JointType::helical) {
    x[0] = x[0] * (link.constant[1] * link.constant[1]);
  } else if (type == JointType::universal) {
    const S c = link.constant[0], k = S(1) / (link.constant[1] * link.constant[1]);
    const S a = k * (x[0] - c * x[1]), b = k * (x[1] - c * x[0]);
    x[0] = a, x[1] = b;
  }
}

/// S' tau as a force in body coordinates.
template <class S>
Force<S> active_force(JointType type, const Link<S>& link, const Motion<S>* columns, const S* tau) {
  S x[6];
  const int n = velocity_count(type);
  for (int k = 0; k < n; ++k) x[k] = tau[k];
  gram_solve(type, link, x);
  Motion<S> m{};
  with_cut_subspace(type, columns, [&](auto subspace) { subspace.add(x, m); });
  return {m.angular, m.linear};
}

/// S'ᵀ m: the joint's share of a relative acceleration.
template <class S>
void joint_share(JointType type, const Link<S>& link, const Motion<S>* columns, const Motion<S>& m, S* out) {
  with_cut_subspace(type, columns, [&](auto subspace) { subspace.transpose_times(m, out); });
  gram_solve(type, link, out);
}

}  // namespace kinetree::inline inner
