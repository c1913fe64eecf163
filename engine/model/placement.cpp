#include "engine/model/placement.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>

#include "engine/joint/advance.hpp"
#include "engine/joint/joint.hpp"

namespace kinetree {

std::array<double, 4> quaternion_from_rpy(const Numbers3& rpy) {
  const double cr = std::cos(rpy[0] / 2), sr = std::sin(rpy[0] / 2), cp = std::cos(rpy[1] / 2),
               sp = std::sin(rpy[1] / 2), cy = std::cos(rpy[2] / 2), sy = std::sin(rpy[2] / 2);
  return {sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy,
          cr * cp * cy + sr * sp * sy};
}

inline namespace inner {

Transform<double> transform_of(const Placement& p) {
  return {joint_detail::rotation_to_child(p.quaternion.data()), {p.xyz[0], p.xyz[1], p.xyz[2]}};
}

Placement placement_of(const Transform<double>& X) {
  Eigen::Matrix3d R;  // from the placed frame's coordinates to the outer's
  R << X.E.xx, X.E.yx, X.E.zx, X.E.xy, X.E.yy, X.E.zy, X.E.xz, X.E.yz, X.E.zz;
  const Eigen::Quaterniond q(R);
  return {{X.r.x, X.r.y, X.r.z}, {q.x(), q.y(), q.z(), q.w()}};
}

Placement compose(const Placement& outer, const Placement& inner) {
  Placement p = inner;
  std::array<double, 4> turn = outer.quaternion;
  advance_detail::normalize(turn.data());
  advance_detail::rotate(1, turn.data(), p.xyz.data());
  for (std::size_t k = 0; k < 3; ++k) p.xyz[k] += outer.xyz[k];
  advance_detail::product(1, turn.data(), inner.quaternion.data(), p.quaternion.data());
  return p;
}

Transform<double> inverse(const Transform<double>& X) { return {transpose(X.E), -(X.E * X.r)}; }

Matrix3<double> turn_z_to(const Numbers3& a) {
  const double across = a[0] * a[0] + a[1] * a[1];
  if (a[2] < 0 && across < 1e-30) return {1, 0, 0, 0, -1, 0, 0, 0, -1};
  // rotation by the angle between z and a about z x a = (-ay, ax, 0); its transpose maps old to new coordinates.
  // k = 1 / (1 + az), written so that it keeps its digits near -z
  const double k = a[2] < 0 ? (1 - a[2]) / across : 1 / (1 + a[2]);
  return {1 - k * a[0] * a[0], -k * a[0] * a[1], -a[0], -k * a[0] * a[1], 1 - k * a[1] * a[1], -a[1], a[0], a[1], a[2]};
}

RigidInertia<double> rigid_inertia(const InertialDescription& d) {
  const RigidInertia<double> about_own_origin{
      d.mass, {0, 0, 0}, {d.inertia[0], d.inertia[1], d.inertia[2], d.inertia[3], d.inertia[4], d.inertia[5]}};
  return congruence(transform_of(d.frame), about_own_origin);
}

Symmetric3<double> about_com(const RigidInertia<double>& a) {
  if (!(a.mass > 0)) return a.I;
  const Vector3<double> c = (1 / a.mass) * a.h;
  const double m = a.mass;
  return {a.I.xx - m * (c.y * c.y + c.z * c.z),
          a.I.yy - m * (c.x * c.x + c.z * c.z),
          a.I.zz - m * (c.x * c.x + c.y * c.y),
          a.I.xy + m * c.x * c.y,
          a.I.xz + m * c.x * c.z,
          a.I.yz + m * c.y * c.z};
}

std::array<double, 3> eigenvalues(const Symmetric3<double>& I) {
  Eigen::Matrix3d A;
  A << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  const Eigen::Vector3d e = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(A, Eigen::EigenvaluesOnly).eigenvalues();
  return {e[0], e[1], e[2]};
}

}  // namespace inner
}  // namespace kinetree
