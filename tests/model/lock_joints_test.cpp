// Joints locked: the rest moves as in the full model whose joint is held, by an oracle that knows nothing of locking.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <kinetree/compose.hpp>
#include <kinetree/kinematics.hpp>
#include <kinetree/load_model.hpp>
#include <kinetree/write_model.hpp>
#include <map>
#include <set>

#include "engine/model/loops.hpp"
#include "engine/scalar/worst.hpp"
#include "io/expect_finding.hpp"
#include "loops/closed_mechanisms.hpp"
#include "model/describe.hpp"
#include "oracle/dense_oracle.hpp"
#include "oracle/random_state.hpp"

namespace kinetree::test {
namespace lock {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// For every velocity of the smaller model the one of the larger, by joints' names.
std::vector<int> velocities_of(const Model& smaller, const Model& larger) {
  std::vector<int> all;
  for (int i = 0; i < smaller.body_count(); ++i)
    for (int k = 0; k < velocity_count(smaller.joint_type(i)); ++k)
      all.push_back(larger.v_index(smaller.joint_name(i)) + k);
  return all;
}

VectorXd positions_of(const Model& smaller, const Model& larger, const VectorXd& q) {
  VectorXd part(smaller.nq());
  for (int i = 0; i < smaller.body_count(); ++i) {
    const int count = position_count(smaller.joint_type(i));
    part.segment(smaller.q_index(i), count) = q.segment(larger.q_index(smaller.joint_name(i)), count);
  }
  return part;
}

VectorXd accelerations(const Model& model, const VectorXd& q, const VectorXd& v, const VectorXd& tau) {
  VectorXd a(model.nv());
  const Status status = ForwardDynamics(model, {.algorithm = Algorithm::ab}).solve(q, v, tau, a);
  EXPECT_TRUE(status.ok()) << status.message(model);
  return a;
}

/// 3 x 4 matrices of every link.
MatrixXd all_poses(const Model& model, const VectorXd& q) {
  std::vector<int> links;
  for (int k = 0; k < model.frame_count(); ++k) links.push_back(k);
  MatrixXd result(12 * model.frame_count(), 1);
  Workspace w(model);
  EXPECT_TRUE(poses(model, w, q, links, result).ok());
  return result;
}

/// Joints of every kind locked in random states: rows and columns of the oracle's mass matrix struck out.
TEST(Locked, MovesAsTheFullModelWhoseJointsAreHeld) {
  std::set<JointType> types;
  double worst = 0, worst_pose = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Description d = make_description("random:12:floating=1:seed=" + std::to_string(seed));
    const Model full = make_model(d);
    oracle::TestState s = oracle::random_state(full, seed);
    std::vector<std::string> joints;
    for (int i = static_cast<int>(seed % 3); i < full.body_count(); i += 3) {
      joints.emplace_back(full.joint_name(i));
      types.insert(full.joint_type(i));
      s.v.segment(full.v_index(i), velocity_count(full.joint_type(i))).setZero();
    }
    const std::vector<JointPositions> where = joint_positions(full, s.q, joints);
    const Model part = make_model(locked(d, where)), loaded = make_model(d, {.lock = where});
    ASSERT_EQ(part.body_count(), full.body_count() - static_cast<int>(joints.size()));
    ASSERT_EQ(part.frame_count(), full.frame_count());
    const std::vector<int> rows = velocities_of(part, full);
    const VectorXd q = positions_of(part, full, s.q), v = s.v(rows), tau = s.tau(rows);

    oracle::DenseOracle<double> oracle(d, full);
    oracle.set(s.q, s.v);
    MatrixXd H(part.nv(), part.nv());
    VectorXd bias(part.nv());
    for (int r = 0; r < part.nv(); ++r) {
      bias[r] = oracle.bias()[static_cast<std::size_t>(rows[static_cast<std::size_t>(r)])];
      for (int c = 0; c < part.nv(); ++c)
        H(r, c) = oracle.mass(rows[static_cast<std::size_t>(r)], rows[static_cast<std::size_t>(c)]);
    }
    const VectorXd expected = H.ldlt().solve(tau - bias), a = accelerations(part, q, v, tau);
    keep_worst(worst, (a - expected).norm() / expected.norm());
    keep_worst(worst_pose, largest_of(all_poses(part, q) - all_poses(full, s.q)));
    EXPECT_LE((accelerations(loaded, q, v, tau) - a).norm(), 1e-13 * a.norm());
  }
  EXPECT_EQ(types.size(), 9u) << "a joint type is never locked";
  EXPECT_LE(worst, 1e-11);
  EXPECT_LE(worst_pose, 1e-13);
}

/// Loops and couplings that keep joints which move: the oracle's constraints, and one more that holds the joint.
TEST(Locked, LeavesLoopsAndCouplingsAsTheyHold) {
  double worst = 0;
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const oracle::ClosedMechanism m = oracle::random_closed_mechanism(seed);
    Description held = m.description;
    std::string joint;
    for (int i = 0; i < m.tree.body_count() && joint.empty(); ++i)
      if (velocity_count(m.tree.joint_type(i)) == 1 && (i + static_cast<int>(seed)) % 3 == 0)
        joint = m.tree.joint_name(i);
    if (joint.empty()) continue;
    const double position = m.state.q[m.tree.q_index(joint)];
    held.couplings.push_back({"held", {{joint, 1}}, position});
    held.independent.clear();
    Description free = m.description;
    free.assembled = oracle::hint_of(m.tree, m.state.q), free.independent.clear();
    oracle::ClosedOracle oracle(held, m.tree);
    oracle.set(m.state.q, VectorXd::Zero(m.tree.nv()));
    const VectorXd v = oracle.allowed(m.state.v);
    oracle.set(m.state.q, v);
    const VectorXd expected = oracle.accelerations(m.state.tau);
    const Model part = make_model(locked(free, {{joint, {position}}}));
    const std::vector<int> rows = velocities_of(part, m.tree);
    VectorXd a(part.nv());
    const Status status =
        ForwardDynamics(part, {.algorithm = Algorithm::ab})
            .solve(positions_of(part, m.tree, m.state.q), VectorXd(v(rows)), VectorXd(m.state.tau(rows)), a);
    if (!status) continue;  // locking may bring a linkage to a change point
    keep_worst(worst, (a - expected(rows)).norm() / (1 + expected.norm()));
    ++compared;
  }
  EXPECT_GT(compared, 40);
  EXPECT_LE(worst, 1e-11);
}

