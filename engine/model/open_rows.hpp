#pragma once
// The rows of a loop joint that can't be closed altogether, since the numbers of its file are rounded. T of
// loop_joint.hpp is the derivative of the errors where all of them vanish; here it is everywhere, so that rows held
// while others stay open hold positions and velocities alike, and energy with them. Coordinates and order of rows are
// those of loop_joint.hpp.

#include <array>

#include "engine/model/loop_joint.hpp"

namespace kinetree::inline inner {

/// What a row of a loop joint holds: tilts of z about x and y; turns about the axes; the angle between the axes; the
/// second frame's origin along the axes.
enum class RowKind { tilt_x, tilt_y, turn_x, turn_y, turn_z, angle, along_x, along_y, along_z };

/// The rows of a type, constraint_count(type) of them.
inline std::array<RowKind, 6> row_kinds(LoopType type) {
  using enum RowKind;
  switch (type) {
    case LoopType::revolute:
      return {tilt_x, tilt_y, along_x, along_y, along_z};
    case LoopType::prismatic:
      return {turn_x, turn_y, turn_z, along_x, along_y};
    case LoopType::cylindrical:
      return {tilt_x, tilt_y, along_x, along_y};
    case LoopType::universal:
      return {angle, along_x, along_y, along_z};
    case LoopType::spherical:
      return {along_x, along_y, along_z};
    case LoopType::planar:
      return {tilt_x, tilt_y, along_z};
    case LoopType::weld:
      return {turn_x, turn_y, turn_z, along_x, along_y, along_z};
    case LoopType::point_on_line:
      return {along_x, along_y};
  }
  return {};
}

constexpr bool is_length(RowKind kind) { return kind >= RowKind::along_x; }

namespace open_rows_detail {

/// Column `axis` of a matrix.
template <class S>
Vector3<S> column(const Matrix3<S>& E, int axis) {
  if (axis == 0) return {E.xx, E.yx, E.zx};
  if (axis == 1) return {E.xy, E.yy, E.zy};
  return {E.xz, E.yz, E.zz};
}

template <class S>
S entry(const Vector3<S>& a, int axis) {
  return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

constexpr int axis_of(RowKind kind) {
  constexpr int axes[]{0, 1, 0, 1, 2, 2, 0, 1, 2};
  return axes[static_cast<int>(kind)];
}

/// The axis that a tilt's error is measured by: -z.y and z.x of the second frame's z.
template <class S>
Vector3<S> across(RowKind kind) {
  const Vector3<S> y = loop_detail::Rows<S>::unit(1);
  return kind == RowKind::tilt_x ? -y : loop_detail::Rows<S>::unit(0);
}

}  // namespace open_rows_detail

/// T of one row: its error's derivative is Tᵀ V, V the second frame's velocity less the first's.
template <class S>
Force<S> open_force(RowKind kind, const LoopPose<S>& pose) {
  using namespace open_rows_detail;
  const Vector3<S> none = loop_detail::Rows<S>::unit(-1), f = loop_detail::Rows<S>::unit(axis_of(kind));
  switch (kind) {
    case RowKind::tilt_x:
    case RowKind::tilt_y:  // (omega x z) . a
      return {cross(pose.z(), across<S>(kind)), none};
    case RowKind::turn_x:
    case RowKind::turn_y:
    case RowKind::turn_z: {  // of the skew part of R, the second frame's axes in the first's: (tr R - R) omega / 2
      const Matrix3<S>& E = pose.X.E;
      return {S(0.5) * ((E.xx + E.yy + E.zz) * f - column(E, axis_of(kind))), none};
    }
    case RowKind::angle:
      return {cross(f, pose.z()), none};
    case RowKind::along_x:
    case RowKind::along_y:
    case RowKind::along_z:
      return {cross(pose.X.r, f), f};
  }
  return {none, none};
}

/// (dT/dt)ᵀ V of one row.
template <class S>
S open_moving_force(RowKind kind, const LoopPose<S>& pose, const Motion<S>& V) {
  using namespace open_rows_detail;
  const Vector3<S>& omega = V.angular;
  const Vector3<S> f = loop_detail::Rows<S>::unit(axis_of(kind));
  switch (kind) {
    case RowKind::tilt_x:
    case RowKind::tilt_y:
      return dot(cross(cross(omega, pose.z()), across<S>(kind)), omega);
    case RowKind::turn_x:
    case RowKind::turn_y:
    case RowKind::turn_z: {  // dR/dt = omega x R; its trace is -2 omega . the skew part
      const Matrix3<S>& E = pose.X.E;
      const Vector3<S> skew = S(0.5) * Vector3<S>{E.yz - E.zy, E.zx - E.xz, E.xy - E.yx};
      const Vector3<S> R_omega = transpose(E) * omega;
      const int axis = axis_of(kind);
      return -(dot(skew, omega) * entry(omega, axis)) - S(0.5) * entry(cross(omega, R_omega), axis);
    }
    case RowKind::angle:
      return dot(cross(f, cross(omega, pose.z())), omega);
    case RowKind::along_x:
    case RowKind::along_y:
    case RowKind::along_z:
      return dot(cross(V.linear + cross(omega, pose.X.r), f), omega);
  }
  return S(0);
}

/// T of the rows that a rounded loop holds. `held`: six coefficients a row.
template <class S>
void held_forces(const Loop& loop, const S* held, const LoopPose<S>& pose, Force<S>* T) {
  const std::array<RowKind, 6> kinds = row_kinds(loop.type);
  Force<S> all[6];
  for (int n = 0; n < constraint_count(loop.type); ++n) all[n] = open_force(kinds[at(n)], pose);
  for (int r = 0; r < row_count(loop); ++r) {
    T[r] = Force<S>{};
    for (int n = 0; n < constraint_count(loop.type); ++n) T[r] += held[6 * r + n] * all[n];
  }
}

/// (dT/dt)ᵀ V of them.
template <class S>
void held_moving_forces(const Loop& loop, const S* held, const LoopPose<S>& pose, const Motion<S>& V, S* out) {
  const std::array<RowKind, 6> kinds = row_kinds(loop.type);
  S all[6];
  for (int n = 0; n < constraint_count(loop.type); ++n) all[n] = open_moving_force(kinds[at(n)], pose, V);
  for (int r = 0; r < row_count(loop); ++r) {
    out[r] = S(0);
    for (int n = 0; n < constraint_count(loop.type); ++n) out[r] += held[6 * r + n] * all[n];
  }
}

}  // namespace kinetree::inline inner
