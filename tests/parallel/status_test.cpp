// What solve says of a bad state: it names the joint, spoils that column only, and never throws.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "engine/model/model_data.hpp"
#include "oracle/plans.hpp"

namespace kinetree::oracle {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

class StatusOf : public testing::TestWithParam<Algorithm> {
 protected:
  Model model = make_model("random:12:seed=2:floating=1:joints=spherical");
  TestState s = random_state(model, 1);
  ForwardDynamics dynamics{model, serial(GetParam())};
  Eigen::VectorXd a = Eigen::VectorXd::Zero(model.nv());
};

TEST_P(StatusOf, WrongSizes) {
  const Eigen::VectorXd shorter = s.v.head(s.v.size() - 1);
  EXPECT_EQ(dynamics.solve(s.q, shorter, s.tau, a).code, StatusCode::wrong_size);
  EXPECT_EQ(dynamics.solve(s.v, s.v, s.tau, a).code, StatusCode::wrong_size);
  EXPECT_EQ(dynamics.solve(s.q, s.v, shorter, a).code, StatusCode::wrong_size);
  EXPECT_EQ(dynamics.solve(s.q, s.v, s.tau, s.v, a).code, StatusCode::wrong_size);
  Eigen::VectorXd small(3);
  const Status status = dynamics.solve(s.q, s.v, s.tau, small);
  EXPECT_EQ(status.code, StatusCode::wrong_size);
  EXPECT_NE(status.message(model).find(std::to_string(model.nq())), std::string::npos);
  EXPECT_TRUE(dynamics.solve(s.q, s.v, s.tau, a).ok());
}

TEST_P(StatusOf, NotFinite) {
  for (const double bad : {nan, -nan, infinity, -infinity})
    for (int part = 0; part < 4; ++part) {
      TestState t = s;
      const int body = 5;
      const int v = model.data().v_index[body], q = model.data().q_index[body];
      if (part == 0) t.q[q + 1] = bad;
      if (part == 1) t.v[v + 1] = bad;
      if (part == 2) t.tau[v + 2] = bad;
      if (part == 3) t.f_ext[6 * body + 4] = bad;
      const Status status = dynamics.solve(t.q, t.v, t.tau, t.f_ext, a);
      EXPECT_EQ(status.code, StatusCode::not_finite) << part;
      EXPECT_EQ(status.body, body) << part;
      const char* names[]{"q of joint", "v of joint", "tau of joint", "f_ext of body"};
      const std::string number = std::isnan(bad) ? "nan" : bad > 0 ? "inf" : "-inf", text = status.message(model);
      EXPECT_EQ(text.rfind(names[part], 0), 0U) << text;
      EXPECT_NE(text.find("joint \"" + std::string(model.joint_name(body)) + "\" is "), std::string::npos) << text;
      EXPECT_TRUE(part == 0 || text.find("\" is " + number + ";") != std::string::npos) << text;
      EXPECT_TRUE(a.array().isNaN().all());
    }
}

TEST_P(StatusOf, QuaternionsNormalizedWithinAMillionth) {
  const int at = model.data().q_index[3];
  TestState t = s;
  t.q.segment<4>(at) *= 1 + 9e-7;
  EXPECT_TRUE(dynamics.solve(t.q, t.v, t.tau, a).ok());
  Eigen::VectorXd exact = a;
  ASSERT_TRUE(dynamics.solve(s.q, s.v, s.tau, exact).ok());
  EXPECT_LE((a - exact).norm(), 1e-9 * exact.norm()) << "it is normalized, not taken as it is";
  t.q.segment<4>(at) *= 1 + 1e-6;
  const Status status = dynamics.solve(t.q, t.v, t.tau, a);
  EXPECT_EQ(status.code, StatusCode::not_normalized);
  EXPECT_EQ(status.body, 3);
  t.q.segment<4>(at).setZero();
  EXPECT_NE(dynamics.solve(t.q, t.v, t.tau, a).message(model).find("the quaternion is zero"), std::string::npos);
}

TEST_P(StatusOf, OneBadColumnOfABatch) {
  Eigen::MatrixXd q(model.nq(), 4), v(model.nv(), 4), tau = v, b = v;
  for (int c = 0; c < 4; ++c) q.col(c) = s.q, v.col(c) = s.v, tau.col(c) = s.tau;
  tau(7, 2) = nan;
  const Status status = dynamics.solve(q, v, tau, b);
  EXPECT_EQ(status.code, StatusCode::not_finite);
  EXPECT_EQ(status.column, 2);
  EXPECT_EQ(status.message(model).rfind("column 2: tau of joint \"", 0), 0U) << status.message(model);
  ASSERT_EQ(dynamics.statuses().size(), 4u);
  for (std::size_t c = 0; c < 4; ++c) EXPECT_EQ(dynamics.statuses()[c].ok(), c != 2);
  EXPECT_TRUE(b.col(2).array().isNaN().all());
  EXPECT_FALSE(b.col(1).array().isNaN().any());
  EXPECT_EQ(b.col(0), b.col(3));
}

INSTANTIATE_TEST_SUITE_P(Algorithms, StatusOf,
                         testing::Values(Algorithm::ab, Algorithm::crb, Algorithm::cfa, Algorithm::modular),
                         [](const auto& info) { return std::string(name_of(info.param)); });

/// A call's failures are its own: the next calls begin with all columns ok, also those that a shorter call leaves out.
TEST_P(StatusOf, NoFailureOutlivesItsCall) {
  const auto columns = [&](Eigen::Index count, int bad) {
    Eigen::MatrixXd q = s.q.replicate(1, count), v = s.v.replicate(1, count), tau = s.tau.replicate(1, count);
    if (bad >= 0) tau(0, bad) = nan;
    Eigen::MatrixXd all(model.nv(), count);
    const Status first = dynamics.solve(q, v, tau, all);
    EXPECT_EQ(first.ok(), bad < 0);
    ASSERT_EQ(dynamics.statuses().size(), static_cast<std::size_t>(std::max<Eigen::Index>(count, 1)));
    for (int c = 0; c < count; ++c) {
      EXPECT_EQ(dynamics.statuses()[static_cast<std::size_t>(c)].ok(), c != bad) << c;
      EXPECT_EQ(dynamics.statuses()[static_cast<std::size_t>(c)].column, c);
    }
  };
  for (const int more : {21, 40}) {
    columns(21, 19);
    columns(21, -1);
    columns(21, 0);
    columns(21, 20);
    columns(3, -1);
    columns(more, -1);
    columns(1, 0);
    columns(0, -1);
    EXPECT_TRUE(dynamics.statuses()[0].ok());
    columns(more, -1);
    EXPECT_FALSE(dynamics.solve(s.v, s.v, s.tau, a).ok());  // the call as a whole
    columns(more, -1);
  }
}

/// A massless body between two slides: singular where the slides are parallel, and there only.
TEST(SolveStatus, Singular) {
  Description d;
  for (const char* name : {"turntable", "slider"}) {
    BodyDescription b;
    b.name = name;
    b.parent = d.bodies.empty() ? "world" : d.bodies.back().name;
    b.joint.name = std::string("to_") + name;
    b.joint.type = "revolute";
    b.joint.axis = {0, 0, 1};
    d.bodies.push_back(b);
  }
  // a point mass on two parallel revolute joints, in line with the second: its turn moves no inertia
  d.bodies[1].joint.origin.xyz = {1, 0, 0};
  d.bodies[1].joint.type = "prismatic";
  d.bodies[1].joint.axis = {1, 0, 0};
  d.bodies[1].inertial = InertialDescription{1, {}, {}, 0};
  const Model model = make_model(d);
  Eigen::Vector2d q(0.3, 0.2), v(1, 1), tau(1, 1), a;
  for (const Algorithm algorithm : {Algorithm::ab, Algorithm::cfa}) {
    ForwardDynamics dynamics(model, serial(algorithm));
    EXPECT_TRUE(dynamics.solve(q, v, tau, a).ok());
    const Eigen::Vector2d on_the_axis(0.3, -1);  // the mass stands on the turntable's axis
    const Status status = dynamics.solve(on_the_axis, v, tau, a);
    EXPECT_EQ(status.code, StatusCode::singular);
    EXPECT_EQ(status.body, 0);
    EXPECT_NE(status.message(model).find("to_turntable"), std::string::npos);
    EXPECT_TRUE(a.array().isNaN().all());
  }
}

TEST(SolveStatus, ColumnsOfAnyStride) {
  const Model model = make_model("chain:6");
  const TestState s = random_state(model, 1);
  Eigen::MatrixXd wide(20, 3);
  wide.setZero();
  wide.block(2, 1, 6, 1) = s.q;
  Eigen::VectorXd a(6), b(6);
  ForwardDynamics dynamics(model, serial(Algorithm::ab));
  ASSERT_TRUE(dynamics.solve(s.q, s.v, s.tau, a).ok());
  ASSERT_TRUE(dynamics.solve(wide.block(2, 1, 6, 1), s.v, s.tau, wide.block(9, 2, 6, 1)).ok());
  EXPECT_EQ(a, wide.block(9, 2, 6, 1));
  EXPECT_EQ(wide(8, 2), 0);
  EXPECT_EQ(wide(15, 2), 0);
}

}  // namespace
}  // namespace kinetree::oracle
