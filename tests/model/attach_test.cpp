// Descriptions put together: against one that is written by hand, and against each alone.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <kinetree/compose.hpp>
#include <kinetree/kinematics.hpp>
#include <kinetree/load_model.hpp>
#include <kinetree/write_model.hpp>

#include "engine/model/loops.hpp"
#include "io/expect_finding.hpp"
#include "model/describe.hpp"
#include "oracle/random_state.hpp"

namespace kinetree::test {
namespace attach {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Description file(const char* name) { return read_yaml(std::string(KINETREE_MODELS) + "/" + name).description; }

MatrixXd mass(const Model& model, const VectorXd& q) {
  MatrixXd H(model.nv(), model.nv());
  Workspace w(model);
  EXPECT_TRUE(mass_matrix(model, w, q, H).ok());
  return H;
}

VectorXd accelerations(const Model& model, const oracle::TestState& s) {
  VectorXd a(model.nv());
  EXPECT_TRUE(ForwardDynamics(model, {.algorithm = Algorithm::ab}).solve(s.q, s.v, s.tau, a).ok());
  return a;
}

const char* const arm = R"(
name: arm
bodies:
  - {name: upper, parent: world, joint: {name: shoulder, type: revolute, axis: [0, 1, 0]}, inertial: {mass: 2, com: [0.2, 0, 0], inertia: [0.01, 0.02, 0.02, 0, 0, 0]}}
  - {name: flange, parent: upper, joint: {type: fixed, origin: {xyz: [0.4, 0, 0]}}}
)";
const char* const tool = R"(
name: tool
bodies:
  - {name: base, parent: world, joint: {type: fixed, origin: {xyz: [0, 0, 0.1]}}, inertial: {mass: 0.5, inertia: [0.001, 0.001, 0.001, 0, 0, 0]}}
  - {name: a, parent: base, joint: {name: open, type: prismatic, axis: [0, 1, 0], limits: {lower: 0, upper: 0.05}, damping: 3}, inertial: {mass: 0.1, inertia: [0.001, 0.001, 0.001, 0, 0, 0]},
     visuals: [{type: sphere, size: 0.01}]}
  - {name: b, parent: base, joint: {name: follow, type: prismatic, axis: [0, 1, 0]}, inertial: {mass: 0.1, inertia: [0.001, 0.001, 0.001, 0, 0, 0]}}
couplings: [{name: both, terms: {open: 1, follow: 1}}]
forces: [{name: back, stiffness: 40, length: 0.05, between: [{body: world, xyz: [0, 0, 1]}, {body: a, xyz: [0.01, 0, 0]}]}]
sensors: [{name: camera, type: camera, link: world, xyz: [0, 0, 1]}, {name: touch, type: touch, link: a}]
independent: [open]
assembled: {open: 0.01}
)";
/// The tool on the flange, a quarter turn about z and 0.2 m along x.
const char* const by_hand = R"(
name: arm
bodies:
  - {name: upper, parent: world, joint: {name: shoulder, type: revolute, axis: [0, 1, 0]}, inertial: {mass: 2, com: [0.2, 0, 0], inertia: [0.01, 0.02, 0.02, 0, 0, 0]}}
  - {name: flange, parent: upper, joint: {type: fixed, origin: {xyz: [0.4, 0, 0]}}}
  - {name: t.base, parent: flange, joint: {type: fixed, origin: {xyz: [0.2, 0, 0.1], rpy: [0, 0, 1.5707963267948966]}}, inertial: {mass: 0.5, inertia: [0.001, 0.001, 0.001, 0, 0, 0]}}
  - {name: t.a, parent: t.base, joint: {name: t.open, type: prismatic, axis: [0, 1, 0], limits: {lower: 0, upper: 0.05}, damping: 3}, inertial: {mass: 0.1, inertia: [0.001, 0.001, 0.001, 0, 0, 0]},
     visuals: [{type: sphere, size: 0.01}]}
  - {name: t.b, parent: t.base, joint: {name: t.follow, type: prismatic, axis: [0, 1, 0]}, inertial: {mass: 0.1, inertia: [0.001, 0.001, 0.001, 0, 0, 0]}}
couplings: [{name: t.both, terms: {t.open: 1, t.follow: 1}}]
forces: [{name: t.back, stiffness: 40, length: 0.05, between: [{body: flange, xyz: [0.2, 0, 1]}, {body: t.a, xyz: [0.01, 0, 0]}]}]
sensors: [{name: t.camera, type: camera, link: flange, xyz: [0.2, 0, 1], rpy: [0, 0, 1.5707963267948966]}, {name: t.touch, type: touch, link: t.a}]
independent: [t.open]
assembled: {t.open: 0.01}
)";

