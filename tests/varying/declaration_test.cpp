// What Varying declares and refuses, and what is said of a column whose numbers are wrong.
#include <gtest/gtest.h>

#include <array>
#include <kinetree/kinetree.hpp>
#include <limits>
#include <string>

#include "varying/columns.hpp"

namespace kinetree::oracle {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Description arm_with_tool() {
  Description d;
  for (const char* name : {"upper", "fore"}) {
    BodyDescription b;
    b.name = name, b.parent = d.bodies.empty() ? "world" : d.bodies.back().name;
    b.joint.name = std::string(name) + "_joint", b.joint.type = "revolute", b.joint.axis = {0.1, 1, 0.2};
    b.joint.origin.xyz = {0.4, 0.1, 0};
    b.inertial =
        InertialDescription{.mass = 2, .frame = {.xyz = {0.2, 0, 0.1}}, .inertia = {0.1, 0.2, 0.15, 0.01, 0, 0}};
    d.bodies.push_back(b);
  }
  BodyDescription tool;
  tool.name = "tool", tool.parent = "fore", tool.joint.name = "mount", tool.joint.type = "fixed";
  tool.joint.origin = {.xyz = {0.3, 0.2, 0}, .quaternion = quaternion_from_rpy({0.3, 0.5, -0.7})};
  d.bodies.push_back(tool);
  return d;
}

TEST(Varying, PayloadOnALinkThatIsFixedToAnother) {
  Description d = arm_with_tool();
  const Model model = make_model(d);
  Varying varying(model);
  varying.add(Parameter::inertia, "tool");
  EXPECT_EQ(varying.nominal(), VectorXd::Zero(10));
  const LinkInertia payload{1.5, {0.1, 0.02, 0.3}, {0.02, 0.03, 0.04, 0.001, 0.002, 0.003}};
  const std::array<double, 10> rows = inertia_rows(payload);
  d.bodies[2].inertial =
      InertialDescription{.mass = payload.mass, .frame = {.xyz = payload.centre_of_mass}, .inertia = payload.inertia};
  const Model loaded = make_model(d);
  const VectorXd q = VectorXd::Constant(2, 0.7), v = VectorXd::Constant(2, -0.4), tau = VectorXd::Constant(2, 3);
  VectorXd a(2), expected(2);
  ForwardDynamics dynamics(varying), plain(loaded);
  ASSERT_TRUE(dynamics.with(Eigen::Map<const VectorXd>(rows.data(), 10)).solve(q, v, tau, a).ok());
  ASSERT_TRUE(plain.solve(q, v, tau, expected).ok());
  EXPECT_LE(relative(a, expected), 1e-13);
}

TEST(Varying, RowsHaveNames) {
  Varying varying(make_model(arm_with_tool()));
  varying.add(Parameter::inertia, "tool").add(Parameter::armature).add(Parameter::gravity).add(Parameter::armature);
  EXPECT_EQ(varying.rows(), 10 + 2 + 3);
  EXPECT_EQ(varying.row_name(varying.row(Parameter::inertia, "tool") + 7), "inertia xy of link \"tool\"");
  EXPECT_EQ(varying.row_name(varying.row(Parameter::armature, "fore_joint")), "armature of joint \"fore_joint\"");
  EXPECT_EQ(varying.row_name(varying.row(Parameter::gravity) + 2), "gravity z");
}

template <class Call>
void expect_refused(Call&& call, const std::string& words) {
  try {
    call();
    ADD_FAILURE() << "nothing was thrown; expected: " << words;
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(Varying, RefusesDeclarationsThatMakeNoSense) {
  const Model model = make_model(arm_with_tool());
  Varying varying(model);
  expect_refused([&] { varying.add(Parameter::inertia, "hand"); }, "no link 'hand'");
  expect_refused([&] { varying.add(Parameter::damping, "tool"); }, "no moving joint 'tool'");
  expect_refused([&] { varying.add(Parameter::gravity, "tool"); }, "gravity is the model's");
  expect_refused([&] { (void)varying.row(Parameter::inertia, "tool"); }, "inertia of \"tool\" does not vary; add it");
  varying.add(Parameter::inertia, "fore");
  Description other = arm_with_tool();
  other.bodies[1].inertial->mass = 3;
  EXPECT_EQ(varying.numbers_of(make_model(other))[0], 3);
  other.bodies[0].inertial->mass = 3;
  expect_refused([&] { (void)varying.numbers_of(make_model(other)); }, "another inertia of link \"upper\", which does");
  other.bodies[0].joint.origin.xyz[0] += 0.1;
  expect_refused([&] { (void)varying.numbers_of(make_model(other)); }, "elsewhere");
  expect_refused([&] { (void)varying.numbers_of(make_model("chain:3")); }, "has other joints, links or loops");
  expect_refused([&] { varying.bound(0, 3, 4); }, "leave out the model's own mass of link \"fore\", 2");
  expect_refused([&] { varying.bound(10, 0, 1); }, "there is no row 10; rows are numbered 0 to 9");
  expect_refused([&] { (void)inertia_rows({.mass = -1}); }, "mass -1, which must be >= 0");
  expect_refused([&] { (void)inertia_rows({1, {}, {1, 1, -1, 0, 0, 0}}); }, "none may be negative");
  expect_refused([&] { (void)link_inertia({1, 1, 0, 0, 1, 0.5, 1, 0, 0, 0}); }, "none may be negative");
}

TEST(Varying, InertiasThereAndBack) {
  const LinkInertia a{1.5, {0.1, 0.02, 0.3}, {0.02, 0.03, 0.04, 0.001, 0.002, 0.003}};
  const LinkInertia b = link_inertia(inertia_rows(a));
  EXPECT_EQ(a.mass, b.mass);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a.centre_of_mass[k], b.centre_of_mass[k], 1e-16);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(a.inertia[k], b.inertia[k], 1e-16);
}

/// A wrong column says which link and rule, is NaN, and leaves the others alone.
TEST(Varying, WrongColumnsHaveAStatus) {
  Case c(arm_with_tool());
  const int fore = c.varying.row(Parameter::inertia, "fore"), rotor = c.varying.row(Parameter::armature, "upper_joint");
  Varying bounded = c.varying;
  bounded.bound(fore, 1, 3);
  c.P = c.varying.nominal().replicate(1, columns);
  ForwardDynamics dynamics(bounded);
  Workspace workspace(bounded);
  MatrixXd right = c.a, tau = c.a;
  ASSERT_TRUE(dynamics.with(c.P).solve(c.q, c.v, c.tau, right).ok());
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  struct Wrong {
    int row;
    double value;
    StatusCode code;
    const char* words;
  };
  for (const Wrong& wrong : {
           Wrong{fore, 3.5, StatusCode::out_of_bounds,
                 "mass of body \"fore\" on joint \"fore_joint\" is 3.5, outside the bounds"},
           Wrong{fore, 0.5, StatusCode::out_of_bounds, "is 0.5"},
           Wrong{rotor, -1e-3, StatusCode::out_of_bounds, "armature of joint \"upper_joint\" is -0.001"},
           Wrong{fore + 1, infinity, StatusCode::not_finite, "first moment of body \"fore\""},
           Wrong{fore + 4, infinity, StatusCode::not_finite, "inertia of body \"fore\" on joint \"fore_joint\" is inf"},
           Wrong{fore + 8, nan, StatusCode::not_finite, "is nan"},
           Wrong{c.varying.row(Parameter::inertia, "upper"), -2, StatusCode::not_rigid,
                 "the mass is -2; give one >= 0"},
           Wrong{c.varying.row(Parameter::gravity) + 1, nan, StatusCode::not_finite, "gravity is nan"},
           Wrong{rotor, nan, StatusCode::not_finite, "armature of joint \"upper_joint\" is nan"},
           Wrong{fore + 2, infinity, StatusCode::not_finite, "first moment of body \"fore\""},
           Wrong{fore + 5, 0, StatusCode::not_rigid, "the least moment about the centre of mass is -"},
       }) {
    for (int column = 0; column < columns; ++column) {
      MatrixXd P = c.P;
      P(wrong.row, column) = wrong.value;
      const Status status = dynamics.with(P).solve(c.q, c.v, c.tau, c.a);
      EXPECT_EQ(status.code, wrong.code) << wrong.words;
      EXPECT_EQ(status.column, column);
      EXPECT_NE(status.message(c.model).find(wrong.words), std::string::npos) << status.message(c.model);
      for (int k = 0; k < columns; ++k)
        EXPECT_TRUE(k == column ? c.a.col(k).array().isNaN().all() : c.a.col(k) == right.col(k)) << "column " << k;
      EXPECT_EQ(dynamics.with(P.col(column)).solve(c.q.col(0), c.v.col(0), c.tau.col(0), c.a.col(0)).code, wrong.code);
      const Status inverse = inverse_dynamics(c.model, workspace.with(P), c.q, c.v, right, tau);
      EXPECT_EQ(inverse.code, wrong.code);
      EXPECT_TRUE(tau.col(column).array().isNaN().all());
    }
  }
  EXPECT_EQ(dynamics.with(c.P.topRows(3)).solve(c.q, c.v, c.tau, c.a).code, StatusCode::wrong_size);
  EXPECT_EQ(dynamics.with(c.P.leftCols(3)).solve(c.q, c.v, c.tau, c.a).code, StatusCode::wrong_size);
  EXPECT_TRUE(dynamics.solve(c.q, c.v, c.tau, c.a).ok()) << "parameters are those of one call";
  ForwardDynamics plain(c.model);
  EXPECT_EQ(plain.with(c.P).solve(c.q, c.v, c.tau, c.a).code, StatusCode::wrong_size);
  EXPECT_EQ(dynamics.with(c.a).solve(c.q, c.v, c.tau, c.a).code, StatusCode::wrong_size);
}

/// A thin rod turns about its own axis without inertia: valid, though no leading minor is positive.
TEST(Varying, AThinRodIsARigidBody) {
  Case c(arm_with_tool());
  const int fore = c.varying.row(Parameter::inertia, "fore");
  c.P = c.varying.nominal().replicate(1, columns);
  const std::array<double, 10> rod = inertia_rows({2, {0.2, 0, 0}, {0, 0.1, 0.1, 0, 0, 0}});
  c.P.col(4).segment<10>(fore) = Eigen::Map<const VectorXd>(rod.data(), 10);
  ForwardDynamics dynamics(c.varying);
  EXPECT_TRUE(dynamics.with(c.P).solve(c.q, c.v, c.tau, c.a).ok());
}

}  // namespace
}  // namespace kinetree::oracle
