// SDFormat's joints whose child hangs from another joint: turned round when read. Where links stand is SDFormat's own
// rule (joint.sdf: the child's pose in the parent's frame), written here by hand; dynamics are those of the same file
// written from parent to child, and of the loop that such a joint would close.
#include <Eigen/Geometry>
#include <kinetree/kinematics.hpp>
#include <kinetree/sdf.hpp>

#include "engine/model/loops.hpp"
#include "io/expect_finding.hpp"
#include "oracle/random_state.hpp"

#if KINETREE_WITH_SDF
namespace kinetree::test {
namespace turned {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

Isometry3d pose(double x, double y, double z, double roll, double pitch, double yaw) {
  return Eigen::Translation3d(x, y, z) * Eigen::AngleAxisd(yaw, Vector3d::UnitZ()) *
         Eigen::AngleAxisd(pitch, Vector3d::UnitY()) * Eigen::AngleAxisd(roll, Vector3d::UnitX());
}

/// Link a is held by the world, and b is the parent of joint `ab`, whose child is a, or, `along`, the other way round.
std::string text(const std::string& type, const std::string& axes, bool along = false) {
  const std::string parent = along ? "a" : "b", child = along ? "b" : "a";
  return R"(<sdf version="1.9"><model name="m">
<link name="a"><pose>0 0 1 0 0.2 0</pose><inertial><pose>0.1 0.02 0.03 0.2 0 0</pose><mass>1.3</mass><inertia><ixx>0.02</ixx><iyy>0.03</iyy><izz>0.04</izz></inertia></inertial></link>
<link name="b"><pose>0.3 0 1.2 0.1 0 0.4</pose><inertial><pose>0.05 0 0.1 0 0 0</pose><mass>0.7</mass><inertia><ixx>0.01</ixx><iyy>0.02</iyy><izz>0.015</izz></inertia></inertial></link>
<joint name="ground" type="revolute"><parent>world</parent><child>a</child><axis><xyz>0 1 0</xyz></axis></joint>
<joint name="ab" type=")" +
         type + "\"><parent>" + parent + "</parent><child>" + child +
         "</child><pose relative_to=\"b\">0.02 0.03 0 0.3 0 0</pose>" + axes + "</joint></model></sdf>";
}
const Isometry3d a_at = pose(0, 0, 1, 0, .2, 0), b_at = pose(.3, 0, 1.2, .1, 0, .4),
                 joint_at = b_at * pose(.02, .03, 0, .3, 0, 0);

std::string axis(const std::string& xyz, const std::string& more = "", const char* name = "axis") {
  return "<" + std::string(name) + "><xyz>" + xyz + "</xyz>" + more + "</" + name + ">";
}

Model read(const std::string& sdf) {
  Reading reading = read_sdf_text(sdf, "m.sdf");
  EXPECT_FALSE(has_error(reading.findings)) << all(reading.findings);
  return make_model(reading.description, {}, std::move(reading.findings));
}

Isometry3d world_pose(const Model& model, const VectorXd& q, const char* link) {
  Workspace w(model);
  VectorXd numbers(12);
  EXPECT_TRUE(poses(model, w, q, std::vector<int>{frame_index(model, link)}, numbers).ok());
  Isometry3d X = Isometry3d::Identity();
  X.matrix().topRows<3>() = Eigen::Map<const Eigen::Matrix<double, 3, 4>>(numbers.data());
  return X;
}

VectorXd accelerations(const Model& model, const VectorXd& q, const VectorXd& v, const VectorXd& tau) {
  VectorXd a(model.nv());
  const Status status = ForwardDynamics(model, {.algorithm = Algorithm::ab}).solve(q, v, tau, a);
  EXPECT_TRUE(status.ok()) << status.message(model);
  return a;
}

const Vector3d one = Vector3d(1, 2, 3).normalized(), two = Vector3d(.1, 1, -.4).normalized();

struct Type {
  std::string name, axes;
  int positions;
  /// The motion of the child (a) in the joint's frame, as SDFormat has it, at the joint's positions as read.
  std::function<Isometry3d(const double* q)> motion;
};
const std::vector<Type> types{
    {"fixed", "", 0, [](const double*) { return Isometry3d::Identity(); }},
    {"revolute", axis("1 2 3"), 1, [](const double* q) { return Isometry3d(Eigen::AngleAxisd(q[0], one)); }},
    {"continuous", axis("1 2 3"), 1, [](const double* q) { return Isometry3d(Eigen::AngleAxisd(q[0], one)); }},
    {"prismatic", axis("1 2 3"), 1, [](const double* q) { return Isometry3d(Eigen::Translation3d(q[0] * one)); }},
    {"screw", axis("1 2 3") + "<thread_pitch>-20</thread_pitch>", 1,
     [](const double* q) { return Eigen::Translation3d(q[0] / 20 * one) * Isometry3d(Eigen::AngleAxisd(q[0], one)); }},
    {"universal", axis("1 2 3") + axis(".1 1 -.4", "", "axis2"), 2,
     [](const double* q) { return Isometry3d(Eigen::AngleAxisd(q[1], one) * Eigen::AngleAxisd(q[0], two)); }},
    {"ball", "", 4, [](const double* q) {  // q is in the axes that b has at zero, which the joint's are turned from
       const Eigen::Quaterniond from_b(Eigen::AngleAxisd(.3, Vector3d::UnitX())), turn(q[3], q[0], q[1], q[2]);
       return Isometry3d(from_b.conjugate() * turn.conjugate() * from_b);
     }}};

TEST(SdfTurnedJoints, StandWhereSdformatHasThem) {
  for (const Type& type : types) {
    const Model model = read(text(type.name, type.axes));
    EXPECT_TRUE(model.data().aggregates.empty()) << type.name;
    ASSERT_EQ(model.nq(), 1 + type.positions) << type.name;
    const std::vector<Finding> said(model.findings().begin(), model.findings().end());
    EXPECT_EQ(all(said).find("floats"), std::string::npos) << all(said);
    expect_finding(
        {type.name, "", 5, "joint \"ab\"", {"is turned round", "parent is \"a\", its child \"b\""}, Severity::notice},
        "m.sdf", said);
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const oracle::TestState s = oracle::random_state(model, seed);
      const Isometry3d in_b = (world_pose(model, s.q, "b").inverse() * world_pose(model, s.q, "a"));
      const Isometry3d J = b_at.inverse() * joint_at, rest = joint_at.inverse() * a_at;
      const double* q = type.positions > 0 ? s.q.data() + model.q_index("ab") : nullptr;
      EXPECT_LE((in_b.matrix() - (J * type.motion(q) * rest).matrix()).norm(), 1e-14) << type.name;
    }
  }
}

/// The same joint written from parent to child, its axis reversed; of a universal joint the axes exchanged.
TEST(SdfTurnedJoints, MoveAsTheSameJointsWrittenFromParentToChild) {
  const std::string numbers =
      "<limit><lower>-1</lower><upper>2</upper><effort>7</effort><velocity>3</velocity></limit><dynamics><damping>.4"
      "</damping><friction>.3</friction><spring_stiffness>5</spring_stiffness><spring_reference>.2</spring_reference>"
      "</dynamics>";
  const std::string others =
      "<limit><lower>-.5</lower><upper>.7</upper><effort>8</effort></limit><dynamics><damping>.6"
      "</damping><spring_stiffness>2</spring_stiffness></dynamics>";
  const std::string pitch = "<thread_pitch>-20</thread_pitch>";
  const std::vector<std::array<std::string, 3>> pairs{
      {"fixed", "", ""},
      {"revolute", axis("1 2 3", numbers), axis("-1 -2 -3", numbers)},
      {"continuous", axis("1 2 3", numbers), axis("-1 -2 -3", numbers)},
      {"prismatic", axis("1 2 3", numbers), axis("-1 -2 -3", numbers)},
      {"screw", axis("1 2 3", numbers) + pitch, axis("-1 -2 -3", numbers) + pitch},
      {"universal", axis("1 2 3", numbers) + axis(".1 1 -.4", others, "axis2"),
       axis("-.1 -1 .4", others) + axis("-1 -2 -3", numbers, "axis2")},
      {"revolute2", axis("1 2 3", numbers) + axis(".1 1 -.4", others, "axis2"),
       axis("-.1 -1 .4", others) + axis("-1 -2 -3", numbers, "axis2")},
      {"ball", "", ""}};
  for (const auto& [type, axes, reversed] : pairs) {
    const Model ours = read(text(type, axes)), theirs = read(text(type, reversed, true));
    ASSERT_EQ(ours.nv(), theirs.nv()) << type;
    for (const auto& numbers_of :
         {&Model::damping, &Model::friction, &Model::stiffness, &Model::effort_limits, &Model::velocity_limits})
      EXPECT_TRUE(std::ranges::equal((ours.*numbers_of)(), (theirs.*numbers_of)())) << type;
    for (const auto& numbers_of : {&Model::lower_limits, &Model::upper_limits, &Model::spring_reference})
      EXPECT_TRUE(std::ranges::equal((ours.*numbers_of)(), (theirs.*numbers_of)())) << type;
    if (type == "revolute") {
      EXPECT_EQ(ours.damping()[1], .4);
      EXPECT_EQ(ours.lower_limits()[1], -1);
    }
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const oracle::TestState s = oracle::random_state(ours, seed);
      const VectorXd x = accelerations(ours, s.q, s.v, s.tau), y = accelerations(theirs, s.q, s.v, s.tau);
      EXPECT_LE((x - y).norm(), 1e-13 * (1 + y.norm())) << type;
    }
  }
}

