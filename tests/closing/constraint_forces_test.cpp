// Forces of loops, couplings and joints: against the equations of the spanning tree, Jacobians by the library's other
// functions, 60 digits, closed forms; power, the ground's sum, and what redundant rows get.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <Eigen/Geometry>
#include <cmath>
#include <cstdio>
#include <kinetree/configuration.hpp>
#include <kinetree/constraint_forces.hpp>
#include <kinetree/kinematics.hpp>
#include <kinetree/kinetree.hpp>
#include <kinetree/scalar/reference.hpp>

#include "engine/model/loops.hpp"
#include "engine/scalar/worst.hpp"
#include "loops/closed_mechanisms.hpp"
#include "loops/linkage_parts.hpp"
#include "parallel/allocations.hpp"

namespace kinetree::oracle {
namespace constraint_forces {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

/// A point on a loop's end, by its link and the way from there. The ground has none.
struct End {
  bool ground = true;
  LinkPoint point{0};
};
End end_of(const Model& model, const LoopDescription::End& end) {
  if (end.body == "world") return {};
  return {false, {frame_index(model, end.body), {end.frame.xyz[0], end.frame.xyz[1], end.frame.xyz[2]}}};
}

/// Of one state: forces by the library, and what they should do.
struct Found {
  VectorXd loops, couplings, joints;
};

Found forces_of(const Model& model, Workspace& workspace, const VectorXd& q, const VectorXd& v, const VectorXd& a,
                const VectorXd& tau, const VectorXd& f_ext, Axes axes) {
  Found found{VectorXd(12 * static_cast<Eigen::Index>(model.data().loops.size())),
              VectorXd(static_cast<Eigen::Index>(model.data().couplings.size())), VectorXd(6 * model.body_count())};
  for (const Status& status : {loop_forces(model, workspace, q, v, a, tau, f_ext, axes, found.loops),
                               coupling_forces(model, workspace, q, v, a, tau, f_ext, found.couplings),
                               joint_reactions(model, workspace, q, v, a, tau, f_ext, axes, found.joints)})
    EXPECT_TRUE(status.ok()) << status.message(model);
  return found;
}

/// Kᵀ lambda by Jacobians of the loops' ends, and the power of constraint forces beside the sum of its terms' sizes.
struct Effect {
  VectorXd joints;
  double power = 0, size = 0;
};
Effect effect_of(const Description& d, const Model& model, Workspace& workspace, const VectorXd& q, const VectorXd& v,
                 const Found& found) {
  Effect effect{VectorXd::Zero(model.nv())};
  for (std::size_t l = 0; l < d.loops.size(); ++l)
    for (const bool second : {false, true}) {
      const End end = end_of(model, second ? d.loops[l].second : d.loops[l].first);
      if (end.ground) continue;
      MatrixXd J(6, model.nv());
      EXPECT_TRUE(jacobians(model, workspace, q, std::vector<LinkPoint>{end.point}, Axes::world_aligned, J).ok());
      const VectorXd wrench = found.loops.segment<6>(12 * static_cast<Eigen::Index>(l) + (second ? 6 : 0));
      effect.joints += J.transpose() * wrench;
      effect.power += (J * v).dot(wrench);
      effect.size += (J * v).norm() * wrench.norm();
    }
  for (std::size_t c = 0; c < d.couplings.size(); ++c)
    for (const CouplingDescription::Term& term : d.couplings[c].terms) {
      const double x = q[model.q_index(term.joint)];
      const double slope =
          term.coefficient + x * (2 * term.powers[0] + x * (3 * term.powers[1] + x * 4 * term.powers[2]));
      const double force = slope * found.couplings[static_cast<Eigen::Index>(c)];
      effect.joints[model.v_index(term.joint)] += force;
      effect.power += force * v[model.v_index(term.joint)];
      effect.size += std::abs(force * v[model.v_index(term.joint)]);
    }
  return effect;
}

/// What the spanning tree's joints have beyond tau, in 60 digits: M a + h - tau with the accelerations of the dense
/// null-space solution.
VectorXd reference_of(const ClosedMechanism& m, const Model& model, VectorXd& a) {
  DenseClosedReference reference(m.description, m.tree);
  reference.set(m.state.q, m.state.v);
  reference.eliminate(static_cast<int>(independent_velocities(model).size()));
  a = reference.accelerations(m.state.tau);
  const auto asked = (reference.mass_matrix() * a.cast<Reference>() + reference.bias()).eval();
  VectorXd sum(model.nv());
  for (Eigen::Index k = 0; k < sum.size(); ++k) sum[k] = to_double(asked[k]) - m.state.tau[k];
  return sum;
}

double relative(const VectorXd& x, const VectorXd& truth) {
  return largest_of(x - truth) / std::max(1.0, largest_of(truth));
}

TEST(ConstraintForces, RandomMechanismsMoveAsTheirForcesSay) {
  double worst = 0, power = 0, between = 0, axes = 0;
  for (std::uint64_t seed = 0; seed < few_mechanisms / 5; ++seed) {
    const ClosedMechanism m = random_closed_mechanism(seed);
    const Model& model = m.model;
    Workspace workspace(model);
    const bool external = seed % 2 == 0;
    const VectorXd f_ext = external ? m.state.f_ext : VectorXd();
    Found all[2];
    int which = 0;
    for (const Loops loops : {Loops::embed, Loops::multipliers}) {
      ForwardDynamics dynamics(model, Options{.loops = loops});
      VectorXd a(model.nv()), tau_spanning(model.nv());
      const Status status = external ? dynamics.solve(m.state.q, m.state.v, m.state.tau, f_ext, a)
                                     : dynamics.solve(m.state.q, m.state.v, m.state.tau, a);
      ASSERT_TRUE(status.ok()) << status.message(model);
      Found& found = all[which++] =
          forces_of(model, workspace, m.state.q, m.state.v, a, m.state.tau, f_ext, Axes::world_aligned);
      ASSERT_TRUE((external ? inverse_dynamics(model, workspace, m.state.q, m.state.v, a, f_ext, tau_spanning)
                            : inverse_dynamics(model, workspace, m.state.q, m.state.v, a, tau_spanning))
                      .ok());
      const Effect effect = effect_of(m.description, model, workspace, m.state.q, m.state.v, found);
      keep_worst(worst, relative(effect.joints, tau_spanning - m.state.tau));
      EXPECT_LE(relative(effect.joints, tau_spanning - m.state.tau), 1e-9) << seed;
      keep_worst(power, std::abs(effect.power) / std::max(1.0, effect.size));
      EXPECT_LE(std::abs(effect.power), 1e-12 * std::max(1.0, effect.size)) << seed;
      // along the joints' axes, as a sensor reads it
      const VectorXd link = forces_of(model, workspace, m.state.q, m.state.v, a, m.state.tau, f_ext, Axes::link).joints;
      for (int i = 0; i < model.body_count(); ++i) {
        if (velocity_count(model.joint_type(i)) != 1 || model.joint_type(i) == JointType::helical) continue;
        const int k = model.v_index(i);
        double expected = m.state.tau[k] - model.data().armature[static_cast<std::size_t>(k)] * a[k];
        for (std::size_t c = 0; c < m.description.couplings.size(); ++c)
          for (const CouplingDescription::Term& term : m.description.couplings[c].terms)
            if (term.joint == model.joint_name(i)) {
              const double x = m.state.q[model.q_index(i)];
              expected +=
                  found.couplings[static_cast<Eigen::Index>(c)] *
                  (term.coefficient + x * (2 * term.powers[0] + x * (3 * term.powers[1] + x * 4 * term.powers[2])));
            }
        Numbers3 axis{};
        for (const BodyDescription& b : m.description.bodies)
          if (b.joint.name == model.joint_name(i)) axis = b.joint.axis;
        const Vector3d along = Vector3d(axis[0], axis[1], axis[2]).normalized();
        const bool slides = model.joint_type(i) == JointType::prismatic;
        const double read = along.dot(link.segment<3>(6 * i + (slides ? 3 : 0)));
        keep_worst(axes, std::abs(read - expected) / std::max(1.0, link.segment<6>(6 * i).norm()));
        EXPECT_NEAR(read, expected, 1e-8 * std::max(1.0, link.segment<6>(6 * i).norm())) << seed << " " << i;
      }
    }
    for (const auto& part : {&Found::loops, &Found::couplings, &Found::joints}) {
      const VectorXd &one = all[0].*part, &other = all[1].*part;
      if (one.size() > 0) keep_worst(between, relative(one, other));
    }
  }
  std::printf("Kᵀ lambda off by %.1e, power %.1e, along axes %.1e, embedding and multipliers apart by %.1e\n", worst,
              power, axes, between);
  EXPECT_LE(between, 1e-6);
}

TEST(ConstraintForces, AgreeWithSixtyDigits) {
  double worst = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const ClosedMechanism m = random_closed_mechanism(seed);
    const Model& model = m.model;
    Workspace workspace(model);
    VectorXd a;
    const VectorXd asked = reference_of(m, model, a);
    const Found found =
        forces_of(model, workspace, m.state.q, m.state.v, a, m.state.tau, VectorXd(), Axes::world_aligned);
    const Effect effect = effect_of(m.description, model, workspace, m.state.q, m.state.v, found);
    EXPECT_LE(relative(effect.joints, asked), 1e-9) << seed;
    keep_worst(worst, relative(effect.joints, asked));
  }
  std::printf("off by %.1e from 60 digits\n", worst);
}

/// What holds the ground's joints and loops is the rate of momentum less weight and external forces, about the world's
/// origin: body by body from centres of mass, which point_kinematics moves.
TEST(ConstraintForces, TheGroundsSumIsTheRateOfMomentumLessWeight) {
  double worst = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const ClosedMechanism m = random_closed_mechanism(seed);
    const Model& model = m.model;
    Workspace workspace(model);
    ForwardDynamics dynamics(model);
    VectorXd a(model.nv());
    ASSERT_TRUE(dynamics.solve(m.state.q, m.state.v, m.state.tau, a).ok());
    const Found found = forces_of(model, workspace, m.state.q, m.state.v, a, m.state.tau, VectorXd(), Axes::world);
    VectorXd ground = VectorXd::Zero(6), truth = VectorXd::Zero(6);
    double size = 0;
    for (int i = 0; i < model.body_count(); ++i)
      if (model.parent(i) < 0) ground += found.joints.segment<6>(6 * i);
    for (std::size_t l = 0; l < m.description.loops.size(); ++l) {
      const VectorXd wrenches = found.loops.segment<12>(12 * static_cast<Eigen::Index>(l));
      EXPECT_LE(largest_of(wrenches.head<6>() + wrenches.tail<6>()), 1e-11 * std::max(1.0, largest_of(wrenches)));
      const auto on_ground = [&](const std::string& link) { return link == "world" || model.body_of_link(link) < 0; };
      if (on_ground(m.description.loops[l].first.body)) ground -= wrenches.head<6>();
      if (on_ground(m.description.loops[l].second.body)) ground -= wrenches.tail<6>();
    }
    for (const BodyDescription& b : m.description.bodies) {
      if (!b.inertial || model.body_of_link(b.name) < 0) continue;  // what is fixed to the ground is the ground's
      const Numbers3& com = b.inertial->frame.xyz;
      VectorXd pose(12), v(6), rate(6);
      const std::vector<LinkPoint> point{{frame_index(model, b.name), {com[0], com[1], com[2]}}};
      ASSERT_TRUE(
          point_kinematics(model, workspace, m.state.q, m.state.v, a, point, Axes::world_aligned, pose, v, rate).ok());
      const Eigen::Matrix3d R = Eigen::Map<const Eigen::Matrix3d>(pose.data());
      const auto& [xx, yy, zz, xy, xz, yz] = b.inertial->inertia;
      Eigen::Matrix3d I;
      I << xx, xy, xz, xy, yy, yz, xz, yz, zz;
      const auto& [x, y, z, w_] = b.inertial->frame.quaternion;
      const Eigen::Matrix3d turn = R * Eigen::Quaterniond(w_, x, y, z).toRotationMatrix();
      I = turn * I * turn.transpose();
      const Numbers3& g = m.description.gravity;
      const Vector3d force = b.inertial->mass * (rate.tail<3>() - Vector3d(g[0], g[1], g[2]));
      const Vector3d w = v.head<3>(), c = pose.tail<3>();
      const Vector3d moment = I * rate.head<3>() + w.cross(I * w) + c.cross(force);
      truth.head<3>() += moment, truth.tail<3>() += force;
      size += moment.norm() + force.norm();
    }
    EXPECT_LE(largest_of(ground - truth), 1e-12 * std::max(1.0, size)) << seed;
    keep_worst(worst, largest_of(ground - truth) / std::max(1.0, size));
  }
  std::printf("the ground's sum is off by %.1e\n", worst);
}

