// Loops and couplings of a file beside the model's.
#include <gtest/gtest.h>

#include <kinetree/configuration.hpp>
#include <kinetree/kinetree.hpp>
#include <kinetree/loops_from.hpp>
#include <string>

namespace kinetree {
namespace {

const std::string urdf = R"(<robot name="four_bar"><link name="base"/>
<joint name="crank_pivot" type="continuous"><parent link="base"/><child link="crank"/><axis xyz="0 1 0"/></joint>
<link name="crank"><inertial><origin xyz="0.075 0 0"/><mass value="0.3"/>
  <inertia ixx="0" iyy="5.625e-4" izz="5.625e-4" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="crank_end" type="continuous"><parent link="crank"/><child link="coupler"/><origin xyz="0.15 0 0"/>
  <axis xyz="0 1 0"/></joint>
<link name="coupler"><inertial><origin xyz="0.2 0 0"/><mass value="0.8"/>
  <inertia ixx="0" iyy="1.0666666666666666e-2" izz="1.0666666666666666e-2" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="rocker_pivot" type="continuous"><parent link="base"/><child link="rocker"/><origin xyz="0.4 0 0"/>
  <axis xyz="0 1 0"/></joint>
<link name="rocker"><inertial><origin xyz="0.15 0 0"/><mass value="0.6"/>
  <inertia ixx="0" iyy="4.5e-3" izz="4.5e-3" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>)";
const std::string loop = R"(loops:
  - {name: rocker_end, type: revolute, axis: [0, 1, 0], between: [{body: coupler, xyz: [0.4, 0, 0]}, {body: rocker, xyz: [0.3, 0, 0]}]}
)";

Model made(const std::string& loops) {
  Reading reading = with_loops_from_text(read_urdf_text(urdf, "robot.urdf"), loops, "loops.yaml");
  return make_model(reading.description, {}, reading.findings);
}

std::string refusal(const std::string& loops) {
  try {
    (void)made(loops);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(LoopsFrom, CloseAUrdfAsItsYamlCloses) {
  const Model closed = made(loop), whole = load_model(KINETREE_MODELS "/four_bar.yaml");
  ForwardDynamics one(closed), other(whole);
  Eigen::VectorXd q = neutral(whole), v = Eigen::VectorXd::Zero(3), a(3), b(3);
  ASSERT_EQ(neutral(closed), q);
  ASSERT_TRUE(one.solve(q, v, v, a).ok());
  ASSERT_TRUE(other.solve(q, v, v, b).ok());
  EXPECT_EQ(a, b);
  EXPECT_GT(b.norm(), 1);
  // without the loop the crank falls another way
  const Model open = make_model(read_urdf_text(urdf, "robot.urdf").description);
  ForwardDynamics free(open);
  ASSERT_TRUE(free.solve(q, v, v, a).ok());
  EXPECT_GT((a - b).norm(), 1);
}

TEST(LoopsFrom, TakeCouplingsIndependentJointsAndPositions) {
  const Model model = made(loop + "independent: [crank_pivot]\nassembled: {crank_pivot: 0.5}\n");
  EXPECT_EQ(neutral(model)[0], 0.5);
  const Model geared = made("couplings:\n  - {name: gear, terms: {crank_pivot: 1, rocker_pivot: -2}}\n");
  ForwardDynamics dynamics(geared);
  Eigen::VectorXd zero = Eigen::VectorXd::Zero(3), a(3);
  ASSERT_TRUE(dynamics.solve(zero, zero, zero, a).ok());
  EXPECT_NEAR(a[0], 2 * a[2], 1e-12 * std::abs(a[0]));
  EXPECT_GT(std::abs(a[2]), 1);
}

TEST(LoopsFrom, FindingsNameTheFileAndItsLine) {
  const std::string unknown = refusal("loops: []\nbodies: []\n");
  EXPECT_NE(unknown.find("loops.yaml:2: error: model: unknown key \"bodies\""), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("known are loops, couplings, forces, independent, assembled"), std::string::npos) << unknown;
  std::string elsewhere = loop;
  elsewhere.replace(elsewhere.find("coupler"), 7, "coupler2");
  const std::string nobody = refusal("# a comment\n" + elsewhere);
  EXPECT_NE(nobody.find("loops.yaml:3: error: loop \"rocker_end\""), std::string::npos) << nobody;
  const std::string nowhere = refusal(loop + "assembled: {crnk: 1}\n");
  EXPECT_NE(nowhere.find("loops.yaml:3"), std::string::npos) << nowhere;
  EXPECT_NE(refusal("loops: 3\n").find("loops.yaml:1"), std::string::npos);
  const std::string of_model = refusal(loop + loop.substr(loop.find('\n') + 1));
  EXPECT_NE(of_model.find("rocker_end"), std::string::npos) << of_model;
  Reading missing = with_loops_from(read_urdf_text(urdf, "robot.urdf"), "/nowhere/loops.yaml");
  ASSERT_EQ(missing.findings.size(), 1u);
  EXPECT_NE(to_string(missing.findings[0]).find("/nowhere/loops.yaml: error: file: does not exist"), std::string::npos);
}

TEST(LoopsFrom, FindingsOnTheModelKeepItsLines) {
  std::string light = urdf;
  light.replace(light.find("mass value=\"0.8\""), 16, "mass value=\"-1\"");
  Reading reading = with_loops_from_text(read_urdf_text(light, "robot.urdf"), loop, "loops.yaml");
  try {
    (void)make_model(reading.description, {}, reading.findings);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("robot.urdf:7"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace kinetree
