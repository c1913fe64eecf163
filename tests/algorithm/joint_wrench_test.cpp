// The wrench that a joint transmits is the joint force of a floating joint in its place. Against Newton and Euler's
// equations of the links outboard, by their motion.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <kinetree/kinematics.hpp>
#include <kinetree/workspace.hpp>
#include <string>
#include <vector>

#include "engine/scalar/worst.hpp"
#include "oracle/mechanisms.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

/// Force and moment (world axes, about the origin of link `from`) that these links' motion asks for.
struct Wrench {
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
};

Wrench newton_euler(const Description& d, const Model& model, const VectorXd& q, const VectorXd& v, const VectorXd& a,
                    std::size_t from) {
  std::vector<LinkPoint> centres;
  for (std::size_t k = from; k < d.bodies.size(); ++k)
    centres.push_back({frame_index(model, d.bodies[k].name), d.bodies[k].inertial->frame.xyz});
  const auto count = static_cast<Eigen::Index>(centres.size());
  Workspace w(model);
  MatrixXd poses_of_centres(12 * count, 1), velocities(6 * count, 1), accelerations(6 * count, 1), origin(12, 1);
  EXPECT_TRUE(
      point_kinematics(model, w, q, v, a, centres, Axes::world_aligned, poses_of_centres, velocities, accelerations)
          .ok());
  EXPECT_TRUE(poses(model, w, q, std::vector{centres.front().link}, origin).ok());
  const Vector3d g(d.gravity.data());
  Wrench sum;
  for (Eigen::Index k = 0; k < count; ++k) {
    const InertialDescription& inertial = *d.bodies[from + static_cast<std::size_t>(k)].inertial;
    const auto& [xx, yy, zz, xy, xz, yz] = inertial.inertia;
    Matrix3d I;
    I << xx, xy, xz, xy, yy, yz, xz, yz, zz;
    const Matrix3d R = Eigen::Map<const Matrix3d>(poses_of_centres.data() + 12 * k) *
                       Eigen::Quaterniond(inertial.frame.quaternion.data()).toRotationMatrix();
    const Vector3d omega = velocities.block<3, 1>(6 * k, 0), alpha = accelerations.block<3, 1>(6 * k, 0);
    const Vector3d force = inertial.mass * (Vector3d(accelerations.block<3, 1>(6 * k + 3, 0)) - g);
    const Matrix3d I_world = R * I * R.transpose();
    const Vector3d arm = poses_of_centres.block<3, 1>(12 * k + 9, 0) - origin.block<3, 1>(9, 0);
    sum.force += force;
    sum.moment += I_world * alpha + omega.cross(I_world * omega) + arm.cross(force);
  }
  return sum;
}

TEST(JointWrench, IsTheForceOfAFloatingJointInItsPlace) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    Random random(seed);
    Description d;
    std::string parent = "world";
    for (int k = 0; k < 6; ++k) {
      d.bodies.push_back(random_body(random, "b" + std::to_string(k), parent, JointType::revolute));
      d.bodies.back().joint.armature = 0;  // a floating joint's would be of all its freedoms
      parent = d.bodies.back().name;
    }
    constexpr Eigen::Index at = 2;
    Description freed = d;
    freed.bodies[at].joint.type = "floating";
    freed.bodies[at].joint.limits = {}, freed.bodies[at].joint.passive = {};
    const Model model = make_model(d), wide = make_model(freed);
    std::srand(static_cast<unsigned>(seed));
    const VectorXd q = VectorXd::Random(6), v = 3 * VectorXd::Random(6), a = 5 * VectorXd::Random(6);
    const Vector3d axis = Vector3d(d.bodies[at].joint.axis.data()).normalized(), none = Vector3d::Zero();
    VectorXd q_wide(12), v_wide(11), a_wide(11), tau(11), tau_narrow(6);
    q_wide << q.head(at), none, std::sin(q[at] / 2) * axis, std::cos(q[at] / 2), q.tail(5 - at);
    v_wide << v.head(at), none, v[at] * axis, v.tail(5 - at);
    a_wide << a.head(at), none, a[at] * axis, a.tail(5 - at);
    Workspace w(wide), narrow(model);
    ASSERT_TRUE(inverse_dynamics(wide, w, q_wide, v_wide, a_wide, tau).ok());
    ASSERT_TRUE(inverse_dynamics(model, narrow, q, v, a, tau_narrow).ok());
    MatrixXd pose(12, 1);
    ASSERT_TRUE(poses(model, narrow, q, std::vector{frame_index(model, d.bodies[at].name)}, pose).ok());
    const Matrix3d R = Eigen::Map<const Matrix3d>(pose.data());
    const Wrench wrench = newton_euler(d, model, q, v, a, at);
    EXPECT_LE(largest_of(R * tau.segment<3>(at) - wrench.force), 1e-11 * wrench.force.norm()) << seed;
    EXPECT_LE(largest_of(R * tau.segment<3>(at + 3) - wrench.moment), 1e-11 * wrench.moment.norm()) << seed;
    EXPECT_NEAR(axis.dot(tau.segment<3>(at + 3)), tau_narrow[at], 1e-11 * wrench.moment.norm())
        << "the actuator's part";
  }
}

}  // namespace
}  // namespace kinetree::oracle
