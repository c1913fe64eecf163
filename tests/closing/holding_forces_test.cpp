// Forces that hold mechanisms together, one by one: against 60 digits from the description alone, and against inverse
// dynamics of models in which loops, or the joint in question, are cut.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cstdio>
#include <kinetree/closing.hpp>
#include <kinetree/compose.hpp>
#include <kinetree/configuration.hpp>
#include <kinetree/constraint_forces.hpp>
#include <kinetree/forces.hpp>
#include <kinetree/independent.hpp>
#include <kinetree/kinematics.hpp>
#include <kinetree/kinetree.hpp>

#include "closing/holding_reference.hpp"
#include "engine/model/constraint_forces.hpp"
#include "engine/scalar/worst.hpp"
#include "loops/closed_mechanisms.hpp"
#include "loops/linkage_parts.hpp"

namespace kinetree::oracle {
namespace holding_forces {

using Eigen::VectorXd;

double relative(const VectorXd& x, const VectorXd& truth) {
  return x.size() == 0 ? 0 : largest_of(x - truth) / std::max(1.0, largest_of(truth));
}

struct Forces {
  explicit Forces(const Model& model)
      : loops(12 * static_cast<Eigen::Index>(model.data().loops.size())),
        couplings(static_cast<Eigen::Index>(model.data().couplings.size())),
        joints(6 * model.body_count()) {}
  VectorXd loops, couplings, joints;
};

Forces forces_of(const Model& model, const TestState& s, const VectorXd& a, Axes axes) {
  Workspace workspace(model);
  Forces found(model);
  for (const Status& status : {loop_forces(model, workspace, s.q, s.v, a, s.tau, axes, found.loops),
                               coupling_forces(model, workspace, s.q, s.v, a, s.tau, found.couplings),
                               joint_reactions(model, workspace, s.q, s.v, a, s.tau, axes, found.joints)})
    EXPECT_TRUE(status.ok()) << status.message(model);
  return found;
}

TEST(HoldingForces, AreTheLeastThatSixtyDigitsFind) {
  double worst = 0;
  int clean = 0;
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    const ClosedMechanism m = random_closed_mechanism(seed);
    const Model& model = m.model;
    HoldingReference truth(m.description, m.tree);
    truth.find(m.state, static_cast<int>(independent_velocities(model).size()), length_of(model.data()));
    if (truth.smallest < 1e-4) continue;
    ++clean;
    const Forces found = forces_of(model, m.state, truth.a, Axes::world);
    for (const double off : {relative(found.loops, truth.loops), relative(found.couplings, truth.couplings),
                             relative(found.joints, truth.joints)}) {
      EXPECT_LE(off, 1e-9) << seed << ", " << truth.smallest;
      keep_worst(worst, off);
    }
  }
  std::printf("off by %.1e in %d mechanisms\n", worst, clean);
  EXPECT_GE(clean, 8);
}

/// A description without its loops and couplings.
Description cut(Description d) {
  d.loops.clear(), d.couplings.clear();
  return d;
}

/// Ends of loops on links that a model has, and the wrenches there in world axes.
struct Ends {
  std::vector<LinkPoint> points;
  VectorXd wrenches;
  Ends(const Description& d, const Model& part, const VectorXd& loops) : wrenches(loops.size()) {
    for (std::size_t l = 0; l < d.loops.size(); ++l)
      for (const bool second : {false, true}) {
        const LoopDescription::End& end = second ? d.loops[l].second : d.loops[l].first;
        if (end.body == "world" || !has(part, end.body)) continue;
        wrenches.segment<6>(static_cast<Eigen::Index>(6 * points.size())) =
            loops.segment<6>(static_cast<Eigen::Index>(12 * l + (second ? 6 : 0)));
        const Numbers3& at = end.frame.xyz;
        points.emplace_back(frame_index(part, end.body), std::array{at[0], at[1], at[2]});
      }
    wrenches.conservativeResize(static_cast<Eigen::Index>(6 * points.size()));
  }
  static bool has(const Model& part, const std::string& link) {
    for (int k = 0; k < part.frame_count(); ++k)
      if (part.frame_name(k) == link) return true;
    return false;
  }
};

VectorXd inverse_dynamics_of(const Description& d, const Model& part, const VectorXd& loops, const TestState& s,
                             const VectorXd& a) {
  Workspace workspace(part);
  const Ends ends(d, part, loops);
  VectorXd f_ext = VectorXd::Zero(6 * part.body_count()), tau(part.nv());
  EXPECT_TRUE(add_forces(part, workspace, s.q, ends.points, Axes::world_aligned, ends.wrenches, f_ext).ok());
  EXPECT_TRUE(inverse_dynamics(part, workspace, s.q, s.v, a, f_ext, tau).ok());
  return tau;
}

/// With loops cut and their forces applied as external ones the tree needs tau and the couplings' share.
TEST(HoldingForces, OfLoopsMoveTheCutModelAsTheClosedOne) {
  double worst = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const ClosedMechanism m = random_closed_mechanism(seed);
    const Model& model = m.model;
    ForwardDynamics dynamics(model);
    VectorXd a(model.nv()), expected = m.state.tau;
    ASSERT_TRUE(dynamics.solve(m.state.q, m.state.v, m.state.tau, a).ok());
    const Forces found = forces_of(model, m.state, a, Axes::world_aligned);
    for (std::size_t c = 0; c < m.description.couplings.size(); ++c)
      for (const CouplingDescription::Term& t : m.description.couplings[c].terms) {
        const double x = m.state.q[model.q_index(t.joint)];
        expected[model.v_index(t.joint)] +=
            found.couplings[static_cast<Eigen::Index>(c)] *
            (t.coefficient + x * (2 * t.powers[0] + x * (3 * t.powers[1] + x * 4 * t.powers[2])));
      }
    const Model tree = make_model(cut(m.description));
    const double off = relative(inverse_dynamics_of(m.description, tree, found.loops, m.state, a), expected);
    EXPECT_LE(off, 1e-9) << seed;
    keep_worst(worst, off);
  }
  std::printf("off by %.1e from inverse dynamics of the cut model\n", worst);
}