/// Bars without mass but for one load: a coupler is a two-force member, so that statics of the rocker and the crank
/// give all pins.
TEST(ConstraintForces, AFourBarAtRestHoldsItsLoadAsStaticsSay) {
  Description d = flat_four_bar(0.2, 0.5, 0.45);
  d.independent = {"crank1_joint"};
  const Model model = make_model(d);
  Workspace workspace(model);
  const VectorXd q = neutral(model), none = VectorXd::Zero(model.nv());
  // the motor at the crank holds all: tau unknown
  VectorXd loops(12), joints(6 * model.body_count());
  ASSERT_TRUE(loop_forces(model, workspace, q, none, none, VectorXd(), Axes::world_aligned, loops).ok());
  ASSERT_TRUE(joint_reactions(model, workspace, q, none, none, VectorXd(), Axes::world_aligned, joints).ok());
  // about the rocker's and the coupler's pins: moments of weights and of the pin's force F on the rocker vanish
  const std::vector<LinkPoint> points{frame_index(model, "crank1"), frame_index(model, "coupler1"),
                                      frame_index(model, "rocker1")};
  VectorXd poses_(36);
  ASSERT_TRUE(poses(model, workspace, q, points, poses_).ok());
  const auto at = [&](int k) { return Vector3d(poses_.segment<3>(12 * k + 9)); };
  const auto x = [&](int k) { return Vector3d(poses_.segment<3>(12 * k)); };
  const double g = 9.81;
  const Vector3d pin = at(2) + 0.45 * x(2), down(0, 0, -g);
  const double m_crank = 0.4, m_coupler = 1.0, m_rocker = 0.9;
  const auto y = [](const Vector3d& a, const Vector3d& b) { return a.cross(b).y(); };
  // rocker: (pin - at(2)) x F + com x weight = 0; coupler: (pin - at(1)) x (-F) + com x weight = 0
  const Vector3d r = pin - at(2), c = pin - at(1);
  Eigen::Matrix2d A;
  A << r.z(), -r.x(), -c.z(), c.x();  // y of r x F = r.z F.x - r.x F.z
  const Eigen::Vector2d b(-y(0.225 * x(2), m_rocker * down), -y(0.25 * x(1), m_coupler * down));
  const Eigen::Vector2d F = A.inverse() * b;
  const VectorXd on_second = loops.tail<6>();  // the rocker
  EXPECT_NEAR(on_second[3], F[0], 1e-12 * g);
  EXPECT_NEAR(on_second[5], F[1], 1e-12 * g);
  for (const int k : {0, 1, 2, 4}) EXPECT_NEAR(on_second[k], 0, 1e-12);  // least norm: nothing out of the plane
  const int crank = model.body_of_link("crank1");
  EXPECT_NEAR(joints[6 * crank + 5], (m_crank + m_coupler) * g + F[1], 1e-11 * g);
  EXPECT_NEAR(joints[6 * crank + 3], F[0], 1e-11 * g);
  // the motor's torque is what the reaction says about the axis
  VectorXd tau(model.nv());
  ASSERT_TRUE(gravity_forces(model, workspace, q, tau).ok());
  const double motor = -y(0.1 * x(0), m_crank * down) - y(at(1) - at(0), Vector3d(-F[0], 0, -F[1]) + m_coupler * down);
  EXPECT_NEAR(joints[6 * crank + 1], motor, 1e-11 * g);
}