/// b on a floating joint, its joint to a a loop: nothing is turned there. Free of forces a moves alike.
TEST(SdfTurnedJoints, MoveAsTheLoopThatTheyWouldClose) {
  const Model model = read(text("revolute", axis("1 2 3")));
  Description d;
  d.name = "loop";
  const Reading tree = read_sdf_text(text("revolute", axis("1 2 3")), "m.sdf");
  for (const BodyDescription& b : tree.description.bodies)
    if (b.name == "a") d.bodies.push_back(b);
  for (const BodyDescription& b : tree.description.bodies)
    if (b.name == "b") d.bodies.push_back(b);
  ASSERT_EQ(d.bodies.size(), 2u);
  d.bodies[1].parent = "world", d.bodies[1].joint = {}, d.bodies[1].joint.name = "floats";
  d.bodies[1].joint.type = "floating";
  const auto frame = [](const Isometry3d& X) {
    const Eigen::Quaterniond turn(X.rotation());
    return Placement{{X.translation().x(), X.translation().y(), X.translation().z()},
                     {turn.x(), turn.y(), turn.z(), turn.w()}};
  };
  LoopDescription loop;
  loop.name = "ab", loop.type = "revolute", loop.axis = {one.x(), one.y(), one.z()};
  loop.first = {"b", frame(b_at.inverse() * joint_at)}, loop.second = {"a", frame(a_at.inverse() * joint_at)};
  d.loops.push_back(loop);
  const Eigen::Quaterniond turn(b_at.rotation());
  d.assembled = {{"floats",
                  {b_at.translation().x(), b_at.translation().y(), b_at.translation().z(), turn.x(), turn.y(), turn.z(),
                   turn.w()}}};
  const Model looped = make_model(d);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    oracle::TestState s = oracle::random_state(model, seed);
    s.q *= .5, s.tau.setZero();
    const Isometry3d b = world_pose(model, s.q, "b");
    const Eigen::Quaterniond stands(b.rotation());
    VectorXd q(8), v(7);
    q << s.q[model.q_index("ground")], b.translation(), stands.coeffs();
    Workspace w(model);
    VectorXd where(12), rates(6);
    ASSERT_TRUE(
        point_kinematics(model, w, s.q, s.v, std::vector<int>{frame_index(model, "b")}, Axes::link, where, rates).ok());
    v << s.v[model.v_index("ground")], rates.tail<3>(), rates.head<3>();
    const VectorXd x = accelerations(model, s.q, s.v, s.tau), y = accelerations(looped, q, v, VectorXd::Zero(7));
    EXPECT_NEAR(x[model.v_index("ground")], y[looped.v_index("ground")], 1e-11 * (1 + x.norm()));
  }
}

