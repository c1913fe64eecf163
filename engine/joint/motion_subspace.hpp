#pragma once
// Motion subspaces: all that kernels see of a joint. Those that are axes of the frame know which entries they touch.

#include <kinetree/joint_type.hpp>
#include <type_traits>

#include "engine/spatial/articulated_inertia.hpp"

namespace kinetree::inline inner {

/// S of a joint that turns about z.
struct Revolute {
  static constexpr int freedoms = 1;
  static constexpr bool constant = true;  ///< in body coordinates: cJ is zero
  /// P c of a c = v x S: it has no entries about and along z.
  template <class S>
  KINETREE_INLINE static Force<S> times_bias(const ArticulatedInertia<S>& P, const Motion<S>& c) {
    Force<S> f = times_bias_across(P, c);
    f.moment.z = P.I.xz * c.angular.x + P.I.yz * c.angular.y + P.H.zx * c.linear.x + P.H.zy * c.linear.y;
    return f;
  }
  /// The same where no turn about the axis is felt by P: nothing about the axis.
  template <class S>
  KINETREE_INLINE static Force<S> times_bias_across(const ArticulatedInertia<S>& P, const Motion<S>& c) {
    const auto &I = P.I, &M = P.M;
    const auto& H = P.H;
    const S &a = c.angular.x, &b = c.angular.y, &x = c.linear.x, &y = c.linear.y;
    return {{I.xx * a + I.xy * b + H.xx * x + H.xy * y, I.xy * a + I.yy * b + H.yx * x + H.yy * y, S(0)},
            {H.xx * a + H.yx * b + M.xx * x + M.xy * y, H.xy * a + H.yy * b + M.xy * x + M.yy * y,
             H.xz * a + H.yz * b + M.xz * x + M.yz * y}};
  }
  template <class S>
  KINETREE_INLINE static Force<S> times_bias(const RigidInertia<S>& R, const Motion<S>& c) {
    const auto& I = R.I;
    const auto& h = R.h;
    const S &a = c.angular.x, &b = c.angular.y, &x = c.linear.x, &y = c.linear.y;
    return {{I.xx * a + I.xy * b - h.z * y, I.xy * a + I.yy * b + h.z * x, I.xz * a + I.yz * b + h.x * y - h.y * x},
            {R.mass * x + h.z * b, R.mass * y - h.z * a, h.y * a - h.x * b}};
  }
  template <class S>
  static void add(const S* x, Motion<S>& m) {
    m.angular.z += x[0];
  }
  template <class S>
  static void transpose_times(const Force<S>& f, S* out) {
    out[0] = f.moment.z;
  }
  template <class S>
  static void transpose_times(const Motion<S>& m, S* out) {
    out[0] = m.angular.z;
  }
  template <class S>
  static Motion<S> cross_product(const Motion<S>& v, const S* x) {
    return {{v.angular.y * x[0], -(v.angular.x * x[0]), S(0)}, {v.linear.y * x[0], -(v.linear.x * x[0]), S(0)}};
  }
  template <class A, class S>
  static void image(const A& P, Force<S>* U) {
    U[0] = {{P.I.xz, P.I.yz, P.I.zz}, {P.H.zx, P.H.zy, P.H.zz}};
  }
  template <class S>
  static void image(const RigidInertia<S>& R, Force<S>* U) {
    U[0] = {{R.I.xz, R.I.yz, R.I.zz}, {-R.h.y, R.h.x, S(0)}};
  }
};

/// A joint that turns about z and does nothing else.
template <class Subspace>
concept RevoluteSubspace = std::is_same_v<std::remove_cvref_t<Subspace>, Revolute>;

/// c := v x vJ, or c += v x vJ where c has cJ already, which is zero of constant columns. Entries that are always zero
/// are left as they stand.
template <class Subspace, class S>
KINETREE_INLINE void add_cross_product(const Subspace& subspace, const Motion<S>& v, const S* x, Motion<S>& c) {
  const Motion<S> m = subspace.cross_product(v, x);
  if constexpr (RevoluteSubspace<Subspace>)
    c.angular.x = m.angular.x, c.angular.y = m.angular.y, c.linear.x = m.linear.x, c.linear.y = m.linear.y;
  else if constexpr (Subspace::constant)
    c = m;
  else
    c += m;
}

/// a += c of a joint's velocity-product acceleration.
template <class Subspace, class S>
KINETREE_INLINE void add_bias(const Subspace&, const Motion<S>& c, Motion<S>& a) {
  if constexpr (RevoluteSubspace<Subspace>)
    a.angular.x += c.angular.x, a.angular.y += c.angular.y, a.linear.x += c.linear.x, a.linear.y += c.linear.y;
  else
    a += c;
}

/// The force P c that a joint's velocity-product acceleration asks of an inertia.
template <class Subspace, class Inertia, class S>
KINETREE_INLINE Force<S> bias_force(const Subspace&, const Inertia& P, const Motion<S>& c) {
  if constexpr (RevoluteSubspace<Subspace>)
    return Revolute::times_bias(P, c);
  else
    return P * c;
}

/// The power of a force at a joint's velocity-product acceleration.
template <class Subspace, class S>
KINETREE_INLINE S bias_power(const Subspace&, const Motion<S>& c, const Force<S>& f) {
  if constexpr (RevoluteSubspace<Subspace>)
    return c.angular.x * f.moment.x + c.angular.y * f.moment.y + c.linear.x * f.force.x + c.linear.y * f.force.y;
  else
    return dot(c, f);
}

/// S of a joint that slides along z.
struct Prismatic {
  static constexpr int freedoms = 1;
  static constexpr bool constant = true;
  template <class S>
  static void add(const S* x, Motion<S>& m) {
    m.linear.z += x[0];
  }
  template <class S>
  static void transpose_times(const Force<S>& f, S* out) {
    out[0] = f.force.z;
  }
  template <class S>
  static void transpose_times(const Motion<S>& m, S* out) {
    out[0] = m.linear.z;
  }
  template <class S>
  static Motion<S> cross_product(const Motion<S>& v, const S* x) {
    return {{S(0), S(0), S(0)}, {v.angular.y * x[0], -(v.angular.x * x[0]), S(0)}};
  }
  template <class A, class S>
  static void image(const A& P, Force<S>* U) {
    U[0] = {{P.H.xz, P.H.yz, P.H.zz}, {P.M.xz, P.M.yz, P.M.zz}};
  }
  template <class S>
  static void image(const RigidInertia<S>& R, Force<S>* U) {
    U[0] = {{R.h.y, -R.h.x, S(0)}, {S(0), S(0), R.mass}};
  }
};

/// S of a ball: body angular velocity.
struct Spherical {
  static constexpr int freedoms = 3;
  static constexpr bool constant = true;
  template <class S>
  static void add(const S* x, Motion<S>& m) {
    m.angular += Vector3<S>{x[0], x[1], x[2]};
  }
  template <class S>
  static void transpose_times(const Force<S>& f, S* out) {
    out[0] = f.moment.x, out[1] = f.moment.y, out[2] = f.moment.z;
  }
  template <class S>
  static void transpose_times(const Motion<S>& m, S* out) {
    out[0] = m.angular.x, out[1] = m.angular.y, out[2] = m.angular.z;
  }
  template <class S>
  static Motion<S> cross_product(const Motion<S>& v, const S* x) {
    const Vector3<S> w{x[0], x[1], x[2]};
    return {cross(v.angular, w), cross(v.linear, w)};
  }
  template <class A, class S>
  static void image(const A& P, Force<S>* U) {
    U[0] = {{P.I.xx, P.I.xy, P.I.xz}, {P.H.xx, P.H.xy, P.H.xz}};
    U[1] = {{P.I.xy, P.I.yy, P.I.yz}, {P.H.yx, P.H.yy, P.H.yz}};
    U[2] = {{P.I.xz, P.I.yz, P.I.zz}, {P.H.zx, P.H.zy, P.H.zz}};
  }
  template <class S>
  static void image(const RigidInertia<S>& R, Force<S>* U) {
    U[0] = {{R.I.xx, R.I.xy, R.I.xz}, {S(0), -R.h.z, R.h.y}};
    U[1] = {{R.I.xy, R.I.yy, R.I.yz}, {R.h.z, S(0), -R.h.x}};
    Revolute::image(R, U + 2);
  }
};

/// S of a floating body: its velocity in its own frame, linear part first.
struct Floating {
  static constexpr int freedoms = 6;
  static constexpr bool constant = true;
  template <class S>
  static void add(const S* x, Motion<S>& m) {
    m += motion(x);
  }
  template <class S>
  static void transpose_times(const Force<S>& f, S* out) {
    out[0] = f.force.x, out[1] = f.force.y, out[2] = f.force.z;
    Spherical::transpose_times(f, out + 3);
  }
  template <class S>
  static void transpose_times(const Motion<S>& m, S* out) {
    out[0] = m.linear.x, out[1] = m.linear.y, out[2] = m.linear.z;
    Spherical::transpose_times(m, out + 3);
  }
  template <class S>
  static Motion<S> cross_product(const Motion<S>& v, const S* x) {
    return cross(v, motion(x));
  }
  template <class A, class S>
  static void image(const A& P, Force<S>* U) {
    U[0] = {{P.H.xx, P.H.yx, P.H.zx}, {P.M.xx, P.M.xy, P.M.xz}};
    U[1] = {{P.H.xy, P.H.yy, P.H.zy}, {P.M.xy, P.M.yy, P.M.yz}};
    U[2] = {{P.H.xz, P.H.yz, P.H.zz}, {P.M.xz, P.M.yz, P.M.zz}};
    Spherical::image(P, U + 3);
  }
  template <class S>
  static void image(const RigidInertia<S>& R, Force<S>* U) {
    U[0] = {{S(0), R.h.z, -R.h.y}, {R.mass, S(0), S(0)}};
    U[1] = {{-R.h.z, S(0), R.h.x}, {S(0), R.mass, S(0)}};
    Prismatic::image(R, U + 2);
    Spherical::image(R, U + 3);
  }