TEST(ConstraintForces, RedundantLoopsShareTheLeastForces) {
  const Description once = flat_four_bar(0.2, 0.5, 0.45);
  Description twice = once;
  twice.loops.push_back(once.loops[0]);
  twice.loops[1].name = "again";
  twice.couplings = {}, std::swap(twice.loops[0].name, twice.loops[1].name);
  const Model one = make_model(once), two = make_model(twice);
  Workspace of_one(one), of_two(two);
  const VectorXd q = neutral(one), none = VectorXd::Zero(one.nv());
  VectorXd single(12), shared(24);
  ASSERT_TRUE(loop_forces(one, of_one, q, none, none, VectorXd(), Axes::link, single).ok());
  ASSERT_TRUE(loop_forces(two, of_two, q, none, none, VectorXd(), Axes::link, shared).ok());
  ASSERT_GT(largest_of(single), 1);
  EXPECT_LE(relative(shared.head<12>(), single / 2), 1e-11);
  EXPECT_LE(relative(shared.tail<12>(), single / 2), 1e-11);
  // the second loop's two ends turned over: it acts the other way
  std::swap(twice.loops[1].first, twice.loops[1].second);
  const Model turned = make_model(twice);
  Workspace of_turned(turned);
  ASSERT_TRUE(loop_forces(turned, of_turned, q, none, none, VectorXd(), Axes::link, shared).ok());
  EXPECT_LE(relative(shared.segment<6>(12), single.tail<6>() / 2), 1e-11);
}

