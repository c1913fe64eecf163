#pragma once
// kinetree's floating base, and the coordinates in which a library has its velocities.

#include <Eigen/Geometry>
#include <optional>

#include "bench/peers/peer.hpp"

namespace kinetree::peers {

using Eigen::Vector3d;
using Matrix3d = Eigen::Matrix3d;

/// How a library measures the velocity of a floating base. kinetree's: that of the base's origin, then the angular one,
/// both in the base's axes.
struct BaseLayout {
  bool angular_first, linear_in_world, angular_in_world;
  Vector3d point = Vector3d::Zero();  ///< whose velocity it is, in the base's axes
};

/// The start of a state's q, v and given. With u = B v the library's numbers, forces are Bᵀ f of the library's f, and
/// accelerations du/dt = B dv/dt + dB/dt v.
class FloatingState {
 public:
  FloatingState(const BaseLayout& layout, const State& state)
      : x(state.q[0], state.q[1], state.q[2]),
        orientation(state.q[6], state.q[3], state.q[4], state.q[5]),
        R(orientation.toRotationMatrix()),
        layout_(layout),
        linear_(state.v[0], state.v[1], state.v[2]),
        angular_(state.v[3], state.v[4], state.v[5]),
        given_first_(state.given[0], state.given[1], state.given[2]),
        given_last_(state.given[3], state.given[4], state.given[5]) {}

  Vector3d linear() const { return linear_axes(point_velocity()); }
  Vector3d angular() const { return angular_axes(angular_); }
  /// Of `given` as joint forces.
  Vector3d force() const { return linear_axes(given_first_); }
  Vector3d moment() const { return angular_axes(given_last_ - layout_.point.cross(given_first_)); }
  /// Of `given` as accelerations.
  Vector3d linear_acceleration() const {
    return linear_axes(given_first_ + given_last_.cross(layout_.point)) + linear_rate();
  }
  Vector3d angular_acceleration() const { return angular_axes(given_last_); }

  /// From the library's accelerations to the first six of dv/dt.
  void write_accelerations(const Vector3d& linear, const Vector3d& angular, double* a) const {
    const Vector3d own_angular = layout_.angular_in_world ? R.transpose() * angular : angular;
    const Vector3d point = linear - linear_rate();
    const Vector3d own = (layout_.linear_in_world ? R.transpose() * point : point) - own_angular.cross(layout_.point);
    for (int k = 0; k < 3; ++k) a[k] = own[k], a[3 + k] = own_angular[k];
  }

  /// Numbers by the library's velocities, the base's six first, to numbers by kinetree's, in place: columns of
  /// Jacobians, rows of forces, both of a mass matrix.
  void columns_to_own(double* matrix, Eigen::Index rows, Eigen::Index columns) const {
    Eigen::Map<Eigen::MatrixXd> m(matrix, rows, columns);
    m.leftCols(6) = (m.leftCols(6) * change()).eval();
  }
  void rows_to_own(double* matrix, Eigen::Index rows, Eigen::Index columns) const {
    Eigen::Map<Eigen::MatrixXd> m(matrix, rows, columns);
    m.topRows(6) = (change().transpose() * m.topRows(6)).eval();
  }
  void both_to_own(double* matrix, Eigen::Index size) const {
    columns_to_own(matrix, size, size);
    rows_to_own(matrix, size, size);
  }

  Vector3d x;
  Eigen::Quaternion<double, Eigen::DontAlign> orientation;
  Matrix3d R;  ///< base to world

 private:
  Vector3d linear_axes(const Vector3d& y) const { return layout_.linear_in_world ? Vector3d(R * y) : y; }
  Vector3d angular_axes(const Vector3d& y) const { return layout_.angular_in_world ? Vector3d(R * y) : y; }
  Vector3d point_velocity() const { return linear_ + angular_.cross(layout_.point); }
  /// Of dB/dt v: only axes that stand still turn in the base's.
  Vector3d linear_rate() const {
    return layout_.linear_in_world ? Vector3d(R * angular_.cross(point_velocity())) : Vector3d(Vector3d::Zero());
  }
  Eigen::MatrixXd change() const {
    Eigen::MatrixXd B = Eigen::MatrixXd::Zero(6, 6);
    const Eigen::Index linear = layout_.angular_first ? 3 : 0, angular = 3 - linear;
    for (int k = 0; k < 3; ++k) {
      const Vector3d unit = Vector3d::Unit(k);
      B.block<3, 1>(linear, k) = linear_axes(unit);
      B.block<3, 1>(linear, 3 + k) = linear_axes(unit.cross(layout_.point));
      B.block<3, 1>(angular, 3 + k) = angular_axes(unit);
    }
    return B;
  }

  const BaseLayout& layout_;
  Vector3d linear_, angular_, given_first_, given_last_;
};

/// Of a mechanism that has one.
using MaybeFloating = std::optional<FloatingState>;
inline MaybeFloating floating_state(bool floating, const BaseLayout& layout, const State& state) {
  if (!floating) return {};
  return FloatingState(layout, state);
}

/// A link's pose and velocity where Function::kinematics has them, B links in all.
inline void write_link(std::size_t link, std::size_t links, const Matrix3d& R, const Vector3d& p,
                       const Vector3d& angular, const Vector3d& linear, double* result) {
  double* pose = result + 12 * link;
  double* velocity = result + 12 * links + 6 * link;
  for (int column = 0; column < 3; ++column)
    for (int row = 0; row < 3; ++row) pose[3 * column + row] = R(row, column);
  for (int k = 0; k < 3; ++k) pose[9 + k] = p[k], velocity[k] = angular[k], velocity[3 + k] = linear[k];
}

}  // namespace kinetree::peers