/// Joints above one that is turned are turned too; a joint between two links that the world holds closes a loop.
TEST(SdfTurnedJoints, WholeChainsAreTurned) {
  const auto link = [](const std::string& name) {
    return "<link name=\"" + name +
           "\"><inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>\n";
  };
  const auto joint = [](const std::string& name, const std::string& parent, const std::string& child) {
    return "<joint name=\"" + name + "\" type=\"revolute\"><parent>" + parent + "</parent><child>" + child +
           "</child><axis><xyz>0 1 0</xyz></axis></joint>\n";
  };
  const Reading reading =
      read_sdf_text("<sdf version=\"1.9\"><model name=\"m\">\n" + link("a") + link("b") + link("c") + link("d") +
                        joint("cb", "c", "b") + joint("ba", "b", "a") + joint("ground", "world", "a") +
                        joint("cd", "c", "d") + joint("ad", "a", "d") + "</model></sdf>",
                    "m.sdf");
  std::string names;
  for (const BodyDescription& b : reading.description.bodies)
    names += b.parent + ">" + b.joint.name + ">" + b.name + " ";
  EXPECT_EQ(names, "b>cb>c a>ba>b world>ground>a c>cd>d ");
  ASSERT_EQ(reading.description.loops.size(), 1u);
  EXPECT_EQ(reading.description.loops[0].name, "ad");
}

}  // namespace turned
}  // namespace kinetree::test
#endif