TEST(Locked, ABallAtAQuaternionIsAFixedJointTurnedByIt) {
  const double half = std::sqrt(0.5);
  const Placement origin{{0.1, 0.2, 0.3}, {0, 0, half, half}};
  Description d =
      mechanism({body("a", "world", "revolute", {0, 1, 0}), body("b", "a", "spherical", {0, 0, 1}, origin)});
  Description by_hand = d;
  by_hand.bodies[1].joint.type = "fixed";
  by_hand.bodies[1].joint.origin.quaternion = {0.5, 0.5, 0.5, 0.5};  // about z, then about the turned x
  const Description turned = locked(d, {{"jb", {half, 0, 0, half}}});
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_NEAR(turned.bodies[1].joint.origin.quaternion[k], by_hand.bodies[1].joint.origin.quaternion[k], 1e-15);
  d.bodies[1].joint.type = "floating";
  by_hand.bodies[1].joint.origin.xyz = {0.1 - 2, 0.2 + 1, 0.3 + 3};  // along the axes of the origin
  const Description moved = locked(d, {{"jb", {1, 2, 3, half, 0, 0, half}}});
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(moved.bodies[1].joint.origin.xyz[k], by_hand.bodies[1].joint.origin.xyz[k], 1e-15);
  const VectorXd x = VectorXd::Constant(1, 0.3);
  EXPECT_NEAR(accelerations(make_model(moved), x, x, x)[0], accelerations(make_model(by_hand), x, x, x)[0], 1e-13);
}

