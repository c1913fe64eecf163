#pragma once
// What a screw about an axis does to entries in the plane across that axis, called x and y, and to those that share the
// index z with them: a turn by any angle, by a right angle, which only renames entries, or none; then a slide, or none.

#include "engine/spatial/vector3.hpp"

namespace kinetree::inline inner {

/// A turn by the angle of cosine c and sine s.
template <class S>
struct AnyTurn {
  S c, s;
};
/// By a right angle: c = 0, s = 1.
struct SquareTurn {};
struct BackTurn {};  ///< the other way: c = 0, s = -1
struct HalfTurn {};  ///< c = -1, s = 0
struct NoTurn {};
struct NoSlide {};

namespace screw_detail {

// ---- the block [xx xy; xy yy] of Eᵀ A E, A symmetric ----------------------------------------------------------------

/// With w = s (yy - xx) - 2 c xy, c² + s² = 1 leaves four products.
template <class S>
KINETREE_INLINE void turn_block(const AnyTurn<S>& t, S& xx, S& yy, S& xy) {
  const S w = t.s * (yy - xx) - (t.c + t.c) * xy, sw = t.s * w;
  xx += sw, yy -= sw;
  xy = -(t.c * w + xy);
}
template <class S>
KINETREE_INLINE void turn_block(SquareTurn, S& xx, S& yy, S& xy) {
  const S old = xx;
  xx = yy, yy = old;
  xy = -xy;
}
template <class S>
KINETREE_INLINE void turn_block(BackTurn, S& xx, S& yy, S& xy) {
  turn_block(SquareTurn{}, xx, yy, xy);
}
template <class S>
KINETREE_INLINE void turn_block(HalfTurn, S&, S&, S&) {}
template <class S>
KINETREE_INLINE void turn_block(NoTurn, S&, S&, S&) {}

// ---- the same of any A ----------------------------------------------------------------------------------------------

template <class S>
KINETREE_INLINE void turn_block(const AnyTurn<S>& t, S& xx, S& xy, S& yx, S& yy) {
  const S w = t.s * (yy - xx) - t.c * (xy + yx), sw = t.s * w, old = yx;
  xx += sw, yy -= sw;
  yx = -(t.c * w + xy);
  xy = -(t.c * w + old);
}
template <class S>
KINETREE_INLINE void turn_block(SquareTurn, S& xx, S& xy, S& yx, S& yy) {
  const S old_xx = xx, old_yx = yx;
  xx = yy, yy = old_xx;
  yx = -xy, xy = -old_yx;
}
template <class S>
KINETREE_INLINE void turn_block(BackTurn, S& xx, S& xy, S& yx, S& yy) {
  turn_block(SquareTurn{}, xx, xy, yx, yy);
}
template <class S>
KINETREE_INLINE void turn_block(HalfTurn, S&, S&, S&, S&) {}
template <class S>
KINETREE_INLINE void turn_block(NoTurn, S&, S&, S&, S&) {}

// ---- a pair of entries that share the index z: Eᵀ (x, y) ------------------------------------------------------------

template <class S>
KINETREE_INLINE void turn_pair(const AnyTurn<S>& t, S& x, S& y) {
  const S turned = t.c * x - t.s * y;
  y = t.s * x + t.c * y;
  x = turned;
}
template <class S>
KINETREE_INLINE void turn_pair(SquareTurn, S& x, S& y) {
  const S old = x;
  x = -y, y = old;
}
template <class S>
KINETREE_INLINE void turn_pair(BackTurn, S& x, S& y) {
  const S old = x;
  x = y, y = -old;
}
template <class S>
KINETREE_INLINE void turn_pair(HalfTurn, S& x, S& y) {
  x = -x, y = -y;
}
template <class S>
KINETREE_INLINE void turn_pair(NoTurn, S&, S&) {}

// ---- the same where all entries with the second index are zero; they fill, and are not read -------------------------

template <class S>
KINETREE_INLINE void fill_pair(const AnyTurn<S>& t, S& x, S& y) {
  y = t.s * x;
  x = t.c * x;
}
template <class S>
KINETREE_INLINE void fill_pair(SquareTurn, S& x, S& y) {
  y = x, x = S(0);
}
template <class S>
KINETREE_INLINE void fill_pair(NoTurn, S&, S& y) {
  y = S(0);
}
template <class S>
KINETREE_INLINE void fill_block(const AnyTurn<S>& t, S& xx, S& yy, S& xy) {
  const S w = t.s * xx;
  xy = t.c * w;
  yy = t.s * w;
  xx -= yy;
}
template <class S>
KINETREE_INLINE void fill_block(SquareTurn, S& xx, S& yy, S& xy) {
  yy = xx, xx = xy = S(0);
}
template <class S>
KINETREE_INLINE void fill_block(NoTurn, S&, S& yy, S& xy) {
  yy = xy = S(0);
}
template <class S>
KINETREE_INLINE void fill_block(const AnyTurn<S>& t, S& xx, S& xy, S& yx, S& yy) {
  const S w = t.s * xx + t.c * xy, old = xy;
  yy = t.s * w;
  xy = t.c * w;
  xx -= yy;
  yx = xy - old;
}
template <class S>
KINETREE_INLINE void fill_block(SquareTurn, S& xx, S& xy, S& yx, S& yy) {
  yy = xx, yx = -xy;
  xx = xy = S(0);
}
template <class S>
KINETREE_INLINE void fill_block(NoTurn, S&, S&, S& yx, S& yy) {
  yx = yy = S(0);
}

// ---- slides ---------------------------------------------------------------------------------------------------------

/// X m of a motion
template <class S>
KINETREE_INLINE void slide_motion(const S& d, const S& wx, const S& wy, S& lx, S& ly) {
  lx += d * wy, ly -= d * wx;
}
template <class S>
KINETREE_INLINE void slide_motion(NoSlide, const S&, const S&, S&, S&) {}

/// Xᵀ f of a force
template <class S>
KINETREE_INLINE void slide_force(const S& d, S& nx, S& ny, const S& lx, const S& ly) {
  nx -= d * ly, ny += d * lx;
}
template <class S>
KINETREE_INLINE void slide_force(NoSlide, S&, S&, const S&, const S&) {}

/// Xᵀ A X of an A whose row z of I and of H is zero, as congruence(Transform, ...) has it, with r = (0, 0, d).
template <class S>
KINETREE_INLINE void slide_projected(const S& d, S& Ixx, S& Iyy, S& Ixy, S& Hxx, S& Hxy, S& Hxz, S& Hyx, S& Hyy, S& Hyz,
                                     const S& Mxx, const S& Myy, const S& Mxy, const S& Mxz, const S& Myz) {
  const S xx = Hxy, yy = Hyx, xy = Hyy;
  Hxx -= d * Mxy, Hxy -= d * Myy, Hxz -= d * Myz;
  Hyx += d * Mxx, Hyy += d * Mxy, Hyz += d * Mxz;
  Ixx -= d * (xx + Hxy), Iyy += d * (yy + Hyx), Ixy += d * (Hxx - xy);
}
template <class S>
KINETREE_INLINE void slide_projected(NoSlide, S&, S&, S&, S&, S&, S&, S&, S&, S&, const S&, const S&, const S&,
                                     const S&, const S&) {}

/// The rest of any A, before that: row z of I and of H, but for the entries zz.
template <class S>
KINETREE_INLINE void slide_row(const S& d, S& Ixz, S& Iyz, const S& Hzx, const S& Hzy) {
  Ixz -= d * Hzy, Iyz += d * Hzx;
}
template <class S>
KINETREE_INLINE void slide_row(NoSlide, S&, S&, const S&, const S&) {}

/// Moment and inertia of a rigid body about an origin further down on z.
template <class S>
KINETREE_INLINE void slide_rigid(const S& d, const S& mass, const S& hx, const S& hy, S& hz, S& Ixx, S& Iyy, S& Ixz,
                                 S& Iyz) {
  const S further = hz + mass * d, more = d * (hz + further);
  Ixx += more, Iyy += more;
  Ixz -= d * hx, Iyz -= d * hy;
  hz = further;
}
template <class S>
KINETREE_INLINE void slide_rigid(NoSlide, const S&, const S&, const S&, S&, S&, S&, S&, S&) {}

/// An origin along the axis with these coordinates.
template <class S>
KINETREE_INLINE void slide_origin(const S& d, const S& x, const S& y, const S& z, Vector3<S>& r) {
  r += d * Vector3<S>{x, y, z};
}
template <class S>
KINETREE_INLINE void slide_origin(NoSlide, const S&, const S&, const S&, Vector3<S>&) {}

// ---- both, in place -------------------------------------------------------------------------------------------------

/// X m of a motion; entries along and about the axis stay.
template <class Turn, class Slide, class S>
KINETREE_INLINE void move_motion(const Turn& t, const Slide& d, S& wx, S& wy, S& lx, S& ly) {
  slide_motion(d, wx, wy, lx, ly);
  turn_pair(t, wy, wx), turn_pair(t, ly, lx);
}
/// Xᵀ f of a force.
template <class Turn, class Slide, class S>
KINETREE_INLINE void move_force(const Turn& t, const Slide& d, S& nx, S& ny, S& lx, S& ly) {
  turn_pair(t, lx, ly), turn_pair(t, nx, ny);
  slide_force(d, nx, ny, lx, ly);
}
/// Two rows of a rotation, turned further.
template <class Turn, class S>
KINETREE_INLINE void turn_rows(const Turn& t, S& xx, S& xy, S& xz, S& yx, S& yy, S& yz) {
  turn_pair(t, yx, xx), turn_pair(t, yy, xy), turn_pair(t, yz, xz);
}
/// Xᵀ A X of an A whose row z of I and of H is zero; it stays so.
template <class Turn, class Slide, class S>
KINETREE_INLINE void move_projected(const Turn& t, const Slide& d, S& Ixx, S& Iyy, S& Ixy,  //
                                    S& Hxx, S& Hxy, S& Hxz, S& Hyx, S& Hyy, S& Hyz,         //
                                    S& Mxx, S& Myy, S& Mxy, S& Mxz, S& Myz) {
  turn_block(t, Ixx, Iyy, Ixy);
  turn_block(t, Mxx, Myy, Mxy), turn_pair(t, Mxz, Myz);
  turn_block(t, Hxx, Hxy, Hyx, Hyy), turn_pair(t, Hxz, Hyz);
  slide_projected(d, Ixx, Iyy, Ixy, Hxx, Hxy, Hxz, Hyx, Hyy, Hyz, Mxx, Myy, Mxy, Mxz, Myz);
}
/// The rest of any A, before that.
template <class Turn, class Slide, class S>
KINETREE_INLINE void move_row(const Turn& t, const Slide& d, S& Ixz, S& Iyz, S& Hzx, S& Hzy) {
  turn_pair(t, Ixz, Iyz), turn_pair(t, Hzx, Hzy);
  slide_row(d, Ixz, Iyz, Hzx, Hzy);
}
/// Xᵀ A X of a rigid body; mass and Izz stay.
template <class Turn, class Slide, class S>
KINETREE_INLINE void move_rigid(const Turn& t, const Slide& d, const S& mass, S& hx, S& hy, S& hz, S& Ixx, S& Iyy,
                                S& Ixy, S& Ixz, S& Iyz) {
  turn_block(t, Ixx, Iyy, Ixy), turn_pair(t, Ixz, Iyz), turn_pair(t, hx, hy);
  slide_rigid(d, mass, hx, hy, hz, Ixx, Iyy, Ixz, Iyz);
}

}  // namespace screw_detail
}  // namespace kinetree::inline inner
