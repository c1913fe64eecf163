// A massless body resists nothing by itself: where what it carries stands in line with its axis, nothing does.
#include "engine/model/light_joints.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/algorithm/lanes/instruction_set.hpp"
#include "engine/scalar/worst.hpp"
#include "oracle/plans.hpp"
#include "oracle/reference_solve.hpp"

namespace kinetree::oracle {
namespace {

constexpr double in_line = 0.9272952180016122;  // atan2(0.16, 0.12) from the rod's own x

/// `arms` times on a fixed hub: an arm that turns about x, and on it a rod that turns about y and points along x where
/// its angle is `in_line`. `arm_mass` (kg) with moments of 1e-4 of it, m².
Description description_of_arms(int arms, double arm_mass) {
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
  return d;
}
Model arms_with_rods(int arms, double arm_mass) { return make_model(description_of_arms(arms, arm_mass)); }

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

/// A chain on a gimbal of massless links about x and y; its first link turns about z. Where y is a right angle, x and z
/// turn about one axis, and nothing resists x: of its D the chain leaves rounding, whether the chain is swept as one or
/// comes back from modules.
Model chain_on_gimbal(int links) {
  Description d;
  d.name = "chain_on_gimbal";
  std::string inboard = "world";
  for (int k = 0; k < links + 2; ++k) {
    const char axis = k == 0 ? 'x' : k == 1 ? 'y' : k % 2 == 0 ? 'z' : 'x';
    BodyDescription body;
    body.name = "link" + std::to_string(k), body.parent = inboard;
    body.joint.name = "about_" + std::string(1, axis) + std::to_string(k), body.joint.type = "revolute";
    body.joint.axis = {axis == 'x' ? 1.0 : 0.0, axis == 'y' ? 1.0 : 0.0, axis == 'z' ? 1.0 : 0.0};
    if (k > 2) body.joint.origin.xyz = {0, 0.1, 0.5};
    if (k > 1) body.inertial = InertialDescription{1, {{0.02, 0, 0.2}}, {0.02, 0.03, 0.01, 0, 0, 0}};
    inboard = body.name;
    d.bodies.push_back(body);
  }
  return make_model(d);
}

template <class S>
void refuse_locked_mount(int links, const Options& options) {
  using Vector = Eigen::Matrix<S, Eigen::Dynamic, 1>;
  const Model model = chain_on_gimbal(links);
  ForwardDynamics dynamics(model, options);
  const Vector v = Vector::Zero(model.nv()), tau = Vector::Constant(model.nv(), S(0.1));
  Vector a(model.nv());
  int refused = 0;
  for (int k = 0; k < 8; ++k) {
    Vector q(model.nq());
    for (Eigen::Index n = 0; n < q.size(); ++n) q[n] = S(0.1) + S(0.1) * static_cast<S>((n + k) % 7);
    EXPECT_TRUE(dynamics.solve(q, v, tau, a).ok()) << describe(options);
    q[1] = static_cast<S>(std::acos(-1.0) / 2);
    const Status status = dynamics.solve(q, v, tau, a);
    if (status.code == StatusCode::singular) ++refused;
    if (!status.ok()) {
      EXPECT_EQ(model.joint_name(std::max(0, status.body)), "about_x0") << describe(options);
    }
  }
  EXPECT_EQ(refused, 8) << describe(options);
}

TEST(LightJoints, WhatAModuleGivesBackIsFelt) {
  std::vector<Options> all{serial(Algorithm::ab), serial(Algorithm::automatic), serial(Algorithm::cfa)};
  for (const int grain : {2, 64}) all.emplace_back(serial(Algorithm::modular)).grain = grain;
  for (const int width : limb_widths(instruction_set())) {
    all.push_back(all.back());
    all.back().limbs = width;
  }
  for (const Options& options : all) {
    refuse_locked_mount<double>(512, options);
    if (options.algorithm != Algorithm::cfa) refuse_locked_mount<float>(512, options);
  }
}

/// A massless cross that turns about x and z, and on it a body that turns about y: where z is a right angle, x and y
/// turn about one axis, and nothing resists x.
Model body_on_cross() {
  Description d;
  d.name = "body_on_cross";
  BodyDescription cross, body;
  cross.name = "cross", cross.parent = "world";
  cross.joint.name = "cross", cross.joint.type = "universal";
  cross.joint.axis = {1, 0, 0}, cross.joint.axis2 = {0, 0, 1};
  body.name = "body", body.parent = "cross";
  body.joint.name = "tilt", body.joint.type = "revolute", body.joint.axis = {0, 1, 0};
  body.inertial = InertialDescription{1, {{0.02, 0, 0.2}}, {0.02, 0.03, 0.01, 0, 0, 0}};
  d.bodies = {cross, body};
  return make_model(d);
}

template <class S>
void refuse_cross(const Options& options) {
  using Vector = Eigen::Matrix<S, Eigen::Dynamic, 1>;
  const Model model = body_on_cross();
  ForwardDynamics dynamics(model, options);
  for (int k = 0; k < 8; ++k) {
    Vector q(3), v = Vector::Zero(3), tau = Vector::Constant(3, S(0.1)), a(3);
    q << static_cast<S>(k), static_cast<S>(std::acos(-1.0) / 2), static_cast<S>(0.7 * k);
    const Status status = dynamics.solve(q, v, tau, a);
    ASSERT_EQ(status.code, StatusCode::singular) << describe(options) << ": " << a.transpose();
    EXPECT_EQ(model.joint_name(status.body), "cross") << describe(options);
    q[1] = S(0.5);
    EXPECT_TRUE(dynamics.solve(q, v, tau, a).ok()) << describe(options);
  }
}

TEST(LightJoints, OfSeveralFreedomsAreWatchedToo) {
  for (const Options& options : plans()) {
    refuse_cross<double>(options);
    refuse_cross<float>(options);
  }
}

/// Two massless arms that gears tie together. Where both rods are in line, their pair moves nothing.
TEST(LightJoints, ThatAreTiedAreWatchedToo) {
  Description d = description_of_arms(2, 0);
  d.couplings = {{"gears", {{"turn1", 1}, {"turn2", -1}}}};
  const Model model = make_model(d);
  std::vector<Options> all = plans();
  all.emplace_back(serial(Algorithm::ab)).loops = Loops::multipliers;
  const Eigen::VectorXd v = Eigen::VectorXd::Zero(4), tau = Eigen::VectorXd::Constant(4, 0.1);
  for (const Options& options : all) {
    ForwardDynamics dynamics(model, options);
    for (int k = 0; k < 8; ++k) {
      Eigen::VectorXd q(4), a(4);
      q << 0.3 * k, in_line, 0.3 * k, in_line;
      const Status status = dynamics.solve(q, v, tau, a);
      ASSERT_EQ(status.code, StatusCode::singular) << describe(options) << ": " << a.transpose();
      EXPECT_EQ(model.joint_name(status.body).substr(0, 4), "turn") << describe(options);
      if (options.loops == Loops::multipliers) continue;  // they ask for a spanning tree that resists by itself
      q[3] += 0.5;                                        // one of them in line is held by the other
      EXPECT_TRUE(dynamics.solve(q, v, tau, a).ok()) << describe(options);
    }
  }
}

/// Links of a millimetre move no less surely than those of a metre: each velocity is measured in its own unit.
TEST(LightJoints, ALinkageMayBeSmall) {
  Description d = make_description("fourbars:3");
  const auto shrink = [](Placement& placement) {
    for (double& x : placement.xyz) x *= 1e-3;
  };
  for (BodyDescription& body : d.bodies) {
    shrink(body.joint.origin);
    if (!body.inertial) continue;
    shrink(body.inertial->frame);
    for (double& x : body.inertial->inertia) x *= 1e-6;
  }
  for (LoopDescription& loop : d.loops) shrink(loop.first.frame), shrink(loop.second.frame);
  const Model model = make_model(d);
  const Eigen::VectorXd q = Eigen::VectorXd::Map(model.data().assembled.data(), model.nq()),
                        v = Eigen::VectorXd::Zero(model.nv()),
                        tau = Eigen::VectorXd::LinSpaced(model.nv(), -1e-3, 1e-3);
  Eigen::VectorXd a(model.nv());
  Eigen::VectorXf in_float(model.nv());
  for (const Loops loops : {Loops::embed, Loops::multipliers}) {
    Options options = serial(Algorithm::ab);
    options.loops = loops;
    ForwardDynamics dynamics(model, options);
    ASSERT_TRUE(dynamics.solve(q, v, tau, a).ok());
    ASSERT_TRUE(dynamics.solve(q.cast<float>().eval(), v.cast<float>().eval(), tau.cast<float>().eval(), in_float).ok())
        << dynamics.statuses()[0].message(model);
    EXPECT_LT(largest_of(in_float.cast<double>() - a), 1e-3 * largest_of(a));
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
  const auto light = [](const Model& model) { return felt_inertia(model.data()).light; };
  EXPECT_EQ(light(arms_with_rods(2, 0)), (std::vector<int>{0, 2}));
  EXPECT_EQ(light(arms_with_rods(2, 1e-3)), (std::vector<int>{0, 2}));
  EXPECT_TRUE(light(arms_with_rods(2, 1)).empty());
  for (const char* family : {"chain:20", "tree:2x4", "rope:6:joints=spherical", "random:40:seed=3"})
    EXPECT_TRUE(light(make_model(family)).empty()) << family;
}

/// A screw of a gram with a moment of 1e-9 kg m² about its axis, and on it a rod that it must move; `pitch` m/rad.
Model screw_with_rod(double pitch) {
  Description d;
  BodyDescription screw, rod;
  screw.name = "screw", screw.parent = "world";
  screw.joint.name = "turn", screw.joint.type = "helical", screw.joint.pitch = pitch;
  screw.inertial = InertialDescription{1e-3, {}, {1e-9, 1e-9, 1e-9, 0, 0, 0}};
  rod.name = "rod", rod.parent = "screw";
  rod.joint.name = "tilt", rod.joint.type = "revolute", rod.joint.axis = {1, 0, 0};
  rod.inertial = InertialDescription{2, {}, {0.05, 0.05, 0.05, 0, 0, 0}};
  d.bodies = {screw, rod};
  return make_model(d);
}

/// What a screw resists is m pitch² beside its moment, and a ten-thousandth of what it carries is the limit: here
/// 1e-9 + 1e-3 pitch² = 1e-4 (0.05 + 2 pitch²).
TEST(LightJoints, AScrewIsLightUpToTheLimitOfItsPitch) {
  const double limit = std::sqrt((1e-4 * 0.05 - 1e-9) / (1e-3 - 1e-4 * 2));
  for (const double part : {0.99, 1.01}) {
    const FeltInertia felt = felt_inertia(screw_with_rod(part * limit).data());
    EXPECT_EQ(felt.light, part < 1 ? std::vector<int>{0} : std::vector<int>{}) << part;
    EXPECT_NEAR(felt.most[0], 0.05 + 2 * part * part * limit * limit, 1e-12) << part;
  }
}

/// The limit itself, a ten-thousandth, by an arm's moment about its axis.
TEST(LightJoints, AreLightUpToATenThousandth) {
  for (const double part : {0.99, 1.01}) {
    Description d = description_of_arms(1, 1);
    const double felt = felt_inertia(make_model(d).data()).most[0];
    d.bodies[0].inertial = InertialDescription{1e-6, {}, {1e-4 * felt * part, 1e-4 * felt, 1e-4 * felt, 0, 0, 0}};
    EXPECT_EQ(felt_inertia(make_model(d).data()).light.size(), part < 1 ? 1u : 0u) << part;
  }
}

}  // namespace
}  // namespace kinetree::oracle
