#pragma once
// Axial screws: transforms that turn about one axis of the frame and slide along it. A joint transform made of them
// moves an articulated inertia at half the operations of a general transform (McMillan & Orin 1995).

#include <kinetree/spatial/articulated_inertia.hpp>

namespace kinetree {

/// X_b_a of a frame b turned about a's z axis by the angle of cosine c and sine s, its origin at height d on that axis.
template <class S>
struct ScrewZ {
  S c, s, d;

  KINETREE_INLINE explicit operator Transform<S>() const {
    const S o(0), l(1);
    return {{c, s, o, -s, c, o, o, o, l}, {o, o, d}};
  }
};

/// X⁻ᵀ f
template <class S>
KINETREE_INLINE Force<S> inverse_transpose_times(const ScrewZ<S>& X, const Force<S>& f) {
  const Vector3<S>&n = f.moment, &l = f.force;
  const S x = n.x + X.d * l.y, y = n.y - X.d * l.x;
  return {{X.c * x + X.s * y, X.c * y - X.s * x, n.z}, {X.c * l.x + X.s * l.y, X.c * l.y - X.s * l.x, l.z}};
}

namespace screw_detail {

/// The block [xx xy; xy yy] of Eᵀ A E, A symmetric. With w = s (yy - xx) - 2 c xy, c² + s² = 1 leaves four products.
template <class S>
KINETREE_INLINE void turn_block(const S& c, const S& s, S& xx, S& yy, S& xy) {
  const S w = s * (yy - xx) - (c + c) * xy, sw = s * w;
  xx += sw, yy -= sw;
  xy = -(c * w + xy);
}
/// The same of any A.
template <class S>
KINETREE_INLINE void turn_block(const S& c, const S& s, S& xx, S& xy, S& yx, S& yy) {
  const S w = s * (yy - xx) - c * (xy + yx), sw = s * w, old = yx;
  xx += sw, yy -= sw;
  yx = -(c * w + xy);
  xy = -(c * w + old);
}
/// A pair of entries that share the index z: Eᵀ (x, y).
template <class S>
KINETREE_INLINE void turn_pair(const S& c, const S& s, S& x, S& y) {
  const S turned = c * x - s * y;
  y = s * x + c * y;
  x = turned;
}

// The same where all entries with the second index are zero; they fill.
template <class S>
KINETREE_INLINE void fill_pair(const S& c, const S& s, S& x, S& y) {
  y = s * x;
  x = c * x;
}
template <class S>
KINETREE_INLINE void fill_block(const S& c, const S& s, S& xx, S& yy, S& xy) {
  const S w = s * xx;
  xy = c * w;
  yy = s * w;
  xx -= yy;
}
template <class S>
KINETREE_INLINE void fill_block(const S& c, const S& s, S& xx, S& xy, S& yx, S& yy) {
  const S w = s * xx + c * xy, old = xy;
  yy = s * w;
  xy = c * w;
  xx -= yy;
  yx = xy - old;
}

/// X m of a motion, in place; entries along and about the axis stay.
template <class S>
KINETREE_INLINE void move_motion(const S& c, const S& s, const S& d, S& wx, S& wy, S& lx, S& ly) {
  lx += d * wy, ly -= d * wx;
  turn_pair(c, s, wy, wx), turn_pair(c, s, ly, lx);
}
/// Xᵀ f of a force.
template <class S>
KINETREE_INLINE void move_force(const S& c, const S& s, const S& d, S& nx, S& ny, S& lx, S& ly) {
  turn_pair(c, s, lx, ly), turn_pair(c, s, nx, ny);
  nx -= d * ly, ny += d * lx;
}

/// Two rows of a rotation, turned further.
template <class S>
KINETREE_INLINE void turn_rows(const S& c, const S& s, S& xx, S& xy, S& xz, S& yx, S& yy, S& yz) {
  turn_pair(c, s, yx, xx), turn_pair(c, s, yy, xy), turn_pair(c, s, yz, xz);
}

/// The shift of the origin, as congruence(Transform, ...) has it, with r = (0, 0, d).
template <class S>
KINETREE_INLINE void shift_free_turn(const S& d, S& Ixx, S& Iyy, S& Ixy, S& Hxx, S& Hxy, S& Hxz, S& Hyx, S& Hyy, S& Hyz,
                                     const S& Mxx, const S& Myy, const S& Mxy, const S& Mxz, const S& Myz) {
  const S xx = Hxy, yy = Hyx, xy = Hyy;
  Hxx -= d * Mxy, Hxy -= d * Myy, Hxz -= d * Myz;
  Hyx += d * Mxx, Hyy += d * Mxy, Hyz += d * Mxz;
  Ixx -= d * (xx + Hxy), Iyy += d * (yy + Hyx), Ixy += d * (Hxx - xy);
}

/// Xᵀ A X in place for an A whose row z of I and of H is zero; it stays so.
template <class S>
KINETREE_INLINE void move_free_turn(const S& c, const S& s, const S& d, S& Ixx, S& Iyy, S& Ixy,  //
                                    S& Hxx, S& Hxy, S& Hxz, S& Hyx, S& Hyy, S& Hyz,              //
                                    S& Mxx, S& Myy, S& Mxy, S& Mxz, S& Myz) {
  turn_block(c, s, Ixx, Iyy, Ixy);
  turn_block(c, s, Mxx, Myy, Mxy), turn_pair(c, s, Mxz, Myz);
  turn_block(c, s, Hxx, Hxy, Hyx, Hyy), turn_pair(c, s, Hxz, Hyz);
  shift_free_turn(d, Ixx, Iyy, Ixy, Hxx, Hxy, Hxz, Hyx, Hyy, Hyz, Mxx, Myy, Mxy, Mxz, Myz);
}

/// The rest of any A, before that: row z of I and of H, but for the entries zz.
template <class S>
KINETREE_INLINE void shift_row(const S& d, S& Ixz, S& Iyz, const S& Hzx, const S& Hzy) {
  Ixz -= d * Hzy, Iyz += d * Hzx;
}
template <class S>
KINETREE_INLINE void move_row(const S& c, const S& s, const S& d, S& Ixz, S& Iyz, S& Hzx, S& Hzy) {
  turn_pair(c, s, Ixz, Iyz), turn_pair(c, s, Hzx, Hzy);
  shift_row(d, Ixz, Iyz, Hzx, Hzy);
}

/// Moment and inertia of a rigid body about an origin further down on z.
template <class S>
KINETREE_INLINE void shift_rigid(const S& d, const S& mass, const S& hx, const S& hy, S& hz, S& Ixx, S& Iyy, S& Ixz,
                                 S& Iyz) {
  const S further = hz + mass * d, more = d * (hz + further);
  Ixx += more, Iyy += more;
  Ixz -= d * hx, Iyz -= d * hy;
  hz = further;
}
/// Xᵀ A X of a rigid body in place; mass and Izz stay.
template <class S>
KINETREE_INLINE void move_rigid(const S& c, const S& s, const S& d, const S& mass, S& hx, S& hy, S& hz, S& Ixx, S& Iyy,
                                S& Ixy, S& Ixz, S& Iyz) {
  turn_block(c, s, Ixx, Iyy, Ixy), turn_pair(c, s, Ixz, Iyz), turn_pair(c, s, hx, hy);
  shift_rigid(d, mass, hx, hy, hz, Ixx, Iyy, Ixz, Iyz);
}

}  // namespace screw_detail

// In place: m := X m, f := Xᵀ f, T := X T.
template <class S>
KINETREE_INLINE void move_outside(const ScrewZ<S>& X, Motion<S>& m) {
  screw_detail::move_motion(X.c, X.s, X.d, m.angular.x, m.angular.y, m.linear.x, m.linear.y);
}
template <class S>
KINETREE_INLINE void move_inside(const ScrewZ<S>& X, Force<S>& f) {
  screw_detail::move_force(X.c, X.s, X.d, f.moment.x, f.moment.y, f.force.x, f.force.y);
}
template <class S>
KINETREE_INLINE void lead_on(const ScrewZ<S>& X, Transform<S>& T) {
  Matrix3<S>& E = T.E;
  T.r += X.d * Vector3<S>{E.zx, E.zy, E.zz};
  screw_detail::turn_rows(X.c, X.s, E.xx, E.xy, E.xz, E.yx, E.yy, E.yz);
}

/// A := Xᵀ A X of an inertia that no turn about z feels: row z of I and of H is zero, and stays so. What a joint that
/// turns about z leaves of what is outboard of it.
template <class S>
KINETREE_INLINE void move_inside_free_turn(const ScrewZ<S>& X, ArticulatedInertia<S>& A) {
  auto &I = A.I, &M = A.M;
  auto& H = A.H;
  screw_detail::move_free_turn(X.c, X.s, X.d, I.xx, I.yy, I.xy, H.xx, H.xy, H.xz, H.yx, H.yy, H.yz, M.xx, M.yy, M.xy,
                               M.xz, M.yz);
}

/// A := Xᵀ A X
template <class S>
KINETREE_INLINE void move_inside(const ScrewZ<S>& X, ArticulatedInertia<S>& A) {
  screw_detail::move_row(X.c, X.s, X.d, A.I.xz, A.I.yz, A.H.zx, A.H.zy);
  move_inside_free_turn(X, A);
}

/// A := Xᵀ A X of a rigid body, still ten numbers.
template <class S>
KINETREE_INLINE void move_inside(const ScrewZ<S>& X, RigidInertia<S>& A) {
  auto& I = A.I;
  screw_detail::move_rigid(X.c, X.s, X.d, A.mass, A.h.x, A.h.y, A.h.z, I.xx, I.yy, I.xy, I.xz, I.yz);
}

/// A screw about z that does not turn.
template <class S>
struct ShiftZ {
  S d;
};

template <class S>
KINETREE_INLINE void move_outside(const ShiftZ<S>& X, Motion<S>& m) {
  m.linear.x += X.d * m.angular.y, m.linear.y -= X.d * m.angular.x;
}
template <class S>
KINETREE_INLINE void move_inside(const ShiftZ<S>& X, Force<S>& f) {
  f.moment.x -= X.d * f.force.y, f.moment.y += X.d * f.force.x;
}
template <class S>
KINETREE_INLINE void move_inside(const ShiftZ<S>& X, ArticulatedInertia<S>& A) {
  auto& I = A.I;
  auto& H = A.H;
  auto& M = A.M;
  screw_detail::shift_row(X.d, I.xz, I.yz, H.zx, H.zy);
  screw_detail::shift_free_turn(X.d, I.xx, I.yy, I.xy, H.xx, H.xy, H.xz, H.yx, H.yy, H.yz, M.xx, M.yy, M.xy, M.xz,
                                M.yz);
}
template <class S>
KINETREE_INLINE void move_inside(const ShiftZ<S>& X, RigidInertia<S>& A) {
  auto& h = A.h;
  screw_detail::shift_rigid(X.d, A.mass, h.x, h.y, h.z, A.I.xx, A.I.yy, A.I.xz, A.I.yz);
}

/// The same about the x axis: ScrewZ with the axes renamed.
template <class S>
struct ScrewX {
  S c, s, d;

