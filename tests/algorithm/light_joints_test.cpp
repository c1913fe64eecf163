// A massless body resists nothing by itself: where what it carries stands in line with its axis, nothing does.
#include "engine/model/light_joints.hpp"

#include <gtest/gtest.h>

#include "engine/algorithm/lanes/instruction_set.hpp"
#include "engine/scalar/worst.hpp"
#include "oracle/plans.hpp"
#include "oracle/reference_solve.hpp"

namespace kinetree::oracle {
namespace {

constexpr double in_line = 0.9272952180016122;  // atan2(0.16, 0.12) from the rod's own x

/// `arms` times on a fixed hub: an arm that turns about x, and on it a rod that turns about y and points along x where
/// its angle is `in_line`. `arm_mass` (kg) with moments of 1e-4 of it, m².
Model arms_with_rods(int arms, double arm_mass) {
  Description d;
  d.name = "arms_with_rods";
  for (int k = 0; k < arms; ++k) {
    const std::string number = std::to_string(k + 1);
    BodyDescription arm, rod;
    arm.name = "arm" + number, arm.parent = "world";
    arm.joint.name = "turn" + number, arm.joint.type = "revolute", arm.joint.axis = {1, 0, 0};
    arm.joint.origin.xyz = {0, 0.3 * k, 0};
    if (arm_mass > 0)
      arm.inertial =
          InertialDescription{arm_mass, {{0.01, 0, 0}}, {1e-4 * arm_mass, 1e-4 * arm_mass, 1e-4 * arm_mass, 0, 0, 0}};
    rod.name = "rod" + number, rod.parent = arm.name;
    rod.joint.name = "tilt" + number, rod.joint.type = "revolute", rod.joint.axis = {0, 1, 0};
    // a line of mass, askew in its frame
    rod.inertial = InertialDescription{1, {{0.12, 0, 0.16}}, {0.0128, 0.02, 0.0072, 0, -0.0096, 0}};
    d.bodies.insert(d.bodies.end(), {arm, rod});
  }
  return make_model(d);
}

template <class S>
Eigen::Matrix<S, Eigen::Dynamic, 1> angles(const Model& model, double tilt) {
  Eigen::Matrix<S, Eigen::Dynamic, 1> q(model.nq());
  for (Eigen::Index k = 0; k < q.size(); ++k) q[k] = static_cast<S>(k % 2 == 0 ? 0.4 * static_cast<double>(k) : tilt);
  return q;
}

/// Also with arms side by side, where that pays.
std::vector<Options> plans() {
  std::vector<Options> all = all_plans(1);
  all.push_back(serial(Algorithm::automatic));
  for (const int width : limb_widths(instruction_set())) all.emplace_back(serial(Algorithm::ab)).limbs = width;
  return all;
}

template <class S>
void refuse(const Model& model, const Options& options) {
  using Vector = Eigen::Matrix<S, Eigen::Dynamic, 1>;
  using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
  ForwardDynamics dynamics(model, options);
  const Eigen::Index nv = model.nv();
  for (const double speed : {0.0, 1.0}) {
    const Vector q = angles<S>(model, in_line), v = Vector::Constant(nv, S(speed)), tau = Vector::Constant(nv, S(0.1));
    Vector a(nv);
    const Status status = dynamics.solve(q, v, tau, a);
    ASSERT_EQ(status.code, StatusCode::singular) << describe(options) << ": " << a.transpose();
    EXPECT_EQ(model.joint_name(status.body).substr(0, 4), "turn") << describe(options);
    EXPECT_TRUE(a.array().isNaN().all());

    // one such state in a batch fails alone
    Matrix Q = angles<S>(model, 0.2).replicate(1, 21), A(nv, 21);
    Q.col(13) = q;
    const Status of_all = dynamics.solve(Q, v.replicate(1, 21).eval(), tau.replicate(1, 21).eval(), A);
    EXPECT_EQ(of_all.code, StatusCode::singular) << describe(options);
    EXPECT_EQ(of_all.column, 13);
    for (Eigen::Index c = 0; c < A.cols(); ++c)
      EXPECT_EQ(A.col(c).array().isNaN().any(), c == 13) << describe(options) << ", column " << c;
  }
}

TEST(LightJoints, WhereNothingResistsIsAStatus) {
  for (const int arms : {1, 4})
    for (const Options& options : plans()) {
      refuse<double>(arms_with_rods(arms, 0), options);
      refuse<float>(arms_with_rods(arms, 0), options);
      if (options.algorithm == Algorithm::ab) refuse<float>(arms_with_rods(arms, 1e-5), options);  // enough in double
    }
}

/// A chain of links that hang by a hinge and by three joints about x, y and z, with massless links between, in turn.
/// Where y is a right angle, x and z turn about one axis, and nothing resists x. Such a chain may be cut at its hinges.
Model chain_of_gimbals(int links) {
  Description d;
  d.name = "chain_of_gimbals";
  std::string inboard = "world";
  for (int k = 0; k < links; ++k)
    for (const char axis : {'h', 'x', 'y', 'z'}) {
      BodyDescription body;
      body.name = axis + std::to_string(k), body.parent = inboard;
      body.joint.name = "about_" + body.name, body.joint.type = "revolute";
      body.joint.axis = {axis == 'x' || axis == 'h' ? 1.0 : 0.0, axis == 'y' ? 1.0 : 0.0, axis == 'z' ? 1.0 : 0.0};
      if (axis == 'x' || (axis == 'h' && k > 0)) body.joint.origin.xyz = {0, 0.1, 0.5};
      if (axis == 'z' || axis == 'h')
        body.inertial = InertialDescription{1, {{0.02, 0, 0.2}}, {0.02, 0.03, 0.01, 0, 0, 0}};
      inboard = body.name;
      d.bodies.push_back(body);
    }
  return make_model(d);
}

template <class S>
void refuse_locked_gimbals(const Options& options) {
  constexpr int links = 384;
  const Model model = chain_of_gimbals(links);
  ForwardDynamics dynamics(model, options);
  if (options.limbs > 2) {
    EXPECT_GT(dynamics.plan().end_chains, 1);
  }
  using Vector = Eigen::Matrix<S, Eigen::Dynamic, 1>;
  const Vector v = Vector::Zero(model.nv()), tau = Vector::Constant(model.nv(), S(0.1));
  Vector q(model.nq()), a(model.nv());
  for (Eigen::Index k = 0; k < q.size(); ++k) q[k] = S(0.3) + S(0.1) * static_cast<S>(k % 5);
  EXPECT_TRUE(dynamics.solve(q, v, tau, a).ok()) << describe(options);
  for (const int locked : {3, 150, 301, links - 1}) {
    Vector there = q;
    there[4 * locked + 2] = static_cast<S>(std::acos(-1.0) / 2);
    const Status status = dynamics.solve(there, v, tau, a);
    EXPECT_EQ(status.code, StatusCode::singular) << describe(options) << ", link " << locked;
    EXPECT_EQ(model.joint_name(std::max(0, status.body)), "about_x" + std::to_string(locked)) << describe(options);
  }
}

TEST(LightJoints, LockedGimbalsInsideAChainAreAStatus) {
  std::vector<Options> all{serial(Algorithm::ab), serial(Algorithm::modular)};
  all.back().grain = 192;
  if (const auto widths = limb_widths(instruction_set()); !widths.empty()) {
    all.push_back(all.back());
    all.back().limbs = widths.back();
  }
  for (const Options& options : all) {
    refuse_locked_gimbals<double>(options);
    refuse_locked_gimbals<float>(options);
  }
}

/// Beside that configuration, and with a milligram, accelerations are those of 60 digits, less the digits that the
/// small inertia costs.
TEST(LightJoints, BesideThatTheyAreSolved) {
  for (const double mass : {0.0, 1e-6})
    for (const double off : {1e-2, 1.0}) {
      const Model model = arms_with_rods(4, mass);
      TestState s;
      s.q = angles<double>(model, in_line + off);
      s.v = Eigen::VectorXd::LinSpaced(model.nv(), -1, 1);
      s.tau = Eigen::VectorXd::LinSpaced(model.nv(), 0.5, -0.3);
      const std::vector<Reference> exact = reference_accelerations(model, s);
      Eigen::VectorXd truth(model.nv());
      for (std::size_t k = 0; k < exact.size(); ++k)
        truth[static_cast<Eigen::Index>(k)] = static_cast<double>(exact[k]);
      for (const Options& options : plans()) {
        ForwardDynamics dynamics(model, options);
        EXPECT_LT(largest_of(accelerations(dynamics, s) - truth) / largest_of(truth), 1e-14 / (off * off))
            << describe(options) << ", " << mass << " kg, " << off << " rad";
      }
    }
}

TEST(LightJoints, AreFoundByWhatTheyCarry) {
  const auto bodies = [](const std::vector<LightJoint>& joints) {
    std::vector<int> all;
    for (const LightJoint& joint : joints) all.push_back(joint.body);
    return all;
  };
  EXPECT_EQ(bodies(light_joints(arms_with_rods(2, 0).data())), (std::vector<int>{0, 2}));
  EXPECT_EQ(bodies(light_joints(arms_with_rods(2, 1e-3).data())), (std::vector<int>{0, 2}));
  EXPECT_TRUE(light_joints(arms_with_rods(2, 1).data()).empty());
  for (const char* family : {"chain:20", "tree:2x4", "rope:6:joints=spherical", "random:40:seed=3"})
    EXPECT_TRUE(light_joints(make_model(family).data()).empty()) << family;
}

}  // namespace
}  // namespace kinetree::oracle
