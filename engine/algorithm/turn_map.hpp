#pragma once
// Forces that depend on a turn alone: what a displacement of a joint makes of velocities and of external forces.

#include "engine/spatial/motion_force.hpp"
#include "engine/spatial/vector3.hpp"

namespace kinetree::inline inner {

/// A force that depends on a turn: 6x3.
template <class S>
struct TurnMap {
  Matrix3<S> moment, force;

  KINETREE_INLINE Force<S> operator*(const Vector3<S>& w) const { return {moment * w, force * w}; }
  KINETREE_INLINE TurnMap& operator+=(const TurnMap& b) { return moment += b.moment, force += b.force, *this; }
  /// sᵀ of it
  KINETREE_INLINE Vector3<S> row(const Motion<S>& s) const {
    return transpose_times(moment, s.angular) + transpose_times(force, s.linear);
  }
  /// Adds f rowᵀ.
  KINETREE_INLINE void add(const Force<S>& f, const Vector3<S>& row) {
    const auto onto = [&](const Vector3<S>& a, Matrix3<S>& A) KINETREE_INLINE_LAMBDA {
      A.xx += a.x * row.x, A.xy += a.x * row.y, A.xz += a.x * row.z;
      A.yx += a.y * row.x, A.yy += a.y * row.y, A.yz += a.y * row.z;
      A.zx += a.z * row.x, A.zy += a.z * row.y, A.zz += a.z * row.z;
    };
    onto(f.moment, moment), onto(f.force, force);
  }
  /// Takes moments about a point that is -r from where they are about.
  KINETREE_INLINE void move(const Vector3<S>& r) {
    const auto column = [&](const S& x, const S& y, const S& z, S& to_x, S& to_y, S& to_z) KINETREE_INLINE_LAMBDA {
      const Vector3<S> n = cross(r, Vector3<S>{x, y, z});
      to_x += n.x, to_y += n.y, to_z += n.z;
    };
    column(force.xx, force.yx, force.zx, moment.xx, moment.yx, moment.zx);
    column(force.xy, force.yy, force.zy, moment.xy, moment.yy, moment.zy);
    column(force.xz, force.yz, force.zz, moment.xz, moment.yz, moment.zz);
  }
};

/// Of w -> c p x w, and 2 G w in the moment.
template <class S>
KINETREE_INLINE TurnMap<S> turn_map(const S& g, const Matrix3<S>& G, const S& c, const Vector3<S>& p) {
  const S z(0);
  const Vector3<S> a = c * p;
  return {{g * G.xx, g * G.xy, g * G.xz, g * G.yx, g * G.yy, g * G.yz, g * G.zx, g * G.zy, g * G.zz},
          {z, -a.z, a.y, a.z, z, -a.x, -a.y, a.x, z}};
}

}  // namespace kinetree::inline inner