  KINETREE_INLINE ScrewZ<S> renamed() const { return {c, s, d}; }
  KINETREE_INLINE explicit operator Transform<S>() const {
    const S o(0), l(1);
    return {{l, o, o, o, c, s, o, -s, c}, {d, o, o}};
  }
};

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
KINETREE_INLINE void move_outside(const ScrewX<S>& X, Motion<S>& m) {
  screw_detail::move_motion(X.c, X.s, X.d, m.angular.y, m.angular.z, m.linear.y, m.linear.z);
}
template <class S>
KINETREE_INLINE void move_inside(const ScrewX<S>& X, Force<S>& f) {
  screw_detail::move_force(X.c, X.s, X.d, f.moment.y, f.moment.z, f.force.y, f.force.z);
}
/// The same of a force without part along z; it fills.
template <class S>
KINETREE_INLINE void move_inside_across_z(const ScrewX<S>& X, Force<S>& f) {
  screw_detail::fill_pair(X.c, X.s, f.force.y, f.force.z);
  screw_detail::turn_pair(X.c, X.s, f.moment.y, f.moment.z);
  f.moment.y -= X.d * f.force.z, f.moment.z += X.d * f.force.y;
}
template <class S>
KINETREE_INLINE Force<S> inverse_transpose_times(const ScrewX<S>& X, const Force<S>& f) {
  using namespace screw_detail;
  const Force<S> r = inverse_transpose_times(X.renamed(), Force<S>{renamed(f.moment), renamed(f.force)});
  return {named(r.moment), named(r.force)};
}
template <class S>
KINETREE_INLINE void lead_on(const ScrewX<S>& X, Transform<S>& T) {
  Matrix3<S>& E = T.E;
  T.r += X.d * Vector3<S>{E.xx, E.xy, E.xz};
  screw_detail::turn_rows(X.c, X.s, E.yx, E.yy, E.yz, E.zx, E.zy, E.zz);
}
/// A := Xᵀ A X
template <class S>
KINETREE_INLINE void move_inside(const ScrewX<S>& X, ArticulatedInertia<S>& A) {
  auto &I = A.I, &M = A.M;
  auto& H = A.H;
  screw_detail::move_row(X.c, X.s, X.d, I.xy, I.xz, H.xy, H.xz);
  screw_detail::move_free_turn(X.c, X.s, X.d, I.yy, I.zz, I.yz, H.yy, H.yz, H.yx, H.zy, H.zz, H.zx, M.yy, M.zz, M.yz,
                               M.xy, M.xz);
}

/// to := Xᵀ A X; uses A up.
template <class S>
KINETREE_INLINE void move_inside(const ScrewX<S>& X, ArticulatedInertia<S>& A, ArticulatedInertia<S>& to) {
  move_inside(X, A);
  to.M = A.M, to.H = A.H, to.I = A.I;
}

/// to := Xᵀ A X of an A that no turn about z feels; uses A up. Each block is stored as it is found: many stores in a
/// row would hold up the products after them.
template <class S>
KINETREE_INLINE void move_inside_free_turn(const ScrewX<S>& X, ArticulatedInertia<S>& A, ArticulatedInertia<S>& to) {
  using namespace screw_detail;
  auto &I = A.I, &M = A.M;
  auto& H = A.H;
  const S c = X.c, s = X.s, d = X.d;
  turn_block(c, s, M.yy, M.zz, M.yz), turn_pair(c, s, M.xy, M.xz);
  to.M = M;
  turn_pair(c, s, H.xy, H.xz);
  fill_pair(c, s, H.yx, H.zx), fill_pair(c, s, I.xy, I.xz);
  fill_block(c, s, H.yy, H.yz, H.zy, H.zz), fill_block(c, s, I.yy, I.zz, I.yz);
  shift_row(d, I.xy, I.xz, H.xy, H.xz);
  shift_free_turn(d, I.yy, I.zz, I.yz, H.yy, H.yz, H.yx, H.zy, H.zz, H.zx, M.yy, M.zz, M.yz, M.xy, M.xz);
  to.H = H;
  to.I = I;
}

template <class S>
KINETREE_INLINE void move_inside(const ScrewX<S>& X, RigidInertia<S>& A) {
  auto& I = A.I;
  screw_detail::move_rigid(X.c, X.s, X.d, A.mass, A.h.y, A.h.z, A.h.x, I.yy, I.zz, I.yz, I.xy, I.xz);
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

}  // namespace kinetree
