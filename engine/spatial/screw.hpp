#pragma once
// Axial screws: transforms that turn about one axis of the frame and slide along it. A joint transform made of them
// moves an articulated inertia at half the operations of a general transform (McMillan & Orin 1995), and at fewer where
// an axis stands at right angles to the one before, or beside it.

#include "engine/spatial/articulated_inertia.hpp"
#include "engine/spatial/turns.hpp"

namespace kinetree::inline inner {

/// X_b_a of a frame b turned about a's z axis by the angle of cosine c and sine s, its origin at height d on that axis.
template <class S>
struct ScrewZ {
  S c, s, d;

  KINETREE_INLINE AnyTurn<S> turn() const { return {c, s}; }
  KINETREE_INLINE S slide() const { return d; }
  KINETREE_INLINE explicit operator Transform<S>() const {
    const S o(0), l(1);
    return {{c, s, o, -s, c, o, o, o, l}, {o, o, d}};
  }
};

/// The same about the x axis.
template <class S>
struct ScrewX {
  S c, s, d;

  KINETREE_INLINE AnyTurn<S> turn() const { return {c, s}; }
  KINETREE_INLINE S slide() const { return d; }
  KINETREE_INLINE explicit operator Transform<S>() const {
    const S o(0), l(1);
    return {{l, o, o, o, c, s, o, -s, c}, {d, o, o}};
  }
};

/// Screws of which a part is known without its numbers.
template <class Turn, class Slide>
struct PartZ {
  Turn turns;
  Slide slides;
  KINETREE_INLINE Turn turn() const { return turns; }
  KINETREE_INLINE Slide slide() const { return slides; }
};
template <class Turn, class Slide>
struct PartX {
  Turn turns;
  Slide slides;
  KINETREE_INLINE Turn turn() const { return turns; }
  KINETREE_INLINE Slide slide() const { return slides; }
};

namespace screw_detail {
template <class X>
inline constexpr bool about_z = false;
template <class S>
inline constexpr bool about_z<ScrewZ<S>> = true;
template <class Turn, class Slide>
inline constexpr bool about_z<PartZ<Turn, Slide>> = true;
template <class X>
inline constexpr bool about_x = false;
template <class S>
inline constexpr bool about_x<ScrewX<S>> = true;
template <class Turn, class Slide>
inline constexpr bool about_x<PartX<Turn, Slide>> = true;
}  // namespace screw_detail

template <class X>
concept AboutZ = screw_detail::about_z<X>;
template <class X>
concept AboutX = screw_detail::about_x<X>;

// ---- about z. In place: m := X m, f := Xᵀ f, T := X T, A := Xᵀ A X
// ---------------------------------------------------

template <AboutZ Screw, class S>
KINETREE_INLINE void move_outside(const Screw& X, Motion<S>& m) {
  screw_detail::move_motion(X.turn(), X.slide(), m.angular.x, m.angular.y, m.linear.x, m.linear.y);
}
template <AboutZ Screw, class S>
KINETREE_INLINE void move_inside(const Screw& X, Force<S>& f) {
  screw_detail::move_force(X.turn(), X.slide(), f.moment.x, f.moment.y, f.force.x, f.force.y);
}
template <AboutZ Screw, class S>
KINETREE_INLINE void lead_on(const Screw& X, Transform<S>& T) {
  Matrix3<S>& E = T.E;
  screw_detail::slide_origin(X.slide(), E.zx, E.zy, E.zz, T.r);
  screw_detail::turn_rows(X.turn(), E.xx, E.xy, E.xz, E.yx, E.yy, E.yz);
}
/// Of an inertia that no turn about z feels: row z of I and of H is zero, and stays so. What a joint that turns about z
/// leaves of what is outboard of it.
template <AboutZ Screw, class S>
KINETREE_INLINE void move_inside_free_turn(const Screw& X, ArticulatedInertia<S>& A) {
  auto &I = A.I, &M = A.M;
  auto& H = A.H;
  screw_detail::move_free_turn(X.turn(), X.slide(), I.xx, I.yy, I.xy, H.xx, H.xy, H.xz, H.yx, H.yy, H.yz, M.xx, M.yy,
                               M.xy, M.xz, M.yz);
}
template <AboutZ Screw, class S>
KINETREE_INLINE void move_inside(const Screw& X, ArticulatedInertia<S>& A) {
  screw_detail::move_row(X.turn(), X.slide(), A.I.xz, A.I.yz, A.H.zx, A.H.zy);
  move_inside_free_turn(X, A);
}
/// Of a rigid body, still ten numbers.
template <AboutZ Screw, class S>
KINETREE_INLINE void move_inside(const Screw& X, RigidInertia<S>& A) {
  auto& I = A.I;
  screw_detail::move_rigid(X.turn(), X.slide(), A.mass, A.h.x, A.h.y, A.h.z, I.xx, I.yy, I.xy, I.xz, I.yz);
}
/// X⁻ᵀ f
template <class S>
KINETREE_INLINE Force<S> inverse_transpose_times(const ScrewZ<S>& X, const Force<S>& f) {
  const Vector3<S>&n = f.moment, &l = f.force;
  const S x = n.x + X.d * l.y, y = n.y - X.d * l.x;
  return {{X.c * x + X.s * y, X.c * y - X.s * x, n.z}, {X.c * l.x + X.s * l.y, X.c * l.y - X.s * l.x, l.z}};
}

// ---- about x: y, z, x are called x, y, z
// -----------------------------------------------------------------------------

template <AboutX Screw, class S>
KINETREE_INLINE void move_outside(const Screw& X, Motion<S>& m) {
  screw_detail::move_motion(X.turn(), X.slide(), m.angular.y, m.angular.z, m.linear.y, m.linear.z);
}
template <AboutX Screw, class S>
KINETREE_INLINE void move_inside(const Screw& X, Force<S>& f) {
  screw_detail::move_force(X.turn(), X.slide(), f.moment.y, f.moment.z, f.force.y, f.force.z);
}
/// Of a force without part along z; it fills.
template <AboutX Screw, class S>
KINETREE_INLINE void move_inside_across_z(const Screw& X, Force<S>& f) {
  screw_detail::fill_pair(X.turn(), f.force.y, f.force.z);
  screw_detail::turn_pair(X.turn(), f.moment.y, f.moment.z);
  screw_detail::slide_force(X.slide(), f.moment.y, f.moment.z, f.force.y, f.force.z);
}
template <AboutX Screw, class S>
KINETREE_INLINE void lead_on(const Screw& X, Transform<S>& T) {
  Matrix3<S>& E = T.E;
  screw_detail::slide_origin(X.slide(), E.xx, E.xy, E.xz, T.r);
  screw_detail::turn_rows(X.turn(), E.yx, E.yy, E.yz, E.zx, E.zy, E.zz);
}
template <AboutX Screw, class S>
KINETREE_INLINE void move_inside(const Screw& X, ArticulatedInertia<S>& A) {
  auto &I = A.I, &M = A.M;
  auto& H = A.H;
  screw_detail::move_row(X.turn(), X.slide(), I.xy, I.xz, H.xy, H.xz);
  screw_detail::move_free_turn(X.turn(), X.slide(), I.yy, I.zz, I.yz, H.yy, H.yz, H.yx, H.zy, H.zz, H.zx, M.yy, M.zz,
                               M.yz, M.xy, M.xz);
}
/// to := Xᵀ A X; uses A up.
template <AboutX Screw, class S>
KINETREE_INLINE void move_inside(const Screw& X, ArticulatedInertia<S>& A, ArticulatedInertia<S>& to) {
  move_inside(X, A);
  to.M = A.M, to.H = A.H, to.I = A.I;
}
/// to := Xᵀ A X of an A that no turn about z feels; uses A up. Each block is stored as it is found: many stores in a
/// row would hold up the products after them.
template <AboutX Screw, class S>
KINETREE_INLINE void move_inside_free_turn(const Screw& X, ArticulatedInertia<S>& A, ArticulatedInertia<S>& to) {
  using namespace screw_detail;
  auto &I = A.I, &M = A.M;
  auto& H = A.H;
  const auto t = X.turn();
  const auto d = X.slide();
  turn_block(t, M.yy, M.zz, M.yz), turn_pair(t, M.xy, M.xz);
  to.M = M;
  turn_pair(t, H.xy, H.xz);
  fill_pair(t, H.yx, H.zx), fill_pair(t, I.xy, I.xz);
  fill_block(t, H.yy, H.yz, H.zy, H.zz), fill_block(t, I.yy, I.zz, I.yz);
  slide_row(d, I.xy, I.xz, H.xy, H.xz);
  slide_free_turn(d, I.yy, I.zz, I.yz, H.yy, H.yz, H.yx, H.zy, H.zz, H.zx, M.yy, M.zz, M.yz, M.xy, M.xz);
  to.H = H;
  to.I = I;
}
template <AboutX Screw, class S>
KINETREE_INLINE void move_inside(const Screw& X, RigidInertia<S>& A) {
  auto& I = A.I;
  screw_detail::move_rigid(X.turn(), X.slide(), A.mass, A.h.y, A.h.z, A.h.x, I.yy, I.zz, I.yz, I.xy, I.xz);
}

namespace screw_detail {
// y, z, x are called x, y, z; and back
template <class S>
KINETREE_INLINE Vector3<S> renamed(const Vector3<S>& a) {
  return {a.y, a.z, a.x};
}
template <class S>
KINETREE_INLINE Vector3<S> named(const Vector3<S>& a) {
  return {a.z, a.x, a.y};
}
}  // namespace screw_detail

template <class S>
KINETREE_INLINE Force<S> inverse_transpose_times(const ScrewX<S>& X, const Force<S>& f) {
  using namespace screw_detail;
  const ScrewZ<S> about_z{X.c, X.s, X.d};
  const Force<S> r = inverse_transpose_times(about_z, Force<S>{renamed(f.moment), renamed(f.force)});
  return {named(r.moment), named(r.force)};
}

/// X m
template <template <class> class Screw, class S>
KINETREE_INLINE auto operator*(const Screw<S>& X, Motion<S> m) -> decltype(move_outside(X, m), Motion<S>()) {
  move_outside(X, m);
  return m;
}
/// Xᵀ f
template <template <class> class Screw, class S>
KINETREE_INLINE auto transpose_times(const Screw<S>& X, Force<S> f) -> decltype(move_inside(X, f), Force<S>()) {
  move_inside(X, f);
  return f;
}

}  // namespace kinetree::inline inner