TEST(Attached, IsTheMechanismWrittenByHand) {
  const Description whole = attached(
      read_yaml_text(arm, "arm.yaml").description, read_yaml_text(tool, "tool.yaml").description,
      {.link = "flange", .placement = {{0.2, 0, 0}, quaternion_from_rpy({0, 0, 1.5707963267948966})}, .prefix = "t."});
  EXPECT_EQ(yaml_text(whole), yaml_text(read_yaml_text(by_hand, "hand.yaml").description));
}

/// Loops of the attached mechanism that end on its world end on the link that it is on.
TEST(Attached, CarriesTheGroundOfLoopsAlong) {
  const Description bars = file("four_bar.yaml");
  const Description arm_alone = make_description("chain:2");
  const Description whole = attached(arm_alone, bars, {.link = "body2", .placement = {{1, 2, 3}, {0, 0, 0, 1}}});
  const Model model = make_model(whole);
  ASSERT_EQ(model.data().loops.size(), 1u);
  EXPECT_EQ(model.nv(), 5);
  EXPECT_EQ(independent_velocities(model).size(), 3u);
  const Description weld = [] {
    Description d = mechanism({body("a", "world"), body("b", "a")});
    d.loops = {{"pin", "spherical", {0, 0, 1}, {}, {"b", {}}, {"world", {{0.2, 0.4, 0.6}, {0, 0, 0, 1}}}}};
    return d;
  }();
  const Description on = attached(arm_alone, weld, {.link = "body1", .placement = {{1, 0, 0}, {0, 0, 1, 0}}});
  EXPECT_EQ(on.loops[0].second.body, "body1");
  EXPECT_EQ(on.loops[0].second.frame, (Placement{{1 - 0.2, -0.4, 0.6}, {0, 0, 1, 0}}));
}

/// Two robots in one world know nothing of each other.
TEST(Attached, TwoRobotsInOneWorldMoveAsEachAlone) {
  for (const auto& [first, second] : {std::pair{"quadruped.yaml", "arm7.yaml"}, {"arm7.yaml", "arm7.yaml"}}) {
    const Description a = as_loaded(file(first), {.floating_base = std::string(first) == "quadruped.yaml"});
    const Description b = file(second);
    const Description both = attached(a, b, {.placement = {{1, 2, 0}, {0, 0, 0, 1}}, .prefix = "second/"});
    const Model one = make_model(a), two = make_model(b), all = make_model(both);
    ASSERT_EQ(all.nv(), one.nv() + two.nv());
    EXPECT_EQ(all.v_index("second/" + std::string(two.joint_name(0))), one.nv());
    oracle::TestState s = oracle::random_state(one, 1), t = oracle::random_state(two, 2), u;
    u.q.resize(all.nq()), u.v.resize(all.nv()), u.tau.resize(all.nv());
    u.q << s.q, t.q, u.v << s.v, t.v, u.tau << s.tau, t.tau;
    const VectorXd x = accelerations(all, u);
    EXPECT_TRUE(x.head(one.nv()) == accelerations(one, s)) << "bit for bit";
    EXPECT_LE((x.tail(two.nv()) - accelerations(two, t)).norm(), 1e-12 * x.norm());
    const MatrixXd H = mass(all, u.q);
    EXPECT_TRUE(H.topRightCorner(one.nv(), two.nv()).isZero(0));
    EXPECT_TRUE(H.topLeftCorner(one.nv(), one.nv()) == mass(one, s.q));
    EXPECT_LE((H.bottomRightCorner(two.nv(), two.nv()) - mass(two, t.q)).norm(), 1e-13 * H.norm());
  }
}

Description payload(double kg, const Placement& com) {
  Description d;
  d.name = "box";
  BodyDescription& box = d.bodies.emplace_back();
  box.name = "box", box.parent = "world", box.joint.type = "fixed";
  box.inertial = InertialDescription{kg, com, {0.3, 0.4, 0.5, 0.01, 0.02, 0.03}};
  return d;
}