TEST(Locked, WithoutPositionsStandsAsAssembledElseAtZero) {
  Description d = mechanism({body("a", "world"), body("b", "a"), body("c", "b", "spherical")});
  d.assembled = {{"ja", {0.4}}};
  EXPECT_EQ(locked(d, {{"ja"}}).bodies[0].joint.origin, locked(d, {{"ja", {0.4}}}).bodies[0].joint.origin);
  EXPECT_EQ(locked(d, {{"jb"}, {"jc"}}).bodies[1].joint.origin, d.bodies[1].joint.origin) << "number for number";
  EXPECT_EQ(locked(d, {{"jb"}, {"jc"}}).bodies[2].joint.origin, d.bodies[2].joint.origin);
}

/// What belongs to links stays, what belongs to the joint's motion goes.
TEST(Locked, KeepsShapesAndSensorsAndDropsTheMotionsNumbers) {
  Description d = mechanism({body("a", "world"), body("b", "a"), body("c", "b")});
  d.bodies[1].visuals.push_back({"skin", "sphere", {0.1}, "", {{1, 2, 3}, {0, 0, 0, 1}}, {}});
  d.bodies[1].collisions = d.bodies[1].visuals;
  d.sensors = {{"imu", "imu", "b", {{0, 0, 1}, {0, 0, 0, 1}}}};
  d.bodies[1].joint.passive.damping = {2}, d.bodies[1].joint.armature = 3, d.bodies[1].joint.limits.effort = {4};
  d.bodies[2].joint.passive.damping = {5}, d.bodies[2].joint.armature = 6, d.bodies[2].joint.limits.effort = {7};
  d.independent = {"ja", "jb"}, d.assembled = {{"jb", {0.1}}, {"jc", {0.2}}};
  const Description l = locked(d, {{"jb"}});
  EXPECT_EQ(l.bodies[1].visuals.size(), 1u);
  EXPECT_EQ(l.bodies[1].visuals[0].frame, d.bodies[1].visuals[0].frame);
  EXPECT_EQ(l.bodies[1].collisions.size(), 1u);
  EXPECT_EQ(l.sensors[0].frame, d.sensors[0].frame);
  EXPECT_EQ(l.independent, std::vector<std::string>{"ja"});
  ASSERT_EQ(l.assembled.size(), 1u);
  EXPECT_EQ(l.assembled[0].joint, "jc");
  const Model model = make_model(l);
  EXPECT_EQ(model.damping()[1], 5);
  EXPECT_EQ(model.effort_limits()[1], 7);
  EXPECT_EQ(model.data().armature[1], 6);
  EXPECT_EQ(model.data().armature[0], 0);
}

/// A massless finger and one that mimics it: as they stand no force has a finite acceleration of them.
const char* const fingers = R"(
name: hand
bodies:
  - {name: palm, parent: world, joint: {name: wrist, type: revolute, axis: [0, 0, 1]}, inertial: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}
  - {name: left, parent: palm, joint: {name: left_slide, type: prismatic, axis: [0, 1, 0]}}
  - {name: right, parent: palm, joint: {name: right_slide, type: prismatic, axis: [0, 1, 0]}}
couplings:
  - {name: both, terms: {left_slide: 1, right_slide: 1}, offset: 0.02}
)";

