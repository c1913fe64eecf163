// Forces on links and points in every kind of axes, against the transposes of Jacobians by way of forward dynamics.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <kinetree/forces.hpp>
#include <kinetree/kinematics.hpp>
#include <kinetree/kinetree.hpp>
#include <vector>

#include "bench/sweep/random_states.hpp"
#include "parallel/allocations.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Every link, twice, at points off its origin.
std::vector<LinkPoint> points_of(const Model& model) {
  std::vector<LinkPoint> points;
  for (int k = 0; k < model.frame_count(); ++k) points.push_back({k, {0.1 * k, -0.3, 0.2}});
  for (int k = 0; k < model.frame_count(); ++k) points.push_back({k});
  return points;
}

MatrixXd forces_on(const std::vector<LinkPoint>& points, Eigen::Index states) {
  MatrixXd forces(6 * static_cast<Eigen::Index>(points.size()), states);
  for (Eigen::Index k = 0; k < forces.size(); ++k) forces(k) = std::sin(1.3 * static_cast<double>(k));
  return forces;
}

struct Difference {
  double accelerations, forces;
};

/// How far accelerations by f_ext are from those by tau = J^T f, and how large f_ext is.
template <class T = double>
Difference between(const Model& model, Axes axes, Eigen::Index states, const WorkspaceOptions& options = {}) {
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  const auto s = bench::random_states(model, static_cast<int>(states), 4);
  const Matrix q = s.q.cast<T>(), v = s.v.cast<T>(), tau = s.tau.cast<T>();
  const std::vector<LinkPoint> points = points_of(model);
  const Matrix forces = forces_on(points, states).cast<T>();
  Workspace w(model, options);
  Matrix f_ext = Matrix::Zero(6 * model.body_count(), states), J(forces.rows(), model.nv() * states);
  EXPECT_TRUE(add_forces(model, w, q, points, axes, forces, f_ext).ok());
  EXPECT_TRUE(jacobians(model, w, q, points, axes, J).ok());
  Matrix by_joints = tau, a(model.nv(), states), expected = a;
  for (Eigen::Index c = 0; c < states; ++c)
    by_joints.col(c) += J.middleCols(c * model.nv(), model.nv()).transpose() * forces.col(c);
  ForwardDynamics dynamics(model);
  EXPECT_TRUE(dynamics.solve(q, v, tau, f_ext, a).ok());
  EXPECT_TRUE(dynamics.solve(q, v, by_joints, expected).ok());
  return {static_cast<double>((a - expected).norm() / expected.norm()), static_cast<double>(f_ext.norm())};
}

TEST(LinkForces, DoWhatTransposedJacobiansDo) {
  for (const Model& model : {make_model("random:20:seed=5:floating=1"), make_model("random:20:seed=8"),
                             make_model("geared:4"), make_model("fourbars:2")})
    for (const Axes axes : {Axes::link, Axes::world, Axes::world_aligned}) {
      const Difference d = between(model, axes, 3);
      EXPECT_LE(d.accelerations, 1e-10) << model.name();
      EXPECT_GT(d.forces, 1);
    }
}

TEST(LinkForces, LanesThreadsAndFloatDoTheSame) {
  const Model model = make_model("random:20:seed=5:floating=1");
  EXPECT_LE(between(model, Axes::link, 33, {.threads = 2}).accelerations, 1e-10);
  EXPECT_LE(between(model, Axes::link, 9, {.lanes = 1}).accelerations, 1e-10);
  EXPECT_LE(between<float>(model, Axes::link, 9).accelerations, 1e-2);
}

/// By poses that are known: links merged into others and fixed to the ground too, double and float; a pose that is no
/// number spoils its column alone.
template <class T>
void expect_equal_by_poses(double bound) {
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  Description d = make_description("random:12:seed=5:floating=1:special=1");
  for (const std::string& parent : {d.bodies.back().name, std::string("world")}) {
    BodyDescription& b = d.bodies.emplace_back();
    b.name = "tool_on_" + parent, b.parent = parent, b.joint.name = "weld_to_" + parent, b.joint.type = "fixed";
    b.joint.origin = {{0.3, -0.2, 0.1}, quaternion_from_rpy({0.3, 0.8, -0.4})};
  }
  const Model model = make_model(d);
  const auto s = bench::random_states(model, 3, 4);
  const std::vector<LinkPoint> points = points_of(model);
  const Matrix q = s.q.cast<T>(), v = s.v.cast<T>(), forces = forces_on(points, 3).cast<T>();
  Workspace w(model);
  const Eigen::Index n = static_cast<Eigen::Index>(points.size());
  Matrix poses(12 * n, 3), velocities(6 * n, 3), accelerations = velocities, same_poses = poses, same = velocities;
  ASSERT_TRUE(point_kinematics(model, w, q, v, points, Axes::world_aligned, poses, velocities).ok());
  ASSERT_TRUE(point_kinematics(model, w, q, v, Matrix::Zero(model.nv(), 3), points, Axes::world_aligned, same_poses,
                               same, accelerations)
                  .ok());
  EXPECT_EQ(poses, same_poses);
  EXPECT_EQ(velocities, same);
  Matrix f_ext = Matrix::Ones(6 * model.body_count(), 3), expected = f_ext;
  ASSERT_TRUE(add_forces(model, w, q, points, Axes::world_aligned, forces, expected).ok());
  ASSERT_TRUE(add_forces(model, points, poses, forces, f_ext).ok());
  EXPECT_LE((f_ext - expected).norm(), bound * static_cast<double>(expected.norm()));
  poses(0, 1) = std::numeric_limits<T>::quiet_NaN();
  const Status spoiled = add_forces(model, points, poses, forces, f_ext);
  EXPECT_EQ(spoiled.code, StatusCode::not_finite);
  EXPECT_EQ(spoiled.column, 1);
  EXPECT_EQ(spoiled.argument, std::string("poses"));
  EXPECT_TRUE(f_ext.col(0).allFinite() && f_ext.col(2).allFinite());
  EXPECT_FALSE(f_ext.col(1).allFinite());
  EXPECT_EQ(add_forces(model, points, poses.topRows(12), forces, f_ext).argument, std::string("poses"));
}