/// M' = M + Jᵀ I J with the Jacobian of the payload's centre of mass, in its axes.
TEST(Attached, APayloadAddsItsInertiaByTheJacobian) {
  const Placement com{{0.1, 0.2, -0.1}, quaternion_from_rpy({0.3, 0.2, 0.1})};
  const Placement grip{{0, 0.05, -0.2}, quaternion_from_rpy({0.5, -0.4, 0.3})};
  const Description robot = as_loaded(file("humanoid.yaml"), {.floating_base = true});
  const Model before = make_model(robot),
              after = make_model(attached(robot, payload(7, com), {.link = "left_hand", .placement = grip}));
  ASSERT_EQ(after.nv(), before.nv());
  const VectorXd q = oracle::random_state(before, 4).q;
  Workspace w(after);
  MatrixXd J(6, after.nv());
  const std::vector<LinkPoint> centre{{frame_index(after, "box"), {0.1, 0.2, -0.1}}};
  ASSERT_TRUE(jacobians(after, w, q, centre, Axes::link, J).ok());
  const Eigen::Matrix3d R =
      Eigen::Quaterniond(com.quaternion[3], com.quaternion[0], com.quaternion[1], com.quaternion[2]).toRotationMatrix();
  Eigen::Matrix3d I;
  I << 0.3, 0.01, 0.02, 0.01, 0.4, 0.03, 0.02, 0.03, 0.5;
  MatrixXd G = 7 * MatrixXd::Identity(6, 6);
  G.topLeftCorner(3, 3) = R * I * R.transpose();
  const MatrixXd expected = mass(before, q) + J.transpose() * G * J, H = mass(after, q);
  EXPECT_LE((H - expected).norm(), 1e-14 * H.norm());
  EXPECT_GT((H - mass(before, q)).norm(), 0.1 * H.norm());
}

/// A world of its own takes every robot with a prefix.
TEST(Attached, AnEmptyWorldTakesRobotsOneByOne) {
  Description cell;
  cell.name = "cell";
  for (const char* prefix : {"left/", "right/", "third/"}) cell = attached(cell, file("arm7.yaml"), {.prefix = prefix});
  const Model model = make_model(cell);
  EXPECT_EQ(model.nv(), 21);
  EXPECT_EQ(model.name(), "cell");
  const Model again = make_model(read_yaml_text(yaml_text(cell), "cell.yaml").description);
  EXPECT_EQ(again.data().joint_name, model.data().joint_name);
}

std::vector<Finding> told(const Description& d, const Description& other, const Attachment& how) {
  try {
    (void)attached(d, other, how);
    return {};
  } catch (const InputError& e) {
    return e.findings();
  }
}

TEST(Attached, WrongAttachmentsAreFindings) {
  Description robot = mechanism({body("a", "world"), body("b", "a")}), hand = mechanism({body("h", "world")});
  robot.name = "robot", robot.file = "robot.yaml", hand.name = "hand", hand.file = "hand.yaml";
  expect_finding({"link", "", 0, "attachment", {"its link \"c\" is no link of model \"robot\"; give a link's name"}},
                 "robot.yaml", told(robot, hand, {.link = "c"}));
  expect_finding({"quaternion", "", 0, "attachment", {"quaternion has length zero"}}, "robot.yaml",
                 told(robot, hand, {.placement = {{0, 0, 0}, {0, 0, 0, 0}}}));
  expect_finding({"number", "", 0, "attachment", {"placement (number 2) is nan"}}, "robot.yaml",
                 told(robot, hand, {.placement = {{0, NAN, 0}, {0, 0, 0, 1}}}));
  Description clash = hand;
  clash.bodies[0].name = "b";
  expect_finding({"link's name", "", 0, "link \"b\"", {"is taken by a link of model \"robot\"; attach with another"}},
                 "robot.yaml", told(robot, clash, {}));
  clash = hand, clash.bodies[0].joint.name = "ja";
  expect_finding({"joint's name", "", 0, "joint \"ja\"", {"is taken by a joint of model \"robot\""}}, "robot.yaml",
                 told(robot, clash, {}));
  EXPECT_TRUE(told(robot, clash, {.prefix = "x"}).empty());
  Description bars = file("four_bar.yaml"), tied = bars;
  tied.couplings = {{"c", {{bars.bodies[0].joint.name, 1}}, 0}};
  for (BodyDescription& b : tied.bodies) b.name += "2", b.joint.name += "2", b.parent += b.parent == "world" ? "" : "2";
  tied.loops[0].first.body += "2", tied.loops[0].second.body += "2", tied.couplings[0].terms[0].joint += "2";
  bars.couplings = {{"c", {{bars.bodies[0].joint.name, 1}}, 0}};
  EXPECT_EQ(told(bars, tied, {}).size(), 2u) << "the loop's name and the coupling's\n" << all(told(bars, tied, {}));
  Description moon = hand;
  moon.gravity = {0, 0, -1.62};
  expect_finding({"gravity",
                  "",
                  0,
                  "attachment",
                  {"model \"hand\" has the gravity [0, 0, -1.62], model \"robot\" [0, 0, -9.81]; give both the same"}},
                 "robot.yaml", told(robot, moon, {}));
  Description broken = hand;
  broken.bodies[0].inertial->mass = -1, broken.bodies[0].line = 12;
  expect_finding({"broken", "", 12, "link \"h\"", {"mass -1 is negative"}}, "hand.yaml", told(robot, broken, {}));
}

}  // namespace attach
}  // namespace kinetree::test