  /// S tau, which is S' tau too: the force of a joint that holds nothing back.
  template <class S>
  static Force<S> force(const S* tau) {
    return {{tau[3], tau[4], tau[5]}, {tau[0], tau[1], tau[2]}};
  }

 private:
  template <class S>
  static Motion<S> motion(const S* x) {
    return {{x[3], x[4], x[5]}, {x[0], x[1], x[2]}};
  }
};

/// A joint that holds nothing back.
template <class Subspace>
concept FloatingSubspace = std::is_same_v<std::remove_cvref_t<Subspace>, Floating>;

/// S of any other joint, column by column.
template <class S, int n>
struct GeneralSubspace {
  static constexpr int freedoms = n;
  static constexpr bool constant = false;
  const Motion<S>* column;
  void add(const S* x, Motion<S>& m) const {
    for (int k = 0; k < n; ++k) m += x[k] * column[k];
  }
  void transpose_times(const Force<S>& f, S* out) const {
    for (int k = 0; k < n; ++k) out[k] = dot(column[k], f);
  }
  void transpose_times(const Motion<S>& m, S* out) const {
    for (int k = 0; k < n; ++k) out[k] = dot(column[k].angular, m.angular) + dot(column[k].linear, m.linear);
  }
  Motion<S> cross_product(const Motion<S>& v, const S* x) const {
    Motion<S> m{};
    add(x, m);
    return cross(v, m);
  }
  template <class A>
  void image(const A& P, Force<S>* U) const {
    for (int k = 0; k < n; ++k) U[k] = P * column[k];
  }
};

/// S of a weld: it moves nothing.
struct Welded {
  static constexpr int freedoms = 0;
  static constexpr bool constant = true;
  template <class S>
  static void add(const S*, Motion<S>&) {}
  template <class S>
  static void transpose_times(const Motion<S>&, S*) {}
};

/// Calls `use` with the subspace of a joint; `columns` are its columns of S, read by GeneralSubspace alone.
template <class S, class Use>
decltype(auto) with_subspace(JointType type, const Motion<S>* columns, Use&& use) {
  switch (type) {
    case JointType::prismatic:
      return use(Prismatic{});
    case JointType::helical:
      return use(GeneralSubspace<S, 1>{columns});
    case JointType::cylindrical:
    case JointType::universal:
      return use(GeneralSubspace<S, 2>{columns});
    case JointType::planar:
      return use(GeneralSubspace<S, 3>{columns});
    case JointType::spherical:
      return use(Spherical{});
    case JointType::floating:
      return use(Floating{});
    case JointType::revolute:
    case JointType::continuous:
    case JointType::fixed:  // none is swept: with_cut_subspace
      break;
  }
  return use(Revolute{});
}

/// The same where the joint may be a weld, which is always cut: for kernels that meet cut joints.
template <class S, class Use>
decltype(auto) with_cut_subspace(JointType type, const Motion<S>* columns, Use&& use) {
  return type == JointType::fixed ? use(Welded{}) : with_subspace(type, columns, use);
}

}  // namespace kinetree::inline inner
