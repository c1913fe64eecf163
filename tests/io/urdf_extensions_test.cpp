// Dynamics beyond URDF's own words: Gazebo's springs and loop joints, plugins that make joints follow, Drake's rotors.
// libsdformat, which turns a URDF to the SDFormat that Gazebo runs, is the second opinion.
#include <cmath>
#include <kinetree/kinetree.hpp>
#include <kinetree/sdf.hpp>

#include "io/closed_state.hpp"
#include "io/expect_finding.hpp"
#include "io/sdf_of_urdf.hpp"

namespace kinetree::test {
namespace {

const std::string rod =
    "<inertial><origin xyz=\".2 0 0\"/><mass value=\"2\"/><inertia ixx=\".01\" iyy=\".04\" izz=\".05\" ixy=\"0\" "
    "ixz=\"0\" iyz=\"0\"/></inertial>";

std::string link(const std::string& name) { return "<link name=\"" + name + "\">" + rod + "</link>\n"; }
std::string joint(const std::string& name, const std::string& parent, const std::string& child, const std::string& at) {
  return "<joint name=\"" + name + "\" type=\"continuous\"><parent link=\"" + parent + "\"/><child link=\"" + child +
         "\"/><origin " + at + "/><axis xyz=\"0 1 0\"/><dynamics damping=\"0.3\"/></joint>\n";
}
/// Lines 2 to 5: links base, crank, coupler, rocker; 6 to 8: joints a, b, c of a planar four-bar in the plane y = 0.
std::string bars(const std::string& rest) {
  return "<robot name=\"r\" xmlns:drake=\"http://drake.mit.edu\">\n" + link("base") + link("crank") + link("coupler") +
         link("rocker") + joint("a", "base", "crank", "xyz=\"0 0 0.1\" rpy=\"0 -0.4 0\"") +
         joint("b", "crank", "coupler", "xyz=\".15 0 0\" rpy=\"0 0.3 0\"") +
         joint("c", "base", "rocker", "xyz=\".4 0 0.1\" rpy=\"0 -1 0\"") + rest + "</robot>\n";
}
JointDescription joint_of(const Reading& reading, const std::string& name) {
  for (const BodyDescription& b : reading.description.bodies)
    if (b.joint.name == name) return b.joint;
  throw std::runtime_error("no joint " + name);
}
Reading read_well(const std::string& text) {
  Reading reading = read_urdf_text(text, "f");
  EXPECT_FALSE(has_error(reading.findings)) << all(reading.findings);
  return reading;
}

const std::string spring =
    "<gazebo reference=\"b\"><springStiffness>100</springStiffness><springReference>0.1</springReference>"
    "<implicitSpringDamper>true</implicitSpringDamper></gazebo>\n<gazebo reference=\"c\"><springStiffness "
    "value=\"7\"/></gazebo>\n";

TEST(UrdfExtensions, GazebosSpringsAreRead) {
  const Reading reading = read_well(bars(spring));
  EXPECT_EQ(joint_of(reading, "b").passive.stiffness, (PerFreedom{100}));
  EXPECT_EQ(joint_of(reading, "b").passive.reference, (std::vector<double>{0.1}));
  EXPECT_EQ(joint_of(reading, "b").passive.damping, (PerFreedom{0.3}));
  EXPECT_EQ(joint_of(reading, "c").passive.stiffness, (PerFreedom{7}));
  EXPECT_TRUE(joint_of(reading, "a").passive.stiffness.empty());
}

TEST(UrdfExtensions, ASpringMayStandInSeveralElements) {
  const auto of_b = [](const std::string& inside) { return "<gazebo reference=\"b\">" + inside + "</gazebo>\n"; };
  const std::string stiffness = of_b("<springStiffness>100</springStiffness>"),
                    reference = of_b("<springReference>0.1</springReference>");
  for (const std::string& text : {stiffness + reference, reference + stiffness}) {
    const Reading reading = read_well(bars(text));
    EXPECT_EQ(joint_of(reading, "b").passive.stiffness, (PerFreedom{100}));
    EXPECT_EQ(joint_of(reading, "b").passive.reference, (std::vector<double>{0.1}));
    for (const Finding& f : reading.findings) EXPECT_EQ(f.severity, Severity::notice) << to_string(f);
  }
}

TEST(UrdfExtensions, ALinkAndAJointOfOneNameTakeTheWordsOfBoth) {
  std::string text = bars(
      "<gazebo reference=\"b\"><mu1>0.2</mu1><kp>1</kp><turnGravityOff>true</turnGravityOff>"
      "<springStiffness>3</springStiffness></gazebo>\n");
  for (std::size_t at; (at = text.find("\"coupler\"")) != std::string::npos;) text.replace(at, 9, "\"b\"");
  const Reading reading = read_well(text);
  EXPECT_EQ(joint_of(reading, "b").passive.stiffness, (PerFreedom{3}));
  int warnings = 0;
  for (const Finding& f : reading.findings) warnings += f.severity == Severity::warning;
  EXPECT_EQ(warnings, 1) << all(reading.findings);
  expect_finding({"gravity", "", 9, "<gazebo reference> <turnGravityOff>", {"gravity acts"}, Severity::warning}, "f",
                 reading.findings);
}

const std::string loop =
    "<gazebo><joint name=\"close\" type=\"revolute\"><parent>coupler</parent><child>rocker</child>"
    "<pose relative_to=\"c\">.25 .01 0 .2 0 0</pose><axis><xyz expressed_in=\"base\">0 1 0</xyz></axis></joint>"
    "</gazebo>\n";

TEST(UrdfExtensions, AJointOfGazeboClosesALoop) {
  const Reading reading = read_well(bars(loop));
  ASSERT_EQ(reading.description.loops.size(), 1u);
  const LoopDescription& l = reading.description.loops[0];
  EXPECT_EQ(l.name + " " + l.type + " " + l.first.body + " " + l.second.body, "close revolute coupler rocker");
  EXPECT_NEAR(l.second.frame.xyz[0], 0.25, 1e-15);
  EXPECT_NEAR(l.second.frame.xyz[1], 0.01, 1e-15);
  // y of the base in a frame that is turned by .2 about x of the rocker, which turned about y before
  EXPECT_NEAR(l.axis[1], std::cos(0.2), 1e-15);
  EXPECT_NEAR(l.axis[2], -std::sin(0.2), 1e-15);
  EXPECT_EQ(independent_joints(make_model(reading.description)).size(), 1u);
}

/// As in SDFormat 1.5's files, where the flag stands beside every axis; false is its default.
TEST(UrdfExtensions, TheOldFrameOfAnAxisCountsOnlyWhereItIsTrue) {
  for (const std::string flag : {"0", "false", ""}) {
    std::string text = bars(loop);
    text.insert(text.find("<axis><xyz") + 6, "<use_parent_model_frame>" + flag + "</use_parent_model_frame>");
    EXPECT_EQ(read_well(text).description.loops.size(), 1u) << flag;
  }
}

/// A link named world is the ground, and what hangs from it by a joint that moves is not held by that.
TEST(UrdfExtensions, AWeldToTheWorldHoldsALinkThatMoves) {
  std::string text = bars(
      "<gazebo><joint name=\"h\" type=\"fixed\"><parent>world</parent><child>crank</child></joint>"
      "</gazebo>\n");
  for (std::size_t at; (at = text.find("\"base\"")) != std::string::npos;) text.replace(at, 6, "\"world\"");
  const Reading reading = read_well(text);
  ASSERT_EQ(reading.description.loops.size(), 1u) << all(reading.findings);
  EXPECT_EQ(reading.description.loops[0].type, "weld");
}

TEST(UrdfExtensions, OwnWordsOfAHardwareAreNoMimics) {
  const auto control = [](const std::string& params) {
    return bars("<ros2_control name=\"s\"><joint name=\"c\">" + params + "</joint></ros2_control>\n");
  };
  for (const std::string text : {"", "0x800"})
    EXPECT_FALSE(
        joint_of(read_well(control("<param name=\"offset\">" + text + "</param><param name=\"multiplier\"/>")), "c")
            .mimic);
  expect_finding(
      {"no number", "", 9, "<ros2_control> joint \"c\"", {"<param name=\"offset\"> is \"x\""}}, "f",
      findings_of(read_urdf_text(control("<param name=\"offset\">x</param><param name=\"mimic\">a</param>"), "f")));
}

TEST(UrdfExtensions, AJointFromTheWorldHoldsTheRootAsItIs) {
  const std::string held =
      "<gazebo><joint name=\"h\" type=\"fixed\"><parent>world</parent><child>base</child></joint></gazebo>\n";
  const Reading reading = read_well(bars(held));
  EXPECT_TRUE(reading.description.loops.empty());
  expect_finding({"held", "", 9, "<gazebo> joint \"h\"", {"holds \"base\"", "as it is held"}, Severity::notice}, "f",
                 reading.findings);
}

#if KINETREE_WITH_SDF

/// The same mechanism as by libsdformat's own conversion, but for the base, which floats there.
TEST(UrdfExtensions, SpringsAndLoopsAreThoseOfLibsdformat) {
  const auto closing = [](const std::string& pose, const std::string& axis) {
    return "<gazebo><joint name=\"close\" type=\"prismatic\"><parent>coupler</parent><child>rocker</child>" + pose +
           "<axis>" + axis + "</axis></joint></gazebo>\n";
  };
  const std::string numbers = ">.25 .01 -.3 .2 .5 -.7</pose>";
  for (const std::string& by :
       {loop, closing("", ""), closing("<pose" + numbers, "<xyz>1 2 3</xyz>"),
        closing("<pose relative_to=\"coupler\"" + numbers, "<xyz>0 1 1</xyz>"),
        closing("<pose relative_to=\"__model__\"" + numbers, "<xyz expressed_in=\"__model__\">1 2 3</xyz>")}) {
    const std::string text = bars(spring + by);
    Reading theirs = read_sdf_text(sdf_of_urdf(text), "theirs");
    ASSERT_FALSE(has_error(theirs.findings)) << all(theirs.findings);
    Reading ours = read_well(text);
    for (const BodyDescription& b : theirs.description.bodies) {
      if (b.name == "base") continue;
      const JointDescription& j = joint_of(ours, b.joint.name);
      const auto spring_of = [](const JointDescription& one) {
        return one.passive.stiffness.empty() ? 0 : one.passive.stiffness[0];
      };
      EXPECT_EQ(spring_of(j), spring_of(b.joint)) << b.joint.name;
      if (spring_of(j) != 0) {
        EXPECT_EQ(j.passive.reference[0], b.joint.passive.reference[0]) << b.joint.name;
      }
    }
    const LoopDescription &a = ours.description.loops.at(0), &b = theirs.description.loops.at(0);
    EXPECT_EQ(a.type, b.type);
    EXPECT_EQ(a.first.body, b.first.body);
    const double length = std::hypot(a.axis[0], a.axis[1], a.axis[2]);  // theirs is of length 1
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(a.axis[k] / length, b.axis[k], 1e-12) << by;
      EXPECT_NEAR(a.first.frame.xyz[k], b.first.frame.xyz[k], 1e-12) << by;
      EXPECT_NEAR(a.second.frame.xyz[k], b.second.frame.xyz[k], 1e-12) << by;
    }
    for (const auto& [one, other] :
         {std::pair{a.first.frame, b.first.frame}, std::pair{a.second.frame, b.second.frame}}) {
      double cosine = 0;  // of half the angle between them
      for (std::size_t k = 0; k < 4; ++k) cosine += one.quaternion[k] * other.quaternion[k];
      EXPECT_NEAR(std::abs(cosine), 1, 1e-12) << by;
    }
  }
}

#endif

TEST(UrdfExtensions, RotorsOfDrakeAreArmature) {
  const auto transmission = [](const std::string& actuator, const std::string& more = "<joint name=\"b\"/>") {
    return bars("<transmission name=\"t\"><type>transmission_interface/SimpleTransmission</type>" + more +
                "<actuator name=\"m\">" + actuator + "</actuator></transmission>\n");
  };
  const std::string rotor = "<drake:rotor_inertia value=\"1e-4\"/>", gear = "<drake:gear_ratio value=\"50\"/>";
  const std::string reduction = "<mechanicalReduction>50</mechanicalReduction>";
  EXPECT_DOUBLE_EQ(joint_of(read_well(transmission(rotor + gear + reduction)), "b").armature, 0.25);
  EXPECT_DOUBLE_EQ(joint_of(read_well(transmission(rotor)), "b").armature, 1e-4);
  EXPECT_EQ(joint_of(read_well(transmission(reduction)), "b").armature, 0);
  // two actuators of one joint, as Drake adds them
  EXPECT_DOUBLE_EQ(
      joint_of(read_well(transmission(rotor + gear + "</actuator><actuator name=\"n\">" + rotor)), "b").armature,
      0.2501);
  for (const Broken& broken : std::vector<Broken>{
           {"other ratio",
            transmission(rotor + reduction),
            9,
            "transmission \"t\"",
            {"not <drake:gear_ratio>", "Drake"},
            Severity::warning},
           {"negative",
            transmission("<drake:rotor_inertia value=\"-1\"/>"),
            9,
            "transmission \"t\"",
            {"> -1 is negative"}},
           {"no number", transmission("<drake:rotor_inertia value=\"x\"/>"), 9, "transmission \"t\"", {"is \"x\""}},
           {"misspelt",
            transmission("<drake:rotor_intertia value=\"1\"/>"),
            9,
            "<drake:rotor_intertia>",
            {"write <drake:rotor_inertia>"}},
           {"no joint",
            transmission(rotor, "<joint name=\"bb\"/>"),
            9,
            "transmission \"t\"",
            {"\"bb\" is no joint", "(nearest: \"b\""}},
           {"two joints",
            transmission(rotor, "<joint name=\"a\"/><joint name=\"b\"/>"),
            9,
            "<drake:rotor_inertia>",
            {"not read", "one joint"},
            Severity::warning},
           {"another's word",
            transmission("<motorInertia>1</motorInertia>"),
            9,
            "<transmission> <motorInertia>",
            {"dynamics that is not read", "drake:rotor_inertia"},
            Severity::warning}})
    expect_finding(broken, "f", findings_of(read_urdf_text(broken.text, "f")));
}

TEST(UrdfExtensions, PluginsThatMakeJointsFollowAreMimics) {
  const auto plugin = [](const std::string& inside,
                         const std::string& file = "libroboticsgroup_upatras_gazebo_mimic_joint_plugin.so") {
    return bars("<gazebo><plugin filename=\"" + file + "\" name=\"p\">" + inside + "</plugin></gazebo>\n");
  };
  const std::string who = "<joint>a</joint><mimicJoint>c</mimicJoint>";
  const std::string how = "<multiplier>-2</multiplier><offset>0.1</offset>";
  for (const std::string& text :
       {plugin(who + how + "<maxEffort>5</maxEffort><sensitiveness>0</sensitiveness>"),
        plugin(who + how, "libgazebo_mimic_plugin.so"),
        bars("<ros2_control name=\"s\"><joint name=\"c\"><param name=\"mimic\">a</param><param "
             "name=\"multiplier\">-2</param><param name=\"offset\">0.1</param></joint></ros2_control>\n")}) {
    const JointDescription c = joint_of(read_well(text), "c");
    ASSERT_TRUE(c.mimic.has_value()) << text;
    EXPECT_EQ(c.mimic->joint, "a");
    EXPECT_EQ(c.mimic->multiplier, -2);
    EXPECT_EQ(c.mimic->offset, 0.1);
  }
  const std::string p = "plugin \"p\"";
  for (const Broken& broken :
       std::vector<Broken>{{"told", plugin(who), 9, p, {"\"c\" follow \"a\"", "coupling"}, Severity::notice},
                           {"no joint",
                            plugin("<joint>a</joint><mimicJoint>d</mimicJoint>"),
                            9,
                            p,
                            {"\"d\" is no joint", "(nearest: "}},
                           {"no words",
                            plugin("<follow>a</follow>"),
                            9,
                            "<gazebo> <plugin>",
                            {"not read", "<mimic>"},
                            Severity::warning},
                           {"slip", plugin(who + "<mutiplier>2</mutiplier>"), 9, "<mutiplier>", {"write <multiplier>"}},
                           {"no number", plugin(who + "<offset>x</offset>"), 9, p, {"<offset> is \"x\""}},
                           {"another plugin",
                            plugin(who, "libgazebo_ros_control.so"),
                            9,
                            "<gazebo> <plugin>",
                            {"do not run"},
                            Severity::notice}})
    expect_finding(broken, "f", findings_of(read_urdf_text(broken.text, "f")));
  std::string both = plugin(who + how);
  both.insert(both.find("</joint>", both.find("name=\"c\"")), "<mimic joint=\"a\" multiplier=\"3\"/>");
  expect_finding({"both", "", 9, p, {"otherwise than its <mimic>"}, Severity::warning}, "f",
                 findings_of(read_urdf_text(both, "f")));
}

TEST(UrdfExtensions, WhatIsDynamicsAndNotReadIsNamed) {
  const auto of = [](const std::string& reference, const std::string& inside) {
    return bars("<gazebo" + (reference.empty() ? "" : " reference=\"" + reference + "\"") + ">" + inside +
                "</gazebo>\n");
  };
  const std::string in = "<gazebo reference> <";
  const auto close = [&](const std::string& attributes, const std::string& inside) {
    return of("", "<joint name=\"k\" " + attributes + ">" + inside + "</joint>");
  };
  const std::string ends = "<parent>coupler</parent><child>rocker</child>", k = "<gazebo> joint \"k\"";
  for (const Broken& broken : std::vector<Broken>{
           {"gravity",
            of("crank", "<turnGravityOff>true</turnGravityOff>"),
            9,
            in + "turnGravityOff>",
            {"dynamics that is not read", "gravity acts"},
            Severity::warning},
           {"gravity in capitals",
            of("crank", "<turnGravityOff>TRUE</turnGravityOff>"),
            9,
            in + "turnGravityOff>",
            {"gravity acts"},
            Severity::warning},
           {"no gravity off",
            of("crank", "<turnGravityOff>False</turnGravityOff>"),
            9,
            "<gazebo>",
            {"turnGravityOff", "no part in the dynamics"},
            Severity::notice},
           {"inertia of a link",
            of("crank", "<inertial><mass>1</mass></inertial>"),
            9,
            in + "inertial>",
            {"own <inertial> counts"},
            Severity::warning},
           {"no damping",
            of("crank", "<dampingFactor>0</dampingFactor>"),
            9,
            "<gazebo>",
            {"dampingFactor", "no part in the dynamics"},
            Severity::notice},
           {"no decay",
            of("crank", "<velocity_decay/>"),
            9,
            "<gazebo>",
            {"velocity_decay", "no part in the dynamics"},
            Severity::notice},
           {"damping",
            of("crank", "<dampingFactor>0.1</dampingFactor>"),
            9,
            in + "dampingFactor>",
            {"links have no damping"},
            Severity::warning},
           {"a link's spring",
            of("crank", "<springStiffness>1</springStiffness><implicitSpringDamper>1</implicitSpringDamper>"),
            9,
            in + "springStiffness>",
            {"name the joint"},
            Severity::warning},
           {"static", of("", "<static>true</static>"), 9, "<gazebo> <static>", {"stands still"}, Severity::warning},
           {"axis", of("b", "<axis><dynamics/></axis>"), 9, in + "axis>", {"own elements count"}, Severity::warning},
           {"link", of("", "<link name=\"x\"/>"), 9, "<gazebo> <link>", {"add bodies"}},
           {"slip", of("b", "<springStifness>3</springStifness>"), 9, "<springStifness>", {"write <springStiffness>"}},
           {"no number", of("b", "<springStiffness>hard</springStiffness>"), 9, "joint \"b\"", {"is \"hard\""}},
           {"negative",
            of("b", "<springStiffness>-1</springStiffness>"),
            7,
            "joint \"b\"",
            {"stiffness -1 is negative"}},
           {"reference alone",
            of("b", "<springReference>1</springReference>"),
            9,
            "joint \"b\"",
            {"no spring"},
            Severity::warning},
           {"unknown", of("b", "<wobble>1</wobble>"), 9, "<wobble>", {"unknown here", "spelling"}, Severity::warning},
           {"spring elsewhere", of("", "<springs/>"), 9, "<gazebo> <springs>", {"not read"}, Severity::warning},
           {"misspelt reference", bars("<gazebo referense=\"b\"/>\n"), 9, "<gazebo>", {"write reference"}},
           {"no axis", close("type=\"revolute\"", ends), 9, k, {"has no <axis>"}},
           {"screw", close("type=\"screw\"", ends + "<axis><xyz>0 1 0</xyz></axis>"), 9, k, {"\"screw\" can't close"}},
           {"no link",
            close("type=\"ball\"", "<parent>couple</parent><child>rocker</child>"),
            9,
            k,
            {"\"couple\" is no link", "(nearest: \"coupler\""}},
           {"degrees",
            close("type=\"ball\"", ends + "<pose degrees=\"true\">0 0 0 90 0 0</pose>"),
            9,
            k,
            {"<pose degrees> is not read"}},
           {"frame",
            close("type=\"ball\"", ends + "<pose relative_to=\"x\">0 0 0 0 0 0</pose>"),
            9,
            k,
            {"no link or joint"}},
           {"five numbers",
            close("type=\"ball\"", ends + "<pose>0 0 0 0 0</pose>"),
            9,
            k,
            {"5 numbers where 6 belong"}},
           {"old frame of an axis",
            close("type=\"revolute\"", ends + "<axis><use_parent_model_frame>1</use_parent_model_frame></axis>"),
            9,
            k,
            {"expressed_in"}},
           {"another element",
            close("type=\"ball\"", ends + "<screw_thread_pitch/>"),
            9,
            "<screw_thread_pitch>",
            {"take it out"}},
           {"root",
            close("type=\"revolute\"", "<parent>world</parent><child>base</child>"),
            9,
            k,
            {"root link \"base\"", "link \"world\""}}})
    expect_finding(broken, "f", findings_of(read_urdf_text(broken.text, "f")));
}

/// Any word left out or doubled, or the beginning of the file alone, gives a model or an error, never anything else.
TEST(UrdfExtensions, WhateverIsLeftOutOfThem) {
  expect_models_or_errors(
      bars(spring + loop +
           "<transmission name=\"t\"> <type>SimpleTransmission</type> <joint name=\"b\"/> <actuator name=\"m\"> "
           "<drake:rotor_inertia value=\"1e-4\"/> <drake:gear_ratio value=\"50\"/> </actuator> </transmission>\n"
           "<gazebo> <plugin filename=\"mimic.so\" name=\"p\"> <joint>a</joint> <mimicJoint>c</mimicJoint> "
           "<multiplier> 2 </multiplier> </plugin> </gazebo>\n<ros2_control name=\"s\"> <joint name=\"c\"> <param "
           "name=\"mimic\">a</param> </joint> </ros2_control>\n"),
      [](const std::string& text) { return read_urdf_text(text, "f"); });
}

}  // namespace
}  // namespace kinetree::test