TEST(Locked, FingersWithoutMassAreLockedByNameWhenLoading) {
  Reading hand = read_yaml_text(fingers, "hand.yaml");
  Description alone = hand.description;
  alone.couplings.clear(), alone.bodies.erase(alone.bodies.begin() + 1);
  expect_finding({"idle", "", 6, "joint \"right_slide\"", {"moves no inertia", "or lock it when loading"}}, "hand.yaml",
                 findings_of({alone, {}}));
  EXPECT_EQ(make_model(alone, {.lock = {{"right_slide"}}}).body_count(), 1);
  const Model model = make_model(hand.description, {.lock = {{"left_slide", {0.005}}}});
  ASSERT_EQ(model.body_count(), 1);
  expect_finding(
      {"told", "", 6, "joint \"right_slide\"", {"is locked too, at 0.015", "coupling \"both\""}, Severity::notice},
      "hand.yaml", {model.findings().begin(), model.findings().end()});
  EXPECT_NEAR(model.data().frames[2].X_frame_body.r.y, 0.015, 1e-16);
}

/// y = 0.1 x + 0.5 x² locks either joint at what the other has, the nearest to zero where there are two.
TEST(Locked, CurvedCouplingsLockTheLastJointToo) {
  Description d = mechanism({body("x", "world"), body("y", "world"), body("z", "world")});
  d.couplings = {{"cam", {{"jy", 1}, {"jx", -0.1, {-0.5, 0, 0}}}, 0}};
  const auto turned_by = [&](const std::vector<JointPositions>& joints, std::size_t body) {
    const Description one = locked(d, joints);
    EXPECT_TRUE(one.couplings.empty());
    return 2 * std::asin(one.bodies[body].joint.origin.quaternion[2]);
  };
  EXPECT_NEAR(turned_by({{"jx", {0.2}}}, 1), 0.04, 1e-15);
  EXPECT_NEAR(turned_by({{"jy", {0.04}}}, 0), 0.2, 1e-15);
  d.assembled = {{"jx", {-0.3}}, {"jy", {0.015}}};
  EXPECT_NEAR(turned_by({{"jy", {0.04}}}, 0), -0.4, 1e-15) << "the root where the joint stands";
  try {
    (void)locked(d, {{"jy", {-1}}});  // 0.5 x² + 0.1 x is never below -0.005
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("gives joint \"jx\" no position"), std::string::npos) << e.what();
  }
}

/// A coupling of three joints keeps two of them; one of which all are locked says nothing any more.
TEST(Locked, CouplingsTakeLockedPositionsIntoTheirOffset) {
  Description d = mechanism({body("a", "world"), body("b", "world"), body("c", "world"), body("e", "world")});
  d.couplings = {{"sum", {{"ja", 1}, {"jb", 2}, {"jc", 3}}, 0.5}, {"pair", {{"jc", 1}, {"je", -2}}, 0}};
  const Description one = locked(d, {{"ja", {0.1}}});
  ASSERT_EQ(one.couplings.size(), 2u);
  EXPECT_EQ(one.couplings[0].terms.size(), 2u);
  EXPECT_DOUBLE_EQ(one.couplings[0].offset, 0.4);
  const Description all = locked(d, {{"je", {0.05}}, {"ja", {0}}});  // jc, then jb
  EXPECT_TRUE(all.couplings.empty());
  for (const BodyDescription& b : all.bodies) EXPECT_EQ(b.joint.type, "fixed");
  EXPECT_TRUE(locked(d, {{"ja", {0.5}}, {"jb", {0}}, {"jc", {0}}, {"je", {0}}}).couplings.empty());
}

TEST(Locked, MimicJointsAreLockedWithTheJointThatTheyFollow) {
  Description d = mechanism({body("a", "world"), body("b", "a"), body("c", "b")});
  d.bodies[1].joint.mimic = {"ja", -2, 0.1};
  EXPECT_EQ(make_model(locked(d, {{"ja", {0.3}}})).body_count(), 1);
  EXPECT_EQ(make_model(d, {.lock = {{"ja", {0.3}}}}).body_count(), 1);
  EXPECT_EQ(make_model(d, {.ignore_mimic = true, .lock = {{"ja", {0.3}}}}).body_count(), 2);
  d.bodies.push_back(body("e", "c"));
  d.bodies.back().joint.mimic = {"jc", 3, 0};
  const Description moved = locked(d, {{"ja", {0.3}}});
  EXPECT_EQ(make_model(moved).data().couplings.size(), 1u) << "of e and c, once";
  EXPECT_NEAR(2 * std::asin(moved.bodies[1].joint.origin.quaternion[2]), -0.5, 1e-15);
}

