#pragma once
// Poses, velocities, accelerations and Jacobians of points on links, momentum and its matrix. A scatter finds where
// every body is in the world; what is asked of a point is then a matter of that point and of the joints inboard of it
// (Featherstone 2008, Sec. 2.8; Orin, Goswami & Lee 2013 for centroidal momentum).

#include <kinetree/link_point.hpp>

#include "engine/algorithm/composite_body.hpp"
#include "engine/algorithm/kinematics.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// A point on a link as kernels see it.
template <class S>
struct BodyPoint {
  int body = -1;   ///< -1: fixed to the ground
  Transform<S> X;  ///< from the body's frame to the link's axes at the point
};

template <class S>
BodyPoint<S> body_point(const ModelData& m, const LinkPoint& point) {
  const Frame& frame = m.frames[at(point.link)];
  const Transform<double> to_point{Matrix3<double>::identity(), {point.offset[0], point.offset[1], point.offset[2]}};
  Link<double> constants;
  constants.X_tree = to_point * frame.X_frame_body;
  return {frame.body, cast<S>(constants).X_tree};
}

/// Bodies that are asked for, with all that carry them.
struct AskedBodies {
  std::vector<char> asked;  ///< over bodies

  bool operator[](int body) const { return asked[at(body)] != 0; }
  /// The bodies of a segment that are asked for: its first ones.
  Segment part_of(Segment segment) const {
    while (segment.end > segment.begin && !(*this)[segment.last()]) --segment.end;
    return segment;
  }
};

struct AllBodies {
  bool operator[](int) const { return true; }
};

/// Scatter: X_world of those bodies of a module that are asked for, from the world's frame to the body's; its r is the
/// body's origin.
template <class S, class Bodies = AllBodies>
void world_transforms(const Context<S>& x, const Kinematics<S>& k, std::vector<Transform<S>>& X_world, int step,
                      const Bodies& asked = {}) {
  Transform<S> X = Transform<S>::identity();
  int before = -1;
  outwards(*x.modules, x.module_of_step(step), [&](int i) KINETREE_INLINE_LAMBDA {
    if (!asked[i]) return;
    const int p = x.parent(i);
    if (p != before) p < 0 ? X = Transform<S>::identity() : (X.take(X_world[at(p)]), X);
    extend(k.X_up[at(i)], X);
    X_world[at(i)].take(X);
    before = i;
  });
}

/// From the world's frame to a point's.
template <class S>
Transform<S> world_transform(const std::vector<Transform<S>>& X_world, const BodyPoint<S>& point) {
  return point.body < 0 ? point.X : point.X * X_world[at(point.body)];
}

/// From the origin of the body's own link to where a force given in `axes` acts (the point; Axes::world: the world's
/// origin): r (m), in world axes; E turns world axes to the force's. At a point X_world.r is not read, so that a
/// body far from the world's origin loses no digits. `origin`: Link::origin.
template <class S>
Transform<S> lever_arm(Axes axes, const Transform<S>& X_world, const S& origin, const BodyPoint<S>& point) {
  const Vector3<S> at_body = transpose_times(X_world.E, Vector3<S>{S(0), S(0), origin});
  if (axes == Axes::world) return {Matrix3<S>::identity(), S(-1) * (X_world.r + at_body)};
  const Vector3<S> arm = transpose_times(X_world.E, point.X.r) - at_body;
  return {axes == Axes::link ? point.X.E * X_world.E : Matrix3<S>::identity(), arm};
}

/// Expresses in `axes` a point's velocity `v`, given in its link's axes. `X`: from the world to the point.
template <class S>
Motion<S> velocity_in(Axes axes, const Transform<S>& X, const Motion<S>& v) {
  return axes == Axes::link ? v : axes == Axes::world ? inverse_times(X, v) : turned_back(X, v);
}

/// The rate of velocity_in. `a`: that of v in the link's axes (a spatial acceleration).
template <class S>
Motion<S> acceleration_in(Axes axes, const Transform<S>& X, const Motion<S>& v, Motion<S> a) {
  if (axes == Axes::world_aligned) a.linear += cross(v.angular, v.linear);
  return velocity_in(axes, X, a);
}

template <class S>
void write(const Vector3<S>& a, S* out) {
  out[0] = a.x, out[1] = a.y, out[2] = a.z;
}
template <class S>
void write(const Motion<S>& m, S* out) {
  write(m.angular, out), write(m.linear, out + 3);
}
/// The axes of the point's frame in world coordinates, one after the other, and its origin.
template <class S>
void write_pose(const Transform<S>& X, S* out) {
  const Matrix3<S>& E = X.E;
  write(Vector3<S>{E.xx, E.xy, E.xz}, out), write(Vector3<S>{E.yx, E.yy, E.yz}, out + 3);
  write(Vector3<S>{E.zx, E.zy, E.zz}, out + 6), write(X.r, out + 9);
}

/// Calls use(v, S e_v) for the velocities v of the joint that carries body i: its columns of S, body coordinates.
template <class S, class Use>
void for_columns_of_joint(const Context<S>& x, const Kinematics<S>& k, int i, Use&& use) {
  with_subspace(x, k, i, [&](auto subspace) {
    constexpr int n = decltype(subspace)::freedoms;
    for (int c = 0; c < n; ++c) {
      S unit[n];
      for (int r = 0; r < n; ++r) unit[r] = S(r == c ? 1 : 0);
      Motion<S> column{};
      subspace.add(unit, column);
      use(x.v_index(i) + c, column);
    }
  });
}

/// Each: S of those joints of a module in world coordinates, about the world's origin. Every Jacobian is a choice among
/// them.
template <class S, class Bodies = AllBodies>
void world_columns(const Context<S>& x, const Kinematics<S>& k, const std::vector<Transform<S>>& X_world,
                   std::vector<Motion<S>>& columns, int step, const Bodies& asked = {}) {
  outwards(*x.modules, x.module_of_step(step), [&](int i) {
    if (!asked[i]) return;
    for_columns_of_joint(x, k, i,
                         [&](int v, const Motion<S>& S_v) { columns[at(v)] = inverse_times(X_world[at(i)], S_v); });
  });
}

/// A column of world_columns as a Jacobian of a point has it.
template <class S>
Motion<S> column_at(Axes axes, const Transform<S>& X, const Motion<S>& column) {
  if (axes == Axes::world) return column;
  if (axes == Axes::link) return X * column;
  return {column.angular, column.linear - cross(X.r, column.angular)};
}

/// A body's momentum, or any force on it, in world axes about the world's origin.
template <class S>
Force<S> force_in_world(const Transform<S>& X_world, const Force<S>& f) {
  return transpose_times(X_world, f);
}

/// Adds a body's mass times the place of its centre of mass, in world axes.
template <class S>
KINETREE_INLINE void add_moment(const Transform<S>& X_world, const RigidInertia<S>& I, Vector3<S>& moment) {
  moment += transpose_times(X_world.E, I.h) + I.mass * X_world.r;
}

/// About the centre of mass `c`.
template <class S>
Force<S> about(const Vector3<S>& c, const Force<S>& f) {
  return {f.moment - cross(c, f.force), f.force};
}

}  // namespace kinetree::inline inner
