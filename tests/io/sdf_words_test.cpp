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
           {"unknown", "", 6, "<wobble>", {"unknown to SDFormat 1.12", "spelling"}, Severity::warning},
           {"a spring", "", 6, "<drake:spring>", {"it is dynamics, and is not read"}, Severity::warning},
           {"decay", "", 4, "<velocity_decay>", {"links have no damping"}, Severity::warning},
           {"namespace", "", 6, "<drake:mu>", {"no part in the dynamics"}, Severity::notice}})
    expect_finding(told, "m.sdf", findings);
}

/// libsdformat reads 0x.., true and false as whole numbers; none of them is cut.
TEST(SdfWords, HexadecimalsAreWholeNumbers) {
  const auto seen = [](const std::string& flags) {
    return read_sdf_text(
        model("", "", "",
              "<visual name=\"v\"><visibility_flags>" + flags +
                  "</visibility_flags><geometry><sphere><radius>.1</radius></sphere></geometry></visual>"),
        "m.sdf");
  };
  for (const std::string flags : {"0x0F", "0XfF", "true", "7"})
    for (const Finding& f : seen(flags).findings) EXPECT_NE(f.severity, Severity::warning) << to_string(f);
  for (const std::string flags : {"0x", "0xG", "red", "1,5"})
    expect_finding({flags,
                    "",
                    4,
                    "visual \"v\"",
                    {"left out here has a fault", "<visibility_flags> is \"" + flags},
                    Severity::warning},
                   "m.sdf", seen(flags).findings);
  expect_finding({"mass", "", 3, "link \"base\"", {"<mass> is \"0x1\""}}, "m.sdf", [] {
    std::string text = model("");
    return read_sdf_text(text.replace(text.find("<mass>1"), 7, "<mass>0x1"), "m.sdf").findings;
  }());
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
  expect_finding({"negative", "", 6, "joint \"ja\"", {"> -1 is negative"}}, "m.sdf",
                 findings_of(read_sdf_text(model("<drake:rotor_inertia>-1</drake:rotor_inertia>"), "m.sdf")));
}

TEST(SdfWords, ARotorOfABallJointIsLeftOutWithAWarning) {
  std::string text = model("<drake:rotor_inertia>1</drake:rotor_inertia>");
  text.replace(text.find("\"revolute\""), 10, "\"ball\"");
  expect_finding({"ball", "", 6, "joint \"ja\"", {"rotor is left out", "one degree of freedom"}, Severity::warning},
                 "m.sdf", findings_of(read_sdf_text(text, "m.sdf")));
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
  for (const Finding& f : reading.findings) EXPECT_NE(f.element, "<plugin>") << to_string(f);
  EXPECT_EQ(independent_joints(make_model(reading.description)).size(), 1u);
}

/// libsdformat refuses the second of these files for its pictures, and cuts a number in the first.
TEST(SdfWords, AFaultInAPictureLeavesMimicsLimitsAndOtherPictures) {
  const std::string plugin =
      "<plugin name=\"p\" filename=\"libmimic.so\"><joint>ja</joint><mimicJoint>jb</mimicJoint></plugin>\n";
  const std::string sphere = "<geometry><sphere><radius>.1</radius></sphere></geometry></visual>\n";
  const std::string limit = "<limit><lower>-1</lower><upper>2</upper></limit>";
  for (const std::string fault : {"<visibility_flags>red</visibility_flags>", "<material><script/></material>"}) {
    const Reading reading = read_sdf_text(
        model("", limit, plugin, "<visual name=\"u\">\n" + sphere + "<visual name=\"v\">" + fault + sphere), "m.sdf");
    ASSERT_FALSE(has_error(reading.findings)) << all(reading.findings);
    EXPECT_TRUE(joint_of(reading, "jb").mimic.has_value()) << fault;
    EXPECT_EQ(joint_of(reading, "ja").limits.upper, (PerFreedom{2})) << fault;
    for (const Finding& f : reading.findings) EXPECT_NE(f.element, "<limit>") << to_string(f);
    for (const BodyDescription& b : reading.description.bodies)
      if (b.name == "a") {
        EXPECT_EQ(b.visuals.size(), fault.starts_with("<vis") ? 1u : 0u)  // libsdformat does not say where
            << fault << "\n"
            << all(reading.findings);
      }
  }
  expect_finding({"comma in a limit", "", 6, "joint \"ja\"", {"<upper> is \"1,5\"", "Write 1.5"}}, "m.sdf",
                 findings_of(read_sdf_text(model("", "<limit><upper>1,5</upper></limit>"), "m.sdf")));
}

}  // namespace
}  // namespace kinetree::test

#endif