Description four_bar() { return read_yaml(std::string(KINETREE_MODELS) + "/four_bar.yaml").description; }

/// Whole linkages become rigid where they are closed.
TEST(Locked, ALoopThatIsLockedWhereItClosesIsGone) {
  Description d = attached(four_bar(), make_description("chain:1"), {.prefix = "chain/"});
  const Model model = make_model(d);
  const VectorXd q = neutral(model);
  std::vector<std::string> bars;
  for (const BodyDescription& b : four_bar().bodies) bars.push_back(b.joint.name);
  const Description l = locked(d, joint_positions(model, q, bars));
  EXPECT_TRUE(l.loops.empty());
  EXPECT_EQ(make_model(l).body_count(), 1);
  EXPECT_LE(largest_of(all_poses(make_model(l), positions_of(make_model(l), model, q)) - all_poses(model, q)), 1e-15);
}

TEST(Locked, GoesThroughYamlAndFreesTheBaseFirst) {
  const Description d = make_description("random:20:seed=5");
  std::vector<JointPositions> lock;
  const Model full = make_model(d);
  const VectorXd q = oracle::random_state(full, 3).q;
  std::vector<std::string> joints;
  for (int i = 0; i < full.body_count(); i += 4) joints.emplace_back(full.joint_name(i));
  const LoadOptions options{.lock = joint_positions(full, q, joints)};
  const std::string text = yaml_text(d, options);
  EXPECT_EQ(text, yaml_text(locked(d, options.lock)));
  const Model written = make_model(read_yaml_text(text, "m.yaml").description), loaded = make_model(d, options);
  const VectorXd part = positions_of(loaded, full, q);
  EXPECT_LE(largest_of(all_poses(written, part) - all_poses(loaded, part)), 1e-14);

  const Description arm = make_description("chain:3");
  const LoadOptions both{.floating_base = true, .lock = {{"joint2", {0.5}}}};
  Description fixed = arm;
  fixed.bodies[0].joint.type = "fixed", fixed.bodies[0].joint.origin.xyz = {1, 2, 3};
  EXPECT_EQ(as_loaded(fixed, both).bodies[0].joint.origin, fixed.bodies[0].joint.origin);
  const Model one = make_model(fixed, both), two = make_model(as_loaded(fixed, both));
  EXPECT_EQ(one.nv(), 7);
  EXPECT_EQ(two.nv(), 7);
  EXPECT_EQ(two.joint_name(0), "floating_base");
}