/// All that a joint carries, on a floating joint that moves it as before: the force there is the joint's reaction.
TEST(HoldingForces, OfJointsAreThoseOfAFloatingJointInTheirPlace) {
  double worst = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const ClosedMechanism m = random_closed_mechanism(seed);
    const Model& model = m.model;
    ForwardDynamics dynamics(model);
    VectorXd a(model.nv());
    ASSERT_TRUE(dynamics.solve(m.state.q, m.state.v, m.state.tau, a).ok());
    const VectorXd loops = forces_of(model, m.state, a, Axes::world_aligned).loops;
    const VectorXd reactions = forces_of(model, m.state, a, Axes::link).joints;
    Workspace workspace(model);
    for (int i = 0; i < model.body_count(); ++i) {
      const std::string link(model.body_name(i));
      Description d = sub_model(cut(m.description), link);
      for (BodyDescription& b : d.bodies)
        if (b.name == link) {
          const std::string joint = b.joint.name;
          b.joint = {};
          b.joint.name = joint, b.joint.type = "floating";
        }
      const Model part = make_model(d);
      VectorXd pose(12), v(6), rate(6), a_part(part.nv());
      const std::vector<int> origin{frame_index(model, link)};
      ASSERT_TRUE(point_kinematics(model, workspace, m.state.q, m.state.v, a, origin, Axes::link, pose, v, rate).ok());
      TestState s{VectorXd(part.nq()), VectorXd(part.nv()), VectorXd::Zero(part.nv()), {}};
      for (int k = 1; k < part.body_count(); ++k) {
        const int from = model.body_of_joint(part.joint_name(k));
        s.q.segment(part.q_index(k), position_count(part.joint_type(k))) =
            m.state.q.segment(model.q_index(from), position_count(part.joint_type(k)));
        const int count = velocity_count(part.joint_type(k));
        s.v.segment(part.v_index(k), count) = m.state.v.segment(model.v_index(from), count);
        a_part.segment(part.v_index(k), count) = a.segment(model.v_index(from), count);
      }
      const Eigen::Quaterniond turn(Eigen::Matrix3d(Eigen::Map<const Eigen::Matrix3d>(pose.data())));
      s.q.head<7>() << pose.tail<3>(), turn.normalized().coeffs();
      s.v.head<6>() << v.tail<3>(), v.head<3>();
      a_part.head<6>() << rate.tail<3>(), rate.head<3>();
      const VectorXd tau = inverse_dynamics_of(m.description, part, loops, s, a_part);
      VectorXd wrench(6);
      wrench << tau.segment<3>(3), tau.head<3>();
      const double off = relative(wrench, reactions.segment<6>(6 * i));
      EXPECT_LE(off, 1e-9) << seed << " " << link;
      keep_worst(worst, off);
    }
  }
  std::printf("off by %.1e from floating joints in their place\n", worst);
}

