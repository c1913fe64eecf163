#pragma once
// The one place that knows loop joints: which forces each transmits, how far from closed it is, and what its velocity
// asks of accelerations. Everything in the first frame's coordinates, about its origin.

#include "engine/model/loops.hpp"
#include "engine/spatial/motion_force.hpp"

namespace kinetree::inline inner {

/// Scalar constraints of a loop joint.
constexpr int constraint_count(LoopType type) {
  constexpr int counts[]{5, 5, 4, 4, 3, 3, 6, 2};
  return counts[static_cast<int>(type)];
}

/// Rows of a loop that are held: all of them, or, where rounding keeps others open, those that are redundant to none.
inline int row_count(const Loop& loop) {
  return loop.rounded ? static_cast<int>(loop.held.size()) : constraint_count(loop.type);
}

/// The second frame seen from the first: X maps motions from the first to the second.
template <class S>
struct LoopPose {
  Transform<S> X;
  Vector3<S> z() const { return {X.E.zx, X.E.zy, X.E.zz}; }  ///< the second frame's z in the first's coordinates
};

namespace loop_detail {

/// Appends unit moments or forces about the named axes.
template <class S>
struct Rows {
  Force<S>* T;
  int count = 0;
  void moment(int axis) { T[count++] = {unit(axis), unit(-1)}; }
  void force(int axis) { T[count++] = {unit(-1), unit(axis)}; }
  static Vector3<S> unit(int axis) { return {S(axis == 0 ? 1 : 0), S(axis == 1 ? 1 : 0), S(axis == 2 ? 1 : 0)}; }
};

}  // namespace loop_detail

/// T: Tᵀ (relative velocity) = 0. constraint_count(type) columns.
template <class S>
void loop_forces(LoopType type, const LoopPose<S>& pose, Force<S>* T) {
  loop_detail::Rows<S> rows{T};
  const auto both = [&](int from, int to, auto&& put) {
    for (int axis = from; axis < to; ++axis) put(axis);
  };
  const auto moment = [&](int axis) { rows.moment(axis); };
  const auto force = [&](int axis) { rows.force(axis); };
  switch (type) {
    case LoopType::revolute:
      both(0, 2, moment), both(0, 3, force);
      break;
    case LoopType::prismatic:
      both(0, 3, moment), both(0, 2, force);
      break;
    case LoopType::cylindrical:
      both(0, 2, moment), both(0, 2, force);
      break;
    case LoopType::universal:
      T[rows.count++] = {cross(loop_detail::Rows<S>::unit(2), pose.z()), loop_detail::Rows<S>::unit(-1)};
      both(0, 3, force);
      break;
    case LoopType::spherical:
      both(0, 3, force);
      break;
    case LoopType::planar:
      both(0, 2, moment), force(2);
      break;
    case LoopType::weld:
      both(0, 3, moment), both(0, 3, force);
      break;
    case LoopType::point_on_line:  // forces across the line, through the second frame's origin
      for (int axis = 0; axis < 2; ++axis) {
        const Vector3<S> f = loop_detail::Rows<S>::unit(axis);
        T[rows.count++] = {cross(pose.X.r, f), f};
      }
      break;
  }
}

/// (dT/dt)ᵀ V, V the second frame's velocity less the first's, where T moves in the first frame; else zero.
template <class S>
void moving_forces(LoopType type, const LoopPose<S>& pose, const Motion<S>& V, S* out) {
  for (int k = 0; k < constraint_count(type); ++k) out[k] = S(0);
  if (type == LoopType::universal) {
    out[0] = dot(cross(loop_detail::Rows<S>::unit(2), cross(V.angular, pose.z())), V.angular);
  } else if (type == LoopType::point_on_line) {
    const Vector3<S> rate = V.linear + cross(V.angular, pose.X.r);
    for (int axis = 0; axis < 2; ++axis) out[axis] = dot(cross(rate, loop_detail::Rows<S>::unit(axis)), V.angular);
  }
}

/// How far the second frame is from where the joint lets it be: rad and m, constraint_count(type) entries, in the order
/// of loop_forces. Turned by more than a right angle counts as 1 rad, so that a joint closed back to front is not
/// closed.
template <class S>
void loop_error(LoopType type, const S& cosine, const LoopPose<S>& pose, S* e) {
  const Vector3<S> z = pose.z(), &p = pose.X.r;
  const Matrix3<S>& E = pose.X.E;
  const S back(1);
  const auto tilt = [&](S* out) {  // of z, about x and y
    const bool turned = z.z < 0;
    out[0] = turned ? back : -z.y, out[1] = turned ? back : z.x;
  };
  const auto turn = [&](S* out) {
    const bool turned = E.xx + E.yy + E.zz < 0;
    out[0] = turned ? back : (E.yz - E.zy) / 2, out[1] = turned ? back : (E.zx - E.xz) / 2;
    out[2] = turned ? back : (E.xy - E.yx) / 2;
  };
  switch (type) {
    case LoopType::revolute:
      tilt(e), e[2] = p.x, e[3] = p.y, e[4] = p.z;
      break;
    case LoopType::prismatic:
      turn(e), e[3] = p.x, e[4] = p.y;
      break;
    case LoopType::cylindrical:
      tilt(e), e[2] = p.x, e[3] = p.y;
      break;
    case LoopType::universal:  // d cos(angle)/dt = -(z x z_second) . omega
      e[0] = cosine - z.z, e[1] = p.x, e[2] = p.y, e[3] = p.z;
      break;
    case LoopType::spherical:
      e[0] = p.x, e[1] = p.y, e[2] = p.z;
      break;
    case LoopType::planar:
      tilt(e), e[2] = p.z;
      break;
    case LoopType::weld:
      turn(e), e[3] = p.x, e[4] = p.y, e[5] = p.z;
      break;
    case LoopType::point_on_line:
      e[0] = p.x, e[1] = p.y;
      break;
  }
}

}  // namespace kinetree::inline inner