/// Locks and what they are told.
TEST(Locked, WrongLocksAreFindings) {
  Description d = mechanism({body("a", "world"), body("b", "a", "spherical"), body("c", "b", "fixed"),
                             body("e", "world"), body("f", "world")});
  d.file = "robot.yaml";
  d.bodies[3].joint.limits.lower = {-1}, d.bodies[3].joint.limits.upper = {1};
  d.couplings = {{"gear", {{"ja", 1}, {"je", -2}}, 0.1, 7}};
  struct Case {
    std::vector<JointPositions> lock;
    Broken told;
  };
  const std::vector<Case> cases{
      {{{"elbow"}}, {"unknown", "", 0, "lock", {"joint \"elbow\" is no joint of this model; its joints are "}}},
      {{{"jf"}, {"jf"}}, {"twice", "", 0, "lock", {"joint \"jf\" stands in it twice; keep one"}}},
      {{{"jc"}}, {"fixed", "", 0, "lock", {"joint \"jc\" is fixed; leave it out"}}},
      {{{"jf", {1, 2}}}, {"count", "", 0, "lock", {"\"jf\" is revolute and takes a number; it has 2"}}},
      {{{"jb", {1}}}, {"quaternion", "", 0, "lock", {"\"jb\" is spherical and takes a list of 4 numbers; it has 1"}}},
      {{{"jb", {1, 1, 0, 0}}}, {"unit", "", 0, "lock", {"\"jb\"", "length 1.41421356; give one of length 1"}}},
      {{{"jf", {NAN}}}, {"nan", "", 0, "lock", {"joint \"jf\": position is nan; give finite numbers"}}},
      {{{"ja", {0}}, {"je", {0}}},
       {"coupling", "", 7, "coupling \"gear\"", {"does not hold", "off by 0.1;", "or leave one free"}}},
      {{{"je", {1.5}}},
       {"limit",
        "",
        0,
        "joint \"je\"",
        {"is locked at 1.5, beyond its limits -1 and 1; lock it between them"},
        Severity::warning}}};
  for (const Case& c : cases) {
    expect_finding(c.told, "robot.yaml", findings_of({d, {}}, {.lock = c.lock}));
    std::vector<Finding> findings;
    if (c.told.severity == Severity::error)
      EXPECT_THROW((void)locked(d, c.lock, &findings), InputError) << c.told.name;
    else
      EXPECT_NO_THROW((void)locked(d, c.lock, &findings)) << c.told.name;
  }
  std::vector<Finding> findings;
  (void)locked(d, {{"je", {1.5}}}, &findings);
  EXPECT_EQ(findings.size(), 2u) << "beyond limits, and ja, which the coupling locks\n" << all(findings);

  const Description bars = four_bar();
  std::vector<JointPositions> open;
  for (const BodyDescription& b : bars.bodies) open.push_back({b.joint.name, {0.1}});
  expect_finding({"open loop",
                  "",
                  bars.loops[0].line,
                  "loop \"" + bars.loops[0].name + "\"",
                  {"is open where its joints are locked: it is off by ", "(m or rad); lock them at positions that"}},
                 bars.file, findings_of({bars, {}}, {.lock = open}));
}

/// Slides so far out that both ends of a loop stand at infinity: what is between them is no number, and not closed.
TEST(Locked, ALoopWhoseGapIsNoNumberIsOpen) {
  Description d;
  for (const char* name : {"a", "b", "c", "e"}) {
    const std::string parent = name == std::string("b") ? "a" : name == std::string("e") ? "c" : "world";
    d.bodies.push_back(body(name, parent, "prismatic", {1, 0, 0}));
  }
  d.loops.push_back({"far", "spherical", {0, 0, 1}, {}, {"b", {}}, {"e", {}}});
  const std::vector<JointPositions> lock{{"ja", {1.7e308}}, {"jb", {1.7e308}}, {"jc", {1.7e308}}, {"je", {1.7e308}}};
  try {
    (void)locked(d, lock);
    ADD_FAILURE() << "the loop is taken for closed";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("is open where its joints are locked"), std::string::npos) << e.what();
  }
}

/// Faults of the file and of the lock come in one pass.
TEST(Locked, AllFindingsComeTogether) {
  Description d = make_description("chain:2");
  d.bodies[0].inertial->mass = -1;
  const std::vector<Finding> findings = findings_of({d, {}}, {.lock = {{"elbow"}}});
  EXPECT_EQ(findings.size(), 2u) << all(findings);
}

TEST(Locked, JointPositionsRefusesWrongNamesAndSizes) {
  const Model model = make_model("chain:3");
  const VectorXd q = neutral(model);
  EXPECT_THROW((void)joint_positions(model, q, {"elbow"}), std::invalid_argument);
  EXPECT_THROW((void)joint_positions(model, q.head(2), {}), std::invalid_argument);
}

}  // namespace lock
}  // namespace kinetree::test
