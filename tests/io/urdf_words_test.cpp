// Words of a URDF that are not read: a slip in a word that counts is an error, and what robots' files have beside is
// told once per kind and refuses nothing.
#include "io/expect_finding.hpp"

namespace kinetree::test {
namespace {

const std::string inertial =
    "<inertial><origin xyz=\"0.1 0 0\"/><mass value=\"1\"/><inertia ixx=\"0.01\" iyy=\"0.01\" izz=\"0.01\" ixy=\"0\" "
    "ixz=\"0\" iyz=\"0\"/></inertial>";

/// Line 3: link arm; line 5: joint elbow, line 6: joint wrist.
std::string robot(const std::string& elbow_attributes, const std::string& elbow, const std::string& wrist = "",
                  const std::string& arm = inertial, const std::string& rest = "") {
  return "<robot name=\"r\" xmlns:drake=\"http://drake.mit.edu\">\n<link name=\"base\"/>\n<link name=\"arm\">" + arm +
         "</link>\n<link name=\"hand\">" + inertial + "</link>\n<joint name=\"elbow\" type=\"revolute\"" +
         elbow_attributes + "><parent link=\"base\"/><child link=\"arm\"/>" + elbow +
         "</joint>\n<joint name=\"wrist\" type=\"revolute\"><parent link=\"arm\"/><child link=\"hand\"/>" + wrist +
         "</joint>\n" + rest + "</robot>\n";
}
std::string with_elbow(const std::string& inside) { return robot("", inside); }

TEST(UrdfWords, SlipsInWhatCountsAreErrorsWithTheNearestWord) {
  const std::string elbow = "joint \"elbow\"", wrist = "joint \"wrist\"", arm = "link \"arm\"";
  const auto mass = [](const std::string& inside) { return robot("", "", "", "<inertial>" + inside + "</inertial>"); };
  const std::string inertia = "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/>";
  for (const Broken& broken : std::vector<Broken>{
           {"multiplier",
            robot("", "", "<mimic joint=\"elbow\" mutiplier=\"2\"/>"),
            6,
            wrist,
            {"<mimic mutiplier> is unknown here", "write multiplier"}},
           {"offset",
            robot("", "", "<mimic joint=\"elbow\" ofset=\"0.1\"/>"),
            6,
            wrist,
            {"<mimic ofset>", "write offset"}},
           {"damping", with_elbow("<dynamics dampling=\"0.5\"/>"), 5, elbow, {"<dynamics dampling>", "write damping"}},
           {"upper case", with_elbow("<dynamics Damping=\"0.5\"/>"), 5, elbow, {"write damping"}},
           {"axis as an attribute",
            robot(" axis=\"0 0 1\"", ""),
            5,
            elbow,
            {"<joint axis> is unknown here", "write <axis xyz=\"...\">"}},
           {"damping in the joint", robot(" damping=\"1\"", ""), 5, elbow, {"write <dynamics damping=\"...\">"}},
           {"damping in the limit", with_elbow("<limit damping=\"1\"/>"), 5, elbow, {"write <dynamics damping"}},
           {"velocity", with_elbow("<limit velocty=\"1\"/>"), 5, elbow, {"<limit velocty>", "write velocity"}},
           {"origin of a coupling's end",
            robot("", "", "", inertial,
                  "<coupling name=\"c\"><predecessor link=\"base\"><origin xyz=\"0 0 1\"/></predecessor><successor "
                  "link=\"hand\"/><ratio value=\"1\"/></coupling>"),
            7,
            "<origin>",
            {"in <predecessor>", "take it out"}},
           {"mass",
            mass("<mass valeu=\"2\" value=\"1\" kg=\"1\" xyz=\"1 0 0\"/>" + inertia),
            3,
            arm,
            {"<mass xyz>", "write <origin xyz"}},
           {"axis in the origin",
            with_elbow("<origin xyz=\"0 0 0\"><axis xyz=\"0 0 1\"/></origin>"),
            5,
            "<axis>",
            {"in <origin>", "it belongs in <joint>"}},
           {"mass in the link", robot("", "", "", inertial + "<mass value=\"3\"/>"), 3, "<mass>", {"<inertial>"}},
           {"dynamics in the limit",
            with_elbow("<limit><dynamics damping=\"1\"/></limit>"),
            5,
            "<dynamics>",
            {"<joint>"}},
           {"a link's type of joint", robot(" typ=\"prismatic\"", "<origin xyz=\"0 0 1\"/>"), 5, elbow, {"typ"}}}) {
    Broken alone = broken;
    if (broken.name == "a link's type of joint") {  // the word stands there already, so none is meant
      alone.severity = Severity::warning, alone.element = "<joint typ>", alone.words = {"unknown here", "1 time"};
    }
    expect_finding(alone, "f.urdf", findings_of(read_urdf_text(broken.text, "f.urdf")));
  }
}

TEST(UrdfWords, WhatIsFarFromAnyWordIsToldOncePerKind) {
  const std::string inside =
      "<limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\" jerk=\"5\" drake:acceleration=\"3\"/>";
  const std::vector<Finding> findings = findings_of(read_urdf_text(robot(" vendor_id=\"1\"", inside, inside), "f"));
  for (const Broken& told : std::vector<Broken>{
           {"vendor", "", 5, "<joint vendor_id>", {"unknown here", "1 time", "spelling"}, Severity::warning},
           {"jerk", "", 5, "<limit jerk>", {"unknown here", "2 times"}, Severity::warning},
           {"namespace", "", 5, "<limit drake:acceleration>", {"2 times"}, Severity::notice}})
    expect_finding(told, "f", findings);
  expect_finding({"turned axis", "", 5, "<axis rpy>", {"left out, 1 time", "no effect"}, Severity::warning}, "f",
                 findings_of(read_urdf_text(with_elbow("<axis xyz=\"0 0 1\" rpy=\"0 0.1 0\"/>"), "f")));
  expect_finding({"plain axis", "", 5, "<axis rpy>", {"turns nothing"}, Severity::notice}, "f",
                 findings_of(read_urdf_text(with_elbow("<axis rpy=\"0 0 0\" xyz=\"0 1 0\"/>"), "f")));
  expect_finding({"stiffness", "", 5, "<dynamics stiffness>", {"dynamics that is not read"}, Severity::warning}, "f",
                 findings_of(read_urdf_text(with_elbow("<dynamics stiffness=\"100\"/>"), "f")));
  expect_finding({"bushing", "", 7, "<drake:linear_bushing_rpy>", {"dynamics that is not read"}, Severity::warning},
                 "f", findings_of(read_urdf_text(robot("", "", "", inertial, "<drake:linear_bushing_rpy/>"), "f")));
  expect_finding(
      {"another element's damping", "", 5, "<joint_properties>", {"write <dynamics damping"}, Severity::warning}, "f",
      findings_of(read_urdf_text(with_elbow("<joint_properties damping=\"1.0\" friction=\"1.0\"/>"), "f")));
  const auto compiler = [](const std::string& options) {
    return findings_of(
        read_urdf_text(robot("", "", "", inertial, "<mujoco><compiler meshdir=\"m\" " + options + "/></mujoco>"), "f"));
  };
  expect_finding({"compiler", "", 7, "<mujoco>", {"MuJoCo's own compiler"}, Severity::notice}, "f",
                 compiler("balanceinertia=\"false\""));
  expect_finding({"other inertias", "", 7, "<mujoco> <compiler balanceinertia>", {"other inertias"}, Severity::warning},
                 "f", compiler("balanceinertia=\"true\""));
  expect_finding({"extension in a link", "", 3, "<gazebo> in <link>", {"in <robot> alone"}, Severity::notice}, "f",
                 findings_of(read_urdf_text(robot("", "", "", inertial + "<gazebo><mu1>1</mu1></gazebo>"), "f")));
  // a symmetric matrix in full, and words of pictures
  for (const auto& [element, text] : std::vector<std::pair<std::string, std::string>>{
           {"<inertia iyx>",
            robot("", "", "",
                  "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" iyx=\"0\" ixz=\"0\" "
                  "iyz=\"0\"/></inertial>")},
           {"<visual>", robot("", "", "", inertial + "<visual><geometry><box siez=\"1 1 1\"/></geometry></visual>")}}) {
    const std::vector<Finding> all_said = findings_of(read_urdf_text(text, "f"));
    EXPECT_FALSE(has_error(all_said)) << all(all_said);
    EXPECT_TRUE(std::any_of(all_said.begin(), all_said.end(),
                            [](const Finding& f) {
                              return f.severity == Severity::warning &&
                                     (f.element == "<inertia iyx>" || f.message.find("siez") != std::string::npos);
                            }))
        << element << all(all_said);
  }
}

/// As xacro writes robots of ROS-Industrial, with what Gazebo, ros_control, ros2_control and Drake add.
const std::string industrial = R"(<?xml version="1.0" ?>
<!-- |    This document was autogenerated by xacro from arm.xacro    | -->
<robot name="arm6" xmlns:xacro="http://www.ros.org/wiki/xacro" xmlns:drake="http://drake.mit.edu" version="1.0">
  <material name="orange"><color rgba="1.0 0.423 0.039 1.0"/></material>
  <link name="world"/>
  <link name="base_link">
    <inertial><origin rpy="0 0 0" xyz="0 0 0.1"/><mass value="4.0"/>
      <inertia ixx="0.00443" ixy="0.0" ixz="0.0" iyy="0.00443" iyz="0.0" izz="0.0072"/></inertial>
    <visual name="base"><origin rpy="0 0 0" xyz="0 0 0"/>
      <geometry><mesh filename="package://arm/meshes/visual/base.stl" scale="0.001 0.001 0.001"/></geometry>
      <material name="orange"/></visual>
    <collision name="base"><geometry>
      <mesh filename="package://arm/meshes/collision/base.stl"><drake:declare_convex/></mesh></geometry>
      <drake:proximity_properties><drake:mu_static value="0.5"/></drake:proximity_properties>
      <verbose value="1"/><contact_coefficients mu="0.3" kp="1000" kd="1"/></collision>
    <self_collision_checking><origin xyz="0 0 0"/></self_collision_checking>
  </link>
  <link name="link_1" type="laser">
    <inertial><mass value="3.7"/><origin rpy="0 0 0" xyz="0.0 0.0 0.1"/>
      <inertia ixx="0.0102" ixy="0" ixz="0" iyy="0.0102" iyz="0" izz="0.0066"/></inertial>
  </link>
  <link name="tool0"/>
  <joint name="world_joint" type="fixed"><parent link="world"/><child link="base_link"/>
    <origin rpy="0 0 0" xyz="0 0 0"/></joint>
  <joint name="joint_1" type="revolute">
    <parent link="base_link"/><child link="link_1"/><origin rpy="0 0 0" xyz="0 0 0.45"/><axis xyz="0 0 1"/>
    <limit effort="0" lower="-2.967" upper="2.967" velocity="2.618"/>
    <dynamics damping="1.0" friction="0.5"/>
    <calibration falling="0.0" rising="0.1"/>
    <safety_controller k_position="100" k_velocity="10" soft_lower_limit="-2.9" soft_upper_limit="2.9"/>
  </joint>
  <joint name="joint_1-tool0" type="fixed"><parent link="link_1"/><child link="tool0"/></joint>
  <transmission name="trans_1"><type>transmission_interface/SimpleTransmission</type>
    <joint name="joint_1"><hardwareInterface>hardware_interface/PositionJointInterface</hardwareInterface></joint>
    <actuator name="motor_1"><hardwareInterface>hardware_interface/PositionJointInterface</hardwareInterface>
      <mechanicalReduction>1</mechanicalReduction></actuator></transmission>
  <gazebo reference="link_1"><material>Gazebo/Orange</material><selfCollide>true</selfCollide><mu1>0.2</mu1>
    <mu2>0.2</mu2><kp>1000000.0</kp><kd>100.0</kd><minDepth>0.001</minDepth><maxVel>1.0</maxVel>
    <turnGravityOff>false</turnGravityOff><sensor name="imu" type="imu"><update_rate>100</update_rate></sensor></gazebo>
  <gazebo reference="joint_1"><implicitSpringDamper>1</implicitSpringDamper><provideFeedback>true</provideFeedback>
    <stopCfm>0.0</stopCfm><stopErp>0.2</stopErp></gazebo>
  <gazebo reference="world_joint"><preserveFixedJoint>true</preserveFixedJoint></gazebo>
  <gazebo><static>false</static><self_collide>1</self_collide>
    <plugin filename="libgazebo_ros_control.so" name="gazebo_ros_control"><robotNamespace>/arm</robotNamespace></plugin>
  </gazebo>
  <ros2_control name="arm" type="system"><hardware><plugin>gz_ros2_control/GazeboSimSystem</plugin></hardware>
    <joint name="joint_1"><command_interface name="position"><param name="min">-1</param></command_interface>
      <state_interface name="position"/></joint></ros2_control>
  <drake:collision_filter_group name="all"><drake:member link="link_1"/></drake:collision_filter_group>
</robot>
)";

TEST(UrdfWords, RobotsAsTheyAreFoundAreRead) {
  const Reading reading = read_urdf_text(industrial, "arm.urdf");
  std::vector<std::string> warned, noted;
  for (const Finding& f : reading.findings) (f.severity == Severity::notice ? noted : warned).push_back(f.element);
  // contact_coefficients speaks of a part of a collision: not of dynamics
  EXPECT_EQ(warned, std::vector<std::string>{}) << all(reading.findings);
  EXPECT_LE(noted.size(), 15u) << all(reading.findings);
  const Model model = make_model(reading.description);
  EXPECT_EQ(model.nv(), 1);
  for (const Finding& f : reading.findings)
    if (f.element == "<gazebo>") {
      EXPECT_NE(f.message.find("kd, kp, material"), std::string::npos) << f.message;
    }
}

TEST(UrdfWords, NamesThatAreNoneAreToldWithTheNearest) {
  for (const Broken& broken : std::vector<Broken>{
           {"mimicked joint",
            robot("", "", "<mimic joint=\"elbw\"/>"),
            6,
            "joint \"wrist\"",
            {"mimics \"elbw\"", "(nearest: \"elbow\", "}},
           {"predecessor",
            robot("", "", "", inertial,
                  "<coupling name=\"c\"><predecessor link=\"amr\"/><successor link=\"hand\"/><ratio "
                  "value=\"1\"/></coupling>"),
            7,
            "coupling \"c\"",
            {"\"amr\" is no link", "(nearest: \"arm\""}},
           {"reference of gazebo",
            robot("", "", "", inertial, "<gazebo reference=\"wirst\"><springStiffness>1</springStiffness></gazebo>"),
            7,
            "<gazebo reference>",
            {"no link and no joint", "\"wrist\""},
            Severity::warning}})
    expect_finding(broken, "f", findings_of(read_urdf_text(broken.text, "f")));
  Reading lost = read_urdf_text(robot("", ""), "f");
  lost.description.bodies.back().parent = "rm";
  expect_finding({"parent", "", 6, "joint \"wrist\"", {"\"rm\" is no link", "(nearest: \"arm\""}}, "f",
                 findings_of(std::move(lost)));
}

}  // namespace
}  // namespace kinetree::test
