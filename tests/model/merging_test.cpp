// Fixed joints merged: mass, first and second moments as of the points the links are made of.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "engine/model/model_data.hpp"
#include "engine/model/random.hpp"
#include "model/describe.hpp"

namespace kinetree::test {
namespace {

using Points = std::vector<std::pair<double, Eigen::Vector3d>>;

Eigen::Quaterniond quaternion(const Placement& p) {
  return Eigen::Quaterniond(p.quaternion[3], p.quaternion[0], p.quaternion[1], p.quaternion[2]);
}
Eigen::Vector3d position(const Placement& p) { return {p.xyz[0], p.xyz[1], p.xyz[2]}; }

Placement random_placement(Random& random) {
  Placement p;
  for (double& x : p.xyz) x = random.uniform(-1, 1);
  double square = 0;
  for (double& x : p.quaternion) x = random.uniform(-1, 1), square += x * x;
  for (double& x : p.quaternion) x /= std::sqrt(square);
  return p;
}

Points random_points(Random& random) {
  Points points;
  for (int k = 0; k < 6; ++k)
    points.emplace_back(random.uniform(0.5, 2),
                        Eigen::Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)));
  return points;
}

/// As a user would state them: about the centre of mass, in axes of their own.
InertialDescription inertial_of(const Points& points, const Placement& axes) {
  InertialDescription i;
  Eigen::Vector3d com = Eigen::Vector3d::Zero();
  for (const auto& [m, p] : points) i.mass += m, com += m * p;
  com /= i.mass;
  Eigen::Matrix3d I = Eigen::Matrix3d::Zero();
  for (const auto& [m, p] : points) {
    const Eigen::Vector3d r = quaternion(axes).inverse() * (p - com);
    I += m * (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose());
  }
  i.frame.xyz = {com.x(), com.y(), com.z()};
  i.frame.quaternion = axes.quaternion;
  i.inertia = {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)};
  return i;
}

TEST(Merging, KeepsMassCentreAndInertia) {
  Random random(5);
  const Placement on_host = random_placement(random), on_first = random_placement(random);
  const Points host = random_points(random), first = random_points(random), second = random_points(random);
  BodyDescription a = body("a", "world", "spherical"), b = body("b", "a", "fixed", {0, 0, 1}, on_host),
                  c = body("c", "b", "fixed", {0, 0, 1}, on_first);
  a.inertial = inertial_of(host, random_placement(random));
  b.inertial = inertial_of(first, random_placement(random));
  c.inertial = inertial_of(second, random_placement(random));
  const Model model = make_model(mechanism({a, b, c}));
  ASSERT_EQ(model.body_count(), 1);

  // a spherical joint's body keeps its link's frame
  Points all = host;
  for (const auto& [m, p] : first) all.emplace_back(m, position(on_host) + quaternion(on_host) * p);
  for (const auto& [m, p] : second)
    all.emplace_back(m, position(on_host) + quaternion(on_host) * (position(on_first) + quaternion(on_first) * p));
  double mass = 0;
  Eigen::Vector3d h = Eigen::Vector3d::Zero();
  Eigen::Matrix3d I = Eigen::Matrix3d::Zero();
  for (const auto& [m, p] : all) {
    mass += m, h += m * p;
    I += m * (p.squaredNorm() * Eigen::Matrix3d::Identity() - p * p.transpose());
  }
  const RigidInertia<double>& merged = model.data().link[0].I;
  EXPECT_NEAR(merged.mass, mass, 1e-12);
  EXPECT_NEAR(merged.h.x, h.x(), 1e-12);
  EXPECT_NEAR(merged.h.y, h.y(), 1e-12);
  EXPECT_NEAR(merged.h.z, h.z(), 1e-12);
  const double ours[] = {merged.I.xx, merged.I.yy, merged.I.zz, merged.I.xy, merged.I.xz, merged.I.yz};
  const double theirs[] = {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)};
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(ours[k], theirs[k], 1e-11) << k;

  // and the link keeps its name and place
  const Frame& frame = model.data().frames[2];
  const Eigen::Vector3d origin = position(on_host) + quaternion(on_host) * position(on_first);
  EXPECT_EQ(frame.body, 0);
  EXPECT_NEAR(frame.X_frame_body.r.x, origin.x(), 1e-14);
  EXPECT_NEAR(frame.X_frame_body.r.y, origin.y(), 1e-14);
  EXPECT_NEAR(frame.X_frame_body.r.z, origin.z(), 1e-14);
}

TEST(Merging, WhatIsFixedToTheWorldIsGround) {
  const Placement up{{0, 0, 2}, {0, 0, 0, 1}};
  const Model model = make_model(
      mechanism({body("pole", "world", "fixed", {0, 0, 1}, up), body("arm", "pole", "revolute", {0, 0, 1}, up)}));
  ASSERT_EQ(model.body_count(), 1);
  EXPECT_EQ(model.data().frames[0].body, -1);
  EXPECT_EQ(model.data().frames[0].X_frame_body.r.z, 2);
  EXPECT_EQ(model.data().parent[0], -1);
  EXPECT_EQ((model.data().frames[1].X_frame_body * model.data().link[0].X_tree).r.z, 4);
  EXPECT_EQ(model.data().link[0].I.mass, 1);
}

TEST(Merging, AMasslessFrameOnAFixedJointIsNoFault) {
  BodyDescription frame = body("frame", "arm", "fixed");
  frame.inertial.reset();
  EXPECT_TRUE(make_model(mechanism({body("arm", "world"), frame})).findings().empty());
}

}  // namespace
}  // namespace kinetree::test
