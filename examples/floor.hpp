#pragma once
// Spheres on links above a floor at height 0: penalties in place of contact, a state a column.

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <kinetree/forces.hpp>
#include <kinetree/kinematics.hpp>
#include <vector>

/// Normal forces of Hunt & Crossley 1975, k x (1 + d dx/dt); Coulomb friction that fades below a slip of `slow`.
struct Floor {
  const kinetree::Model& model;
  std::vector<kinetree::LinkPoint> spheres;                                            ///< their centres
  double radius = 0.02, stiffness = 1e5, dissipation = 1, friction = 0.8, slow = 0.1;  ///< m, N/m, s/m, 1, m/s
  kinetree::Workspace workspace{model};
  Eigen::MatrixXd poses{}, velocities{}, forces{};

  /// Adds the forces in states q and v to f_ext. A state that is none has no poses but NaN: its step fails and says so.
  void push(const Eigen::Ref<const Eigen::MatrixXd>& q, const Eigen::Ref<const Eigen::MatrixXd>& v,
            Eigen::Ref<Eigen::MatrixXd> f_ext) {
    const Eigen::Index states = q.cols(), count = static_cast<Eigen::Index>(spheres.size());
    if (poses.cols() < states)
      poses.resize(12 * count, states), velocities.resize(6 * count, states), forces.resize(6 * count, states);
    const auto p = poses.leftCols(states), u = velocities.leftCols(states), f = forces.leftCols(states);
    (void)kinetree::point_kinematics(model, workspace, q, v, spheres, kinetree::Axes::world_aligned, p, u);
    for (Eigen::Index c = 0; c < states; ++c)
      for (Eigen::Index k = 0; k < count; ++k) {
        const Eigen::Vector3d down(0, 0, -radius);  // from the centre to the lowest point, where the floor pushes
        const Eigen::Vector3d slip = u.col(c).segment<3>(6 * k + 3) + u.col(c).segment<3>(6 * k).cross(down);
        const double depth = std::max(0.0, radius - p(12 * k + 11, c));
        const double normal = std::max(0.0, stiffness * depth * (1 - dissipation * slip.z()));
        Eigen::Vector3d force = -friction * normal * slip / std::hypot(slip.x(), slip.y(), slow);
        force.z() = normal;
        forces.col(c).segment<6>(6 * k) << down.cross(force), force;
      }
    (void)kinetree::add_forces(model, spheres, p, f, f_ext);
  }
};