TEST(ConstraintForces, StatusesColumnsAndFloat) {
  const Model model = make_model("fourbars:2");
  Workspace workspace(model);
  MatrixXd q = neutral(model).replicate(1, 3), v = MatrixXd::Zero(model.nv(), 3), a = v, tau = v;
  tau.col(2).setConstant(1);
  q(0, 1) = NAN;
  MatrixXd joints(6 * model.body_count(), 3);
  EXPECT_EQ(joint_reactions(model, workspace, q, v, a, tau, Axes::link, joints).code, StatusCode::not_finite);
  EXPECT_TRUE(joints.col(1).hasNaN());
  EXPECT_FALSE(joints.col(0).hasNaN() || joints.col(2).hasNaN());
  VectorXd alone(6 * model.body_count());
  ASSERT_TRUE(joint_reactions(model, workspace, q.col(2), v.col(2), a.col(2), tau.col(2), Axes::link, alone).ok());
  EXPECT_EQ(alone, joints.col(2));
  Eigen::VectorXf in_float(6 * model.body_count());
  ASSERT_TRUE(joint_reactions(model, workspace, q.col(2).cast<float>(), v.col(2).cast<float>(), a.col(2).cast<float>(),
                              tau.col(2).cast<float>(), Axes::link, in_float)
                  .ok());
  EXPECT_LE(relative(in_float.cast<double>(), alone), 1e-5);
  VectorXd wrong(3);
  EXPECT_EQ(joint_reactions(model, workspace, q.col(2), v.col(2), a.col(2), tau.col(2), Axes::link, wrong).code,
            StatusCode::wrong_size);
  EXPECT_EQ(
      joint_reactions(model, workspace, q.col(2), v.col(2), a.col(2), a.col(2), Axes::link, a.col(2).head(6)).code,
      StatusCode::wrong_size);
}

TEST(ConstraintForces, NothingIsAllocatedAfterTheFirstCall) {
  if (!can_count_allocations()) GTEST_SKIP();
  const Model model = make_model("fourbars:2");
  Workspace workspace(model);
  const VectorXd q = neutral(model), v = VectorXd::Zero(model.nv());
  VectorXd joints(6 * model.body_count());
  const auto call = [&] { return joint_reactions(model, workspace, q, v, v, v, Axes::world, joints).ok(); };
  ASSERT_TRUE(call());
  start_counting();
  (void)call();
  EXPECT_EQ(stop_counting().ours, 0u);
}

}  // namespace constraint_forces
}  // namespace kinetree::oracle