/// Where tau is what motors need: the crank's motor, or the rocker's, holds the load, and loops' forces differ.
TEST(HoldingForces, MotorsAreNamedPerCall) {
  const Model model = make_model(flat_four_bar(0.2, 0.5, 0.45));
  Workspace workspace(model);
  const VectorXd q = neutral(model), none = VectorXd::Zero(model.nv());
  VectorXd by_model(12), last;
  for (const char* joint : {"crank1_joint", "coupler1_joint", "rocker1_joint"}) {
    const std::vector<int> motors = velocities_of(model, {joint});
    VectorXd tau(1), all = none, loops(12), again(12);
    ASSERT_TRUE(independent_gravity_forces(model, workspace, q, tau, motors).ok());
    all[motors[0]] = tau[0];
    ASSERT_TRUE(loop_forces(model, workspace, q, none, none, all, Axes::link, again).ok());
    ASSERT_TRUE(loop_forces(model, workspace, q, none, none, VectorXd(), Axes::link, loops, motors).ok());
    EXPECT_LE(relative(loops, again), 1e-11) << joint;
    if (last.size() > 0) {
      EXPECT_GE(relative(loops, last), 1e-3) << joint;
    }
    last = loops;
  }
  // none named: the model's own
  ASSERT_TRUE(loop_forces(model, workspace, q, none, none, VectorXd(), Axes::link, by_model).ok());
  const std::vector<int> own = independent_velocities(model);
  ASSERT_TRUE(loop_forces(model, workspace, q, none, none, VectorXd(), Axes::link, last, own).ok());
  EXPECT_EQ(last, by_model);
  const Status both = loop_forces(model, workspace, q, none, none, VectorXd(), Axes::link, last,
                                  velocities_of(model, {"crank1_joint", "rocker1_joint"}));
  EXPECT_EQ(both.code, StatusCode::wrong_size);
  EXPECT_STREQ(both.argument, "motors");
  EXPECT_EQ(coupling_forces(model, workspace, q, none, none, VectorXd(), VectorXd(0), std::vector<int>{-1}).code,
            StatusCode::no_such_column);
}

/// In the model's own coordinates it is mass_matrix; in others the energy is the same.
TEST(HoldingForces, MassMatricesInNamedCoordinatesHaveTheSameEnergy) {
  double worst = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const ClosedMechanism m = random_closed_mechanism(seed);
    const Model& model = m.model;
    Workspace workspace(model);
    const auto n = static_cast<Eigen::Index>(independent_velocities(model).size());
    Eigen::MatrixXd H(n, n), own(n, n);
    if (!mass_matrix(model, workspace, m.state.q, H).ok()) continue;
    ASSERT_TRUE(independent_mass_matrix(model, workspace, m.state.q, own).ok());
    EXPECT_LE((own - H).cwiseAbs().maxCoeff(), 1e-10 * H.cwiseAbs().maxCoeff()) << seed;
    keep_worst(worst, (own - H).cwiseAbs().maxCoeff() / H.cwiseAbs().maxCoeff());
  }
  std::printf("apart by %.1e from mass_matrix\n", worst);
  const Model model = make_model("fourbars:1");
  Workspace workspace(model);
  const VectorXd q = neutral(model);
  for (const char* joint : {"crank1_joint", "coupler1_joint", "rocker1_joint"}) {
    const std::vector<int> named = velocities_of(model, {joint});
    Eigen::Matrix<double, 1, 1, Eigen::RowMajor> H;
    VectorXd v(model.nv());
    ASSERT_TRUE(independent_mass_matrix(model, workspace, q, H, named).ok());
    ASSERT_TRUE(spanning_velocities(model, workspace, q, VectorXd::Constant(1, 2), v, named).ok());
    Energy found;
    ASSERT_TRUE(energy(model, workspace, q, v, found).ok());
    EXPECT_NEAR(2 * H(0, 0), found.kinetic, 1e-13 * found.kinetic) << joint;
  }
}

}  // namespace holding_forces
}  // namespace kinetree::oracle