TEST(LinkForces, ByPosesAreThoseByPositions) {
  expect_equal_by_poses<double>(1e-14);
  expect_equal_by_poses<float>(1e-5);
}

/// What stands in f_ext stays, and a body's own frame takes a force of the world's axes as it is.
TEST(LinkForces, AreAddedToThoseThatStandThere) {
  const Model model = make_model("chain:3");
  Workspace w(model);
  const VectorXd q = VectorXd::Constant(3, 0.4);
  const VectorXd force = VectorXd::LinSpaced(6, 1, 6);
  VectorXd f_ext = VectorXd::Constant(18, 7);
  const std::vector<int> tip{frame_index(model, model.body_name(2))};
  ASSERT_TRUE(add_forces(model, w, q, tip, Axes::world_aligned, force, f_ext).ok());
  VectorXd expected = VectorXd::Constant(18, 7);
  expected.tail(6) += force;
  EXPECT_LE((f_ext - expected).norm(), 1e-14);
}

/// A body a million metres away: the lever arm keeps its digits.
TEST(LinkForces, FarFromTheOriginKeepTheirDigits) {
  const Model model = make_model("chain:2", {.floating_base = true});
  Workspace w(model);
  VectorXd q = neutral(model), f_ext = VectorXd::Zero(6 * model.body_count()), near = f_ext;
  const std::vector<LinkPoint> points{{model.frame_count() - 1, {0.1, 0.2, 0.3}}};
  const VectorXd force = VectorXd::LinSpaced(6, 1, 6);
  ASSERT_TRUE(add_forces(model, w, q, points, Axes::link, force, near).ok());
  q.head(3).setConstant(1e6);
  ASSERT_TRUE(add_forces(model, w, q, points, Axes::link, force, f_ext).ok());
  EXPECT_LE((f_ext - near).norm(), 1e-14);
}

TEST(LinkForces, WrongCallsAreNamedAndWriteNothing) {
  const Model model = make_model("chain:3");
  Workspace w(model);
  const VectorXd q = VectorXd::Zero(3), force = VectorXd::Ones(6);
  const std::vector<int> link{1}, none{99};
  const MatrixXd before = MatrixXd::Constant(18, 1, 7);
  MatrixXd f_ext = before;
  const Status size = add_forces(model, w, q, link, Axes::link, VectorXd::Ones(3), f_ext);
  EXPECT_EQ(size.message(model), "forces has 3 rows; 6 are expected");
  EXPECT_EQ(add_forces(model, w, q, none, Axes::link, force, f_ext).code, StatusCode::no_such_frame);
  EXPECT_EQ(add_forces(model, w, q, link, Axes::link, f_ext.topRows(6), f_ext).code, StatusCode::shared_memory);
  EXPECT_EQ(add_forces(model, w, VectorXd::Zero(4), link, Axes::link, force, f_ext).code, StatusCode::wrong_size);
  MatrixXd small = MatrixXd::Constant(12, 1, 7);
  EXPECT_EQ(add_forces(model, w, q, link, Axes::link, force, small).code, StatusCode::wrong_size);
  EXPECT_EQ(add_forces(make_model("chain:3"), w, q, link, Axes::link, force, f_ext).code, StatusCode::other_model);
  EXPECT_EQ(f_ext, before);
}

/// A quaternion that is no unit spoils its own column alone.
TEST(LinkForces, ABadQuaternionSpoilsItsOwnColumn) {
  const Model model = make_model("chain:2", {.floating_base = true});
  Workspace w(model);
  MatrixXd q = neutral(model).replicate(1, 3), f_ext = MatrixXd::Zero(6 * model.body_count(), 3);
  q.col(1).segment<4>(3) *= 2;
  const std::vector<int> link{0};
  const Status status = add_forces(model, w, q, link, Axes::link, MatrixXd::Ones(6, 3), f_ext);
  EXPECT_EQ(status.code, StatusCode::not_normalized);
  EXPECT_EQ(status.column, 1);
  EXPECT_TRUE(f_ext.col(1).array().isNaN().all());
  EXPECT_TRUE(f_ext.col(0).allFinite() && f_ext.col(2).allFinite());
}

TEST(LinkForces, AllocateNothingAfterTheFirstCall) {
  if (!can_count_allocations()) GTEST_SKIP();
  const Model model = make_model("random:20:seed=5:floating=1");
  Workspace w(model);
  const auto s = bench::random_states(model, 17, 5);
  const std::vector<LinkPoint> points = points_of(model);
  const MatrixXd forces = forces_on(points, 17);
  MatrixXd f_ext = MatrixXd::Zero(6 * model.body_count(), 17);
  bool good = add_forces(model, w, s.q, points, Axes::link, forces, f_ext).ok();
  start_counting();
  good = add_forces(model, w, s.q, points, Axes::world, forces, f_ext).ok() && good;
  EXPECT_EQ(stop_counting().ours, 0U);
  EXPECT_TRUE(good);
}

}  // namespace
}  // namespace kinetree::oracle
