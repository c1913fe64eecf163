#pragma once
// Axial screws: transforms that turn about one axis of the frame and slide along it. A joint transform made of them
// moves an articulated inertia at half the operations of a general transform (McMillan & Orin 1995), and at fewer where
// an axis stands at right angles to the one before, or beside it.

#include "engine/spatial/articulated_inertia.hpp"
#include "engine/spatial/axis.hpp"
#include "engine/spatial/turns.hpp"

namespace kinetree::inline inner {

/// X_b_a of a frame b turned about an axis of frame a by the angle of cosine c and sine s, its origin at height d on
/// that axis.
template <Axis along, class S>
struct Screw {
  static constexpr Axis axis = along;
  S c, s, d;

  KINETREE_INLINE AnyTurn<S> turn() const { return {c, s}; }
  KINETREE_INLINE S slide() const { return d; }
  KINETREE_INLINE explicit operator Transform<S>() const {
    const S o(0), l(1);
    if constexpr (axis == Axis::z)
      return {{c, s, o, -s, c, o, o, o, l}, {o, o, d}};
    else
      return {{l, o, o, o, c, s, o, -s, c}, {d, o, o}};
  }
};
template <class S>
using ScrewZ = Screw<Axis::z, S>;
template <class S>
using ScrewX = Screw<Axis::x, S>;

/// A screw of which a part is known without its numbers.
template <Axis along, class Turn, class Slide>
struct KnownScrew {
  static constexpr Axis axis = along;
  Turn turns;
  Slide slides;
  KINETREE_INLINE Turn turn() const { return turns; }
  KINETREE_INLINE Slide slide() const { return slides; }
};

template <class X>
concept AxialScrew = requires {
  X::axis;
};
template <class X>
concept AboutX = AxialScrew<X> && X::axis == Axis::x;

// ---- in place: m := X m, f := Xᵀ f, T := X T, A := Xᵀ A X -----------------------------------------------------------

template <AxialScrew X, class S>
KINETREE_INLINE void to_child(const X& screw, Motion<S>& m) {
  using E = Entries<X::axis>;
  screw_detail::move_motion(screw.turn(), screw.slide(), E::x(m.angular), E::y(m.angular), E::x(m.linear),
                            E::y(m.linear));
}
template <AxialScrew X, class S>
KINETREE_INLINE void to_parent(const X& screw, Force<S>& f) {
  using E = Entries<X::axis>;
  screw_detail::move_force(screw.turn(), screw.slide(), E::x(f.moment), E::y(f.moment), E::x(f.force), E::y(f.force));
}
template <AxialScrew X, class S>
KINETREE_INLINE void extend(const X& screw, Transform<S>& T) {
  Matrix3<S>& E = T.E;
  if constexpr (X::axis == Axis::z) {
    screw_detail::slide_origin(screw.slide(), E.zx, E.zy, E.zz, T.r);
    screw_detail::turn_rows(screw.turn(), E.xx, E.xy, E.xz, E.yx, E.yy, E.yz);
  } else {
    screw_detail::slide_origin(screw.slide(), E.xx, E.xy, E.xz, T.r);
    screw_detail::turn_rows(screw.turn(), E.yx, E.yy, E.yz, E.zx, E.zy, E.zz);
  }
}
/// Of an inertia that no turn about the axis feels: its rows of I and of H are zero, and stay so.
template <AxialScrew X, class S>
KINETREE_INLINE void to_parent_projected(const X& screw, ArticulatedInertia<S>& A) {
  using E = Entries<X::axis>;
  auto &I = A.I, &M = A.M;
  auto& H = A.H;
  screw_detail::move_projected(screw.turn(), screw.slide(), E::xx(I), E::yy(I), E::xy(I), E::xx(H), E::xy(H), E::xz(H),
                               E::yx(H), E::yy(H), E::yz(H), E::xx(M), E::yy(M), E::xy(M), E::xz(M), E::yz(M));
}
template <AxialScrew X, class S>
KINETREE_INLINE void to_parent(const X& screw, ArticulatedInertia<S>& A) {
  using E = Entries<X::axis>;
  screw_detail::move_row(screw.turn(), screw.slide(), E::xz(A.I), E::yz(A.I), E::zx(A.H), E::zy(A.H));
  to_parent_projected(screw, A);
}
/// Of a rigid body, still ten numbers.
template <AxialScrew X, class S>
KINETREE_INLINE void to_parent(const X& screw, RigidInertia<S>& A) {
  using E = Entries<X::axis>;
  screw_detail::move_rigid(screw.turn(), screw.slide(), A.mass, E::x(A.h), E::y(A.h), E::z(A.h), E::xx(A.I), E::yy(A.I),
                           E::xy(A.I), E::xz(A.I), E::yz(A.I));
}

// ---- about x, of what no turn about z feels: it fills ---------------------------------------------------------------

/// Of a force without part along z.
template <AboutX X, class S>
KINETREE_INLINE void to_parent_across_z(const X& screw, Force<S>& f) {
  screw_detail::fill_pair(screw.turn(), f.force.y, f.force.z);
  screw_detail::turn_pair(screw.turn(), f.moment.y, f.moment.z);
  screw_detail::slide_force(screw.slide(), f.moment.y, f.moment.z, f.force.y, f.force.z);
}
/// to := Xᵀ A X; uses A up.
template <AboutX X, class S>
KINETREE_INLINE void to_parent(const X& screw, ArticulatedInertia<S>& A, ArticulatedInertia<S>& to) {
  to_parent(screw, A);
  to.M = A.M, to.H = A.H, to.I = A.I;
}
/// to := Xᵀ A X of an A that no turn about z feels; uses A up. Each block is stored as it is found: many stores in a
/// row would hold up the products after them.
template <AboutX X, class S>
KINETREE_INLINE void to_parent_projected(const X& screw, ArticulatedInertia<S>& A, ArticulatedInertia<S>& to) {
  using namespace screw_detail;
  auto &I = A.I, &M = A.M;
  auto& H = A.H;
  const auto t = screw.turn();
  const auto d = screw.slide();
  turn_block(t, M.yy, M.zz, M.yz), turn_pair(t, M.xy, M.xz);
  to.M = M;
  turn_pair(t, H.xy, H.xz);
  fill_pair(t, H.yx, H.zx), fill_pair(t, I.xy, I.xz);
  fill_block(t, H.yy, H.yz, H.zy, H.zz), fill_block(t, I.yy, I.zz, I.yz);
  slide_row(d, I.xy, I.xz, H.xy, H.xz);
  slide_projected(d, I.yy, I.zz, I.yz, H.yy, H.yz, H.yx, H.zy, H.zz, H.zx, M.yy, M.zz, M.yz, M.xy, M.xz);
  to.H = H;
  to.I = I;
}

// ---- as values ------------------------------------------------------------------------------------------------------

/// X⁻ᵀ f
template <Axis axis, class S>
KINETREE_INLINE Force<S> inverse_transpose_times(const Screw<axis, S>& X, const Force<S>& f) {
  using E = Entries<axis>;
  const Vector3<S>&n = f.moment, &l = f.force;
  const S x = E::x(n) + X.d * E::y(l), y = E::y(n) - X.d * E::x(l);
  Force<S> moved = f;
  E::x(moved.moment) = X.c * x + X.s * y, E::y(moved.moment) = X.c * y - X.s * x;
  E::x(moved.force) = X.c * E::x(l) + X.s * E::y(l), E::y(moved.force) = X.c * E::y(l) - X.s * E::x(l);
  return moved;
}
/// X m
template <Axis axis, class S>
KINETREE_INLINE Motion<S> operator*(const Screw<axis, S>& X, Motion<S> m) {
  to_child(X, m);
  return m;
}
/// Xᵀ f
template <Axis axis, class S>
KINETREE_INLINE Force<S> transpose_times(const Screw<axis, S>& X, Force<S> f) {
  to_parent(X, f);
  return f;
}

}  // namespace kinetree::inline inner
