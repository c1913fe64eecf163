#pragma once
// Positions and orientations of MJCF elements.

#include <Eigen/Geometry>
#include <kinetree/description.hpp>
#include <string>

#include "engine/io/mjcf_reading.hpp"

namespace kinetree::inline inner {

/// Where a frame is placed in another; `turn` maps its coordinates to those of the other.
struct MjcfPose {
  Eigen::Vector3d at = Eigen::Vector3d::Zero();
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();

  MjcfPose operator*(const MjcfPose& inner) const { return {at + turn * inner.at, turn * inner.turn}; }
  MjcfPose inverse() const { return {turn.conjugate() * -at, turn.conjugate()}; }
};

inline Numbers3 three(const Eigen::Vector3d& x) { return {x[0], x[1], x[2]}; }
inline Placement placement(const MjcfPose& p) {
  return {three(p.at), {p.turn.x(), p.turn.y(), p.turn.z(), p.turn.w()}};
}

/// How <compiler> says that angles are given.
struct MjcfAngles {
  bool degrees = true;
  std::string order =
      "xyz";  ///< of Euler angles; lower case turns about axes that turn too, upper case about fixed ones

  double unit() const { return degrees ? 0.017453292519943295 : 1; }
};

/// Turns about the axes of `order` by `angles` as they stand in the file.
Eigen::Quaterniond turn_by_euler(const double* angles, const MjcfAngles& by);

/// The smallest turn that brings z to the direction; none for the zero vector.
Eigen::Quaterniond turn_from_z(const Eigen::Vector3d& direction);

/// `pos` and one of `quat`, `axisangle`, `xyaxes`, `zaxis`, `euler`. Errors: several of these, or no direction. An
/// element's own orientation counts before that of its defaults.
MjcfPose read_pose(MjcfReading& r, const MjcfView& view, const MjcfAngles& by);

}  // namespace kinetree::inline inner
