// Words of SDFormat that libsdformat takes for its users' own: slips in what counts are errors. Rotors and mimic
// plugins beyond SDFormat are read.
#include <kinetree/kinetree.hpp>
#include <kinetree/sdf.hpp>

#include "io/expect_finding.hpp"

#if KINETREE_WITH_SDF

namespace kinetree::test {
namespace {

/// Line 2: the model; 3 to 5: links base, a, b, held by `hold`; 6: joint ja; 7: joint jb.
std::string model(const std::string& joint, const std::string& axis = "", const std::string& rest = "",
                  const std::string& link = "") {
  const std::string inertial =
      "<inertial><pose>.1 0 0 0 0 0</pose><mass>1</mass><inertia><ixx>.01</ixx><iyy>.01</iyy><izz>.01</izz></inertia>"
      "</inertial>";
  return "<sdf version=\"1.9\" xmlns:drake=\"http://drake.mit.edu\">\n<model name=\"m\">\n<link name=\"base\">" +
         inertial + "</link>\n<link name=\"a\">" + inertial + link + "</link>\n<link name=\"b\">" + inertial +
         "</link>\n<joint name=\"ja\" type=\"revolute\"><parent>base</parent><child>a</child><axis><xyz>0 1 0</xyz>" +
         axis + "</axis>" + joint +
         "</joint>\n<joint name=\"jb\" type=\"revolute\"><parent>a</parent><child>b</child><axis><xyz>0 1 "
         "0</xyz></axis></joint>\n<joint name=\"hold\" "
         "type=\"fixed\"><parent>world</parent><child>base</child></joint>\n" +
         rest + "</model>\n</sdf>\n";
}

TEST(SdfWords, SlipsInWhatCountsAreErrorsWithTheNearestWord) {
  std::string attribute = model("");
  attribute.replace(attribute.find("<xyz>"), 5, "<xyz expresed_in=\"a\">");
  for (const Broken& broken : std::vector<Broken>{
           {"damping", model("", "<dynamics><dampling>3</dampling></dynamics>"), 6, "<dampling>", {"write <damping>"}},
           {"stiffness",
            model("", "<dynamics><spring_stifness>3</spring_stifness></dynamics>"),
            6,
            "<spring_stifness>",
            {"<spring_stiffness>"}},
           {"upper", model("", "<limit><uper>3</uper></limit>"), 6, "<uper>", {"unknown in <limit>", "write <upper>"}},
           {"rotor",
            model("<drake:rotor_inertai>3</drake:rotor_inertai>"),
            6,
            "<drake:rotor_inertai>",
            {"<drake:rotor_inertia>"}},
           {"frame of the axis", attribute, 6, "<xyz expresed_in>", {"write expressed_in"}},
           {"frame of the pose",
            model("", "", "", "<pose relativ_to=\"base\">0 0 0 0 0 0</pose>"),
            4,
            "<pose relativ_to>",
            {"write relative_to"}},
           {"type",
            [] {
              std::string text = model("");
              return text.replace(text.find("\"revolute\""), 10, "\"revolut\"");
            }(),
            6,
            "joint \"ja\"",
            {"unknown type \"revolut\"", "write revolute"}}})
    expect_finding(broken, "m.sdf", findings_of(read_sdf_text(broken.text, "m.sdf")));
}

TEST(SdfWords, WhatIsFarFromAnyWordIsToldAndRefusesNothing) {
  const std::vector<Finding> findings =
      findings_of(read_sdf_text(model("<wobble>1</wobble><drake:mu>1</drake:mu>", "<drake:spring>1</drake:spring>", "",
                                      "<velocity_decay><linear>1</linear></velocity_decay>"),
                                "m.sdf"));
  for (const Broken& told : std::vector<Broken>{
           {"unknown", "", 6, "<wobble>", {"unknown to SDFormat 1.9", "spelling"}, Severity::warning},
           {"a spring", "", 6, "<drake:spring>", {"it is dynamics, and is not read"}, Severity::warning},
           {"decay", "", 4, "<velocity_decay>", {"links have no damping"}, Severity::warning},
           {"namespace", "", 6, "<drake:mu>", {"no part in the dynamics"}, Severity::notice}})
    expect_finding(told, "m.sdf", findings);
}

JointDescription joint_of(const Reading& reading, const std::string& name) {
  for (const BodyDescription& b : reading.description.bodies)
    if (b.joint.name == name) return b.joint;
  throw std::runtime_error("no joint " + name);
}

TEST(SdfWords, RotorsOfDrakeAreArmature) {
  const auto armature = [](const std::string& joint) {
    const Reading reading = read_sdf_text(model(joint), "m.sdf");
    EXPECT_FALSE(has_error(reading.findings)) << all(reading.findings);
    return joint_of(reading, "ja").armature;
  };
  const std::string rotor = "<drake:rotor_inertia>1e-4</drake:rotor_inertia>",
                    gear = "<drake:gear_ratio>50</drake:gear_ratio>";
  EXPECT_DOUBLE_EQ(armature(rotor + gear), 0.25);
  EXPECT_DOUBLE_EQ(armature(rotor), 1e-4);
  EXPECT_EQ(armature(gear), 0);
  expect_finding({"no number", "", 6, "joint \"ja\"", {"is \"1,5\"", "give a number"}}, "m.sdf",
                 findings_of(read_sdf_text(model("<drake:rotor_inertia>1,5</drake:rotor_inertia>"), "m.sdf")));
  expect_finding({"negative", "", 6, "joint \"ja\"", {"negative"}}, "m.sdf",
                 findings_of(read_sdf_text(model("<drake:rotor_inertia>-1</drake:rotor_inertia>"), "m.sdf")));
}

TEST(SdfWords, PluginsThatMakeJointsFollowAreMimics) {
  const std::string plugin =
      "<plugin name=\"p\" filename=\"libroboticsgroup_gazebo_mimic_joint_plugin.so\"><joint>ja</joint>"
      "<mimicJoint>jb</mimicJoint><multiplier>-2</multiplier><offset>.1</offset></plugin>\n";
  const Reading reading = read_sdf_text(model("", "", plugin), "m.sdf");
  ASSERT_FALSE(has_error(reading.findings)) << all(reading.findings);
  const JointDescription jb = joint_of(reading, "jb");
  ASSERT_TRUE(jb.mimic.has_value());
  EXPECT_EQ(jb.mimic->joint, "ja");
  EXPECT_EQ(jb.mimic->multiplier, -2);
  EXPECT_EQ(jb.mimic->offset, 0.1);
  EXPECT_EQ(independent_joints(make_model(reading.description)).size(), 1u);
}

}  // namespace
}  // namespace kinetree::test

#endif
