// Where links are at q, by the user's words alone, against where the Model puts them: whatever frames it uses inside.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "engine/joint/joint.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/random.hpp"
#include "engine/scalar/worst.hpp"
#include "model/describe.hpp"

namespace kinetree::test {
namespace {

using Eigen::AngleAxisd;
using Eigen::Isometry3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

Vector3d vector(const Numbers3& a) { return {a[0], a[1], a[2]}; }

Isometry3d pose(const Placement& p) {
  Isometry3d T = Isometry3d::Identity();
  T.translate(vector(p.xyz));
  T.rotate(Quaterniond(p.quaternion[3], p.quaternion[0], p.quaternion[1], p.quaternion[2]));
  return T;
}

/// The joint's own motion at q, in the joint's frame (docs/conventions.md).
Isometry3d moved(const JointDescription& j, const double* q) {
  const Vector3d a = vector(j.axis).normalized();
  Isometry3d T = Isometry3d::Identity();
  if (j.type == "revolute" || j.type == "continuous") T.rotate(AngleAxisd(q[0], a));
  if (j.type == "prismatic") T.translate(q[0] * a);
  if (j.type == "helical") T.translate(j.pitch * q[0] * a), T.rotate(AngleAxisd(q[0], a));
  if (j.type == "cylindrical") T.translate(q[1] * a), T.rotate(AngleAxisd(q[0], a));
  if (j.type == "universal") T.rotate(AngleAxisd(q[0], a)), T.rotate(AngleAxisd(q[1], vector(*j.axis2).normalized()));
  if (j.type == "spherical") T.rotate(Quaterniond(q[3], q[0], q[1], q[2]));
  if (j.type == "planar") {
    const Vector3d across = Vector3d::UnitZ().cross(a);  // the shortest way; for -z half a turn about x
    const AngleAxisd turn(std::atan2(across.norm(), a.z()),
                          across.norm() > 0 ? across.normalized() : Vector3d::UnitX());
    T.translate(turn * Vector3d(q[0], q[1], 0)), T.rotate(AngleAxisd(q[2], a));
  }
  if (j.type == "floating") T.translate(Vector3d(q[0], q[1], q[2])), T.rotate(Quaterniond(q[6], q[3], q[4], q[5]));
  return T;
}

Isometry3d isometry(const Transform<double>& X) {
  Isometry3d T;
  T.linear() << X.E.xx, X.E.yx, X.E.zx, X.E.xy, X.E.yy, X.E.zy, X.E.xz, X.E.yz, X.E.zz;  // Eᵀ
  T.translation() << X.r.x, X.r.y, X.r.z;
  T.makeAffine();
  return T;
}

void expect_links_where_they_belong(const Description& d, Random& random) {
  const Model model = make_model(d);
  const ModelData& m = model.data();
  std::vector<double> q(static_cast<std::size_t>(model.nq()));
  for (double& x : q) x = random.uniform(-2, 2);
  std::vector<Isometry3d> bodies;
  std::vector<const double*> positions(d.bodies.size(), nullptr);
  for (std::size_t i = 0; i < m.parent.size(); ++i) {
    double* p = q.data() + m.q_index[i];
    if (const int quaternion = facts_of(m.joint_type[i]).quaternion; quaternion >= 0) {
      double* x = p + quaternion;
      const double norm = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
      for (int k = 0; k < 4; ++k) x[k] /= norm;
    }
    positions[static_cast<std::size_t>(m.body_frame[i])] = p;
    Transform<double> X;
    Motion<double> columns[6], cJ;
    const double v[6]{};
    joint_at(m.joint_type[i], m.link[i], p, v, X, columns, cJ);
    bodies.push_back(m.parent[i] < 0 ? isometry(X) : bodies[static_cast<std::size_t>(m.parent[i])] * isometry(X));
  }
  std::vector<Isometry3d> links(d.bodies.size());
  for (std::size_t k = 0; k < d.bodies.size(); ++k) {  // parents stand before children in what these tests write
    const BodyDescription& b = d.bodies[k];
    Isometry3d parent = Isometry3d::Identity();
    for (std::size_t p = 0; p < k; ++p)
      if (d.bodies[p].name == b.parent) parent = links[p];
    links[k] = parent * pose(b.joint.origin);
    if (positions[k]) links[k] = links[k] * moved(b.joint, positions[k]);
    const Frame& frame = m.frames[k];
    const Isometry3d ours = (frame.body < 0 ? Isometry3d::Identity() : bodies[static_cast<std::size_t>(frame.body)]) *
                            isometry(frame.X_frame_body);
    EXPECT_LT(largest_of(ours.matrix() - links[k].matrix()), 1e-12 * (1 + static_cast<double>(k)))
        << b.joint.type << " " << b.name;
  }
}

TEST(Frames, EveryTypeAboutEveryAxis) {
  Random random(3);
  for (const JointFacts& facts : joint_facts) {
    const std::string_view type = facts.name;
    if (type == "fixed") continue;
    for (const Numbers3& axis : {Numbers3{0, 0, 1}, Numbers3{0, 0, -1}, Numbers3{1, 0, 0}, Numbers3{0, -3, 0},
                                 Numbers3{0.3, -0.4, 0.8}, Numbers3{1e-7, 1e-7, -1}, Numbers3{1e-3, 0, -1}}) {
      SCOPED_TRACE(testing::Message() << type << " " << axis[0] << " " << axis[1] << " " << axis[2]);
      BodyDescription a =
          body("a", "world", std::string(type), axis, {{1, 2, 3}, quaternion_from_rpy({0.3, 0.2, 0.1})});
      a.joint.pitch = facts.pitch ? 0.3 : 0;
      if (facts.second_axis) a.joint.axis2 = Numbers3{axis[1] + 0.5, axis[2], axis[0] - 0.2};
      BodyDescription b = body("b", "a", "revolute", {0, 1, 0}, {{0.1, 0, 0}, quaternion_from_rpy({0, 1, 0})});
      expect_links_where_they_belong(mechanism({a, b, body("weld", "b", "fixed")}), random);
    }
  }
}

TEST(Frames, RandomTrees) {
  Random random(4);
  for (int seed = 0; seed < 50; ++seed)
    expect_links_where_they_belong(make_description("random:30:special=1:seed=" + std::to_string(seed)), random);
}

TEST(Frames, RollPitchYaw) {
  const auto q = quaternion_from_rpy({0.3, -0.7, 2.1});
  const Quaterniond expected =
      AngleAxisd(2.1, Vector3d::UnitZ()) * AngleAxisd(-0.7, Vector3d::UnitY()) * AngleAxisd(0.3, Vector3d::UnitX());
  EXPECT_NEAR(std::abs(expected.dot(Quaterniond(q[3], q[0], q[1], q[2]))), 1, 1e-15);
}

}  // namespace
}  // namespace kinetree::test
