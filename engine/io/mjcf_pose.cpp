#include "engine/io/mjcf_pose.hpp"

#include <array>
#include <cmath>

#include "engine/scalar/lower.hpp"

namespace kinetree::inline inner {
namespace {

using Eigen::Quaterniond, Eigen::Vector3d;

constexpr std::array<const char*, 5> orientations{"quat", "axisangle", "xyaxes", "zaxis", "euler"};
constexpr double tiny = 1e-14;  // below it MuJoCo takes a vector for zero

Quaterniond unit(Quaterniond q) {
  const double square = q.squaredNorm();
  if (square != 1) q.coeffs() /= std::sqrt(square);
  return q;
}

Quaterniond orientation(MjcfReading& r, const MjcfView& view, const char* kind, const MjcfAngles& by) {
  double x[6];
  const std::string_view name = kind;
  const auto refuse = [&](const char* what) {
    r.refuse(view.element, std::string(kind) + " " + in_quotes(view.get(kind)) + what + "; give directions");
    return Quaterniond::Identity();
  };
  if (name == "euler") return r.numbers(view, kind, x, 3, 3) ? turn_by_euler(x, by) : Quaterniond::Identity();
  const int count = name == "zaxis" ? 3 : name == "xyaxes" ? 6 : 4;
  if (!r.numbers(view, kind, x, count, count)) return Quaterniond::Identity();
  const Vector3d first(x[0], x[1], x[2]);
  if (name == "quat") {
    const Quaterniond q(x[0], x[1], x[2], x[3]);
    if (!(q.norm() > tiny) || !std::isfinite(q.norm())) return refuse(" can't be normalized");
    return unit(q);
  }
  if (!(first.norm() > tiny) || !std::isfinite(first.norm())) return refuse(" has a direction of length zero");
  if (name == "axisangle") return Quaterniond(Eigen::AngleAxisd(x[3] * by.unit(), first.normalized()));
  if (name == "zaxis") return turn_from_z(first);
  Eigen::Matrix3d R;
  R.col(0) = first.normalized();
  const Vector3d across = Vector3d(x[3], x[4], x[5]) - R.col(0).dot(Vector3d(x[3], x[4], x[5])) * R.col(0);
  if (!(across.norm() > tiny) || !std::isfinite(across.norm())) return refuse(" has parallel axes");
  R.col(1) = across.normalized();
  R.col(2) = R.col(0).cross(R.col(1));
  return unit(Quaterniond(R));
}

}  // namespace

Quaterniond turn_by_euler(const double* angles, const MjcfAngles& by) {
  Quaterniond q = Quaterniond::Identity();
  for (std::size_t k = 0; k < 3; ++k) {
    const char axis = by.order[k];
    const int along = lower(axis) - 'x';
    const Quaterniond one(Eigen::AngleAxisd(angles[k] * by.unit(), Vector3d::Unit(along)));
    q = axis == lower(axis) ? q * one : one * q;
  }
  return unit(q);
}

Quaterniond turn_from_z(const Vector3d& direction) {
  Vector3d axis = Vector3d::UnitZ().cross(direction);
  const double across = axis.norm(), angle = std::atan2(across, direction.z());
  return Quaterniond(Eigen::AngleAxisd(angle, across > tiny ? Vector3d(axis / across) : Vector3d::UnitX()));
}

MjcfPose read_pose(MjcfReading& r, const MjcfView& view, const MjcfAngles& by) {
  MjcfPose pose;
  double at[3];
  if (r.numbers(view, "pos", at, 3, 3)) pose.at = Vector3d(at[0], at[1], at[2]);
  const char* given = nullptr;
  for (const char* kind : orientations) {
    if (!view.own(kind)) continue;
    if (given) {
      r.refuse(view.element, std::string("has both ") + given + " and " + kind + "; give one orientation");
      return pose;
    }
    given = kind;
  }
  for (const char* kind : orientations)
    if (!given && view.get(kind)) given = kind;
  if (given) pose.turn = orientation(r, view, given, by);
  return pose;
}

}  // namespace kinetree::inline inner
