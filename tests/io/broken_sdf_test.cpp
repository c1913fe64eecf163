// SDFormat files with mistakes: each is told once, with its place, and nothing is printed beside.
#include <kinetree/sdf.hpp>

#include "io/expect_finding.hpp"

#if KINETREE_WITH_SDF
#include <array>

namespace kinetree::test {
namespace {

const std::string inertial =
    "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>";
const std::string links = "<link name=\"a\">" + inertial + "</link>\n<link name=\"b\">" + inertial + "</link>\n";

/// Line 1 opens the model, what is given starts on line 2.
std::string file(const std::string& inside, const std::string& version = "1.9") {
  return "<sdf version=\"" + version + "\"><model name=\"m\">\n" + inside + "</model></sdf>\n";
}
/// The joint `j` of `b` stands on line 4.
std::string joint(const std::string& type, const std::string& inside = "", const std::string& parent = "a",
                  const std::string& child = "b") {
  return file(links + "<joint name=\"j\" type=\"" + type + "\"><parent>" + parent + "</parent><child>" + child +
              "</child>" + inside + "</joint>\n");
}
std::string mass(const std::string& text) {
  return file("<link name=\"a\"><inertial>\n" + text + "</inertial></link>\n");
}

const std::string y = "<axis><xyz>0 1 0</xyz></axis>", y2 = "<axis2><xyz>0 1 0</xyz></axis2>";
std::string against(const std::string& body) {
  return y + y2 + "<gearbox_reference_body>" + body + "</gearbox_reference_body>";
}

TEST(BrokenSdf, EachFaultIsToldOnceWithItsPlace) {
  const std::string j = "joint \"j\"", a = "link \"a\"", b = "link \"b\"";
  const std::vector<Broken> list{
      {"no XML", "<sdf version=\"1.9\">\n<model>\n</sdf>", 2, "file", {"not well-formed XML"}},
      {"empty", "", 0, "file", {"not well-formed XML"}},
      {"URDF", "\n<robot name=\"r\"/>", 2, "file", {"<robot>", "<sdf>", ".urdf"}},
      {"MJCF", "<mujoco/>", 1, "file", {"<mujoco>", "<sdf>"}},
      {"no version", "<sdf><model name=\"m\"/></sdf>", 1, "file", {"no version", "version=\"1.12\""}},
      {"newer version", file(links, "1.13"), 1, "file", {"SDFormat 1.13", "up to 1.12", "nothing newer"}},
      {"no model", "<sdf version=\"1.9\"/>", 0, "file", {"no <model>"}},
      {"two models", file(links + "</model>\n<model name=\"n\">" + links), 0, "file", {"only contain one model"}},
      {"two worlds", "<sdf version=\"1.9\">\n<world name=\"v\"/><world name=\"w\"/></sdf>", 2, "file", {"2 worlds"}},
      {"nothing moves", file("<static>true</static>" + links), 1, "file", {"nothing moves", "<static>"}},
      {"nothing moves",
       file(links.substr(0, links.find('\n')) + "<joint name=\"j\" type=\"fixed\">"
                                                "<parent>world</parent><child>a</child></joint>"),
       0,
       "model",
       {"nothing moves"}},
      {"no link", file(""), 0, "file", {"at least one link"}},
      {"no name", file("<link/>\n"), 2, "model \"m\"", {"attribute[name]", "link"}},
      {"two links of one name", file(links + "<link name=\"b\"/>\n"), 4, b, {"already exists"}},
      {"a link and a joint of one name",
       file(links + "<joint name=\"a\" type=\"fixed\"><parent>world</parent>"
                    "<child>b</child></joint>\n"),
       4,
       "joint \"a\"",
       {"non-unique"}},
      {"reserved name", file("<link name=\"world\"/>\n"), 2, "link \"world\"", {"reserved"}},
      {"mass of words", mass("<mass>much</mass>"), 3, a, {"<mass> is \"much\"; give one number, without a unit"}},
      {"decimal comma", mass("<mass>1,5</mass>"), 3, a, {"<mass> is \"1,5\"", "a decimal comma? Write 1.5"}},
      {"empty mass", mass("<mass></mass>"), 3, a, {"<mass> is \"\"; give one number"}},
      {"number with its unit", mass("<mass>1.5kg</mass>"), 3, a, {"<mass> is \"1.5kg\"", "without a unit"}},
      {"two numbers for one", mass("<mass>1 5</mass>"), 3, a, {"<mass> is \"1 5\"", "give one number"}},
      {"decimal commas in a pose",
       file("<link name=\"a\">\n<pose>0 1,5 0 0 0 0</pose></link>\n"),
       3,
       a,
       {"<pose> is \"0 1,5 0 0 0 0\"", "Write 1.5"}},
      {"decimal comma of a damping",
       joint("revolute", "<axis><xyz>0 1 0</xyz>\n<dynamics><damping>0,5</damping></dynamics></axis>"),
       5,
       j,
       {"<damping> is \"0,5\"", "Write 0.5"}},
      {"four numbers of an axis",
       joint("revolute", "<axis>\n<xyz>0 0 1 2</xyz></axis>"),
       5,
       j,
       {"<xyz> is \"0 0 1 2\"; give three numbers"}},
      {"decimal comma of gravity",
       "<sdf version=\"1.9\"><world name=\"w\">\n<gravity>0 0 -9,81</gravity><model name=\"m\">" + links +
           "</model></world></sdf>",
       2,
       "world \"w\"",
       {"<gravity> is \"0 0 -9,81\"", "Write -9.81"}},
      {"negative mass", mass("<mass>-1</mass>"), 2, a, {"mass -1 is negative"}},
      {"no inertia of a rigid body",
       mass("<mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>3</izz></inertia>"),
       2,
       a,
       {"1, 1, 3", "exceed the sum", "as it stands"},
       Severity::warning},
      {"massless and floating",
       mass("<mass>0</mass><inertia><ixx>0</ixx><iyy>0</iyy><izz>0</izz></inertia>"),
       2,
       "joint \"floating_base\"",
       {"moves no inertia", "link \"a\""}},
      {"pose of words",
       file("<link name=\"a\">\n<pose>here</pose></link>\n"),
       3,
       a,
       {"<pose> is \"here\"; give numbers, with blanks"}},
      {"pose relative to nothing", file("<link name=\"a\"><pose relative_to=\"q\"/></link>\n"), 2, a, {"name[q]"}},
      {"poses in a circle",
       file("<link name=\"a\"><pose relative_to=\"b\">0 0 1 0 0 0</pose></link>\n"
            "<link name=\"b\"><pose relative_to=\"a\">0 0 1 0 0 0</pose></link>\n"),
       0,
       "file",
       {"in a circle", "m::a"}},
      {"unknown type", joint("spline"), 4, j, {"unknown type \"spline\"", "revolute, continuous"}},
      {"revolute2 with one axis", joint("revolute2", y), 4, j, {"has no <axis2>", "revolute2"}},
      {"a fault behind one in what is left out",
       file("<link name=\"a\">\n<visual name=\"v\">\n<material><script/></material></visual>" + inertial +
            "</link>\n<joint name=\"j\" type=\"fixed\"><parent>q</parent><child>a</child></joint>\n"),
       5,
       j,
       {"parent frame with name[q]"}},
      {"no type",
       file(links + "<joint name=\"j\"><parent>a</parent><child>b</child></joint>\n"),
       4,
       j,
       {"attribute[type]"}},
      {"no parent", file(links + "<joint name=\"j\" type=\"ball\"><child>b</child></joint>\n"), 4, j, {"parent"}},
      {"no axis", joint("prismatic"), 4, j, {"has no <axis>", "prismatic"}},
      {"no second axis", joint("universal", y), 4, j, {"has no <axis2>", "universal"}},
      {"axis of length 0", joint("revolute", "<axis>\n<xyz>0 0 0</xyz></axis>"), 5, j, {"<axis> has length 0"}},
      {"axis of two",
       joint("revolute", "<axis>\n<xyz>0 1</xyz></axis>"),
       5,
       j,
       {"<xyz> is \"0 1\"; give three numbers"}},
      {"parallel axes", joint("universal", y + y2), 4, j, {"parallel"}},
      {"unknown frame of an axis",
       joint("revolute", "<axis><xyz expressed_in=\"q\">0 0 1</xyz></axis>"),
       4,
       j,
       {"[q]"}},
      {"unknown parent", joint("fixed", "", "q"), 4, j, {"parent frame with name[q]"}},
      {"unknown child", joint("fixed", "", "a", "q"), 4, j, {"hild frame with name[q]"}},
      {"child is the world", joint("fixed", "", "a", "world"), 4, j, {"invalid child", "world"}},
      {"parent is the child", joint("fixed", "", "b"), 4, j, {"different frame names"}},
      {"thread pitch 0", joint("screw", y + "<thread_pitch>0</thread_pitch>"), 4, j, {"0 rad/m", "prismatic"}},
      {"thread pitch by default",
       joint("screw", y),
       4,
       j,
       {"no <thread_pitch>", "1 rad/m of a left-handed"},
       Severity::warning},
      {"screw as a loop",
       file(links +
            "<joint name=\"h\" type=\"fixed\"><parent>world</parent><child>a</child></joint>"
            "<joint name=\"i\" type=\"fixed\"><parent>world</parent><child>b</child></joint>\n"
            "<joint name=\"j\" type=\"screw\"><parent>a</parent><child>b</child>" +
            y + "</joint>"),
       5,
       j,
       {"can't close a loop", "put it before", "\"b\""}},
      {"gearbox against nothing", joint("gearbox", y + y2), 4, j, {"no <gearbox_reference_body>"}},
      {"gearbox against no link", joint("gearbox", against("q")), 4, j, {"\"q\" is no link"}},
      {"gearbox of links without joints",
       joint("gearbox", against("a")),
       4,
       j,
       {"no revolute joint of the tree about its <axis2>", "\"b\"", "\"a\""}},
      {"missing include",
       "<sdf version=\"1.9\"><world name=\"w\">\n<include><uri>model://none</uri></include></world></sdf>",
       2,
       "world \"w\"",
       {"Unable to find uri[model://none]"}},
      {"unknown element", file(links + "<joynt/>\n"), 4, "<joynt>", {"unknown in <model>", "write <joint>"}},
      {"element far from any word",
       file(links + "<wobble/>\n"),
       4,
       "<wobble>",
       {"unknown", "1 time", "spelling"},
       Severity::warning},
      {"default inertia", file("<link name=\"a\"/>\n"), 2, "<link>", {"1 time", "default", "1 kg"}, Severity::notice},
  };
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  for (const Broken& broken : list)
    expect_finding(broken, "broken.sdf", findings_of(read_sdf_text(broken.text, "broken.sdf")));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(BrokenSdf, SeveralFaultsComeInOnePassInTheFilesOrder) {
  const std::string text = file(links +
                                "<joint name=\"j\" type=\"fixed\"><parent>q</parent><child>b</child></joint>\n"
                                "<joint name=\"k\" type=\"fixed\"><parent>a</parent><child>r</child></joint>\n");
  const std::vector<Finding> findings = read_sdf_text(text, "f").findings;
  ASSERT_EQ(findings.size(), 2u) << all(findings);
  EXPECT_EQ(findings[0].element, "joint \"j\"");
  EXPECT_EQ(findings[1].element, "joint \"k\"");
}

/// libsdformat refuses a file for each of these.
TEST(Sdf, FaultsInWhatIsLeftOutAreAWarning) {
  const std::string box = "<geometry><box><size>1 1 1</size></box></geometry>";
  const std::string good = joint("revolute", "<axis><xyz>0 1 0</xyz></axis>");
  const auto in_a = [&](const std::string& text) {
    std::string whole = good;
    return whole.insert(whole.find("</link>"), text);
  };
  const std::string mu = "<collision name=\"c\">" + box + "\n<surface><friction><ode><mu>lots</mu></ode></friction>" +
                         "</surface></collision>";
  const std::string script = "<visual name=\"v\">" + box + "<material><script/></material></visual>";
  const std::string comma =
      "<collision name=\"c\">\n<geometry><sphere><radius>0,5</radius></sphere></geometry></collision>";
  const std::string twice = "<visual name=\"v\">" + box + "</visual><visual name=\"v\">" + box + "</visual>";
  testing::internal::CaptureStderr();
  for (const auto& [text, tag, words] :
       std::vector<std::array<std::string, 3>>{{in_a(mu), "<collision>", "<mu>"},
                                               {in_a(script), "<visual>", "<script>"},
                                               {in_a(twice), "<visual>", "already exists"},
                                               {in_a(comma), "<collision>", "<radius> is \"0,5\""},
                                               {in_a(mu + script), "<collision>", "<mu>"}}) {
    const Reading reading = read_sdf_text(text, "f");
    ASSERT_FALSE(has_error(reading.findings)) << all(reading.findings);
    ASSERT_EQ(reading.description.bodies.size(), 2u);
    EXPECT_EQ(reading.description.bodies[1].line, text == in_a(twice) || text == in_a(script) ? 3 : 4);
    int warnings = 0, left_out = 0;
    for (const Finding& f : reading.findings) {
      warnings += f.severity == Severity::warning && f.message.find("left out here") != std::string::npos &&
                  f.message.find(words) != std::string::npos;
      left_out += f.severity == Severity::notice && f.element == tag;
    }
    EXPECT_EQ(warnings, 1) << all(reading.findings);
    EXPECT_EQ(left_out, 1) << all(reading.findings);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Sdf, SaysOnceWhatIsLeftOut) {
  const std::string text =
      "<sdf version=\"1.9\"><world name=\"w\"><physics type=\"ode\"><max_step_size>.01</max_step_size></physics>\n"
      "<light name=\"sun\" type=\"point\"/><plugin name=\"p\" filename=\"p.so\"/>\n"
      "<model name=\"ground\"><static>true</static><link name=\"a\"/></model>\n"
      "<model name=\"m\"><link "
      "name=\"a\"><gravity>false</gravity><kinematic>true</kinematic><velocity_decay><linear>.1</linear></"
      "velocity_decay>" +
      inertial +
      "<visual name=\"v\"><geometry><box><size>1 1 1</size></box></geometry></visual>\n"
      "<collision name=\"c\"><geometry><box><size>1 1 1</size></box></geometry></collision>\n"
      "<sensor name=\"s\" type=\"imu\"/></link><link name=\"b\"><gravity>true</gravity><velocity_decay/>" +
      inertial +
      "</link>\n<joint name=\"j\" type=\"revolute\"><parent>a</parent><child>b</child><axis><xyz>0 1 0</xyz><limit>"
      "<lower>0</lower></limit><dynamics><damping>1</damping><friction>2</friction><spring_stiffness>3"
      "</spring_stiffness><spring_reference>0</spring_reference></dynamics></axis>"
      "<sensor name=\"s\" type=\"force_torque\"/></joint>\n<joint name=\"k\" type=\"revolute\"><parent>world</parent>"
      "<child>a</child><axis><xyz>0 1 "
      "0</xyz><dynamics><damping>0</damping></dynamics></axis></joint></model></world></sdf>";
  const std::vector<Finding> findings = read_sdf_text(text, "f").findings;
  const std::vector<std::pair<std::string, std::string>> said{
      {"<physics>", "1 time: it has no part"},
      {"<light>", "1 time"},
      {"<plugin>", "plugins do not run"},
      {"<static>", "1 time: there are no contacts"},
      {"<gravity>", "1 time: gravity acts on"},
      {"<kinematic>", "1 time: every link moves"},
      {"<velocity_decay>", "links have no damping"},
      {"<sensor>", "1 time"},
  };
  EXPECT_EQ(findings.size(), said.size()) << all(findings);
  for (const auto& [element, words] : said) {
    int count = 0;
    for (const Finding& f : findings) {
      EXPECT_EQ(f.severity, f.element == "<gravity>" || f.element == "<kinematic>" || f.element == "<velocity_decay>"
                                ? Severity::warning
                                : Severity::notice);
      count += f.element == element && f.message.find(words) != std::string::npos;
    }
    EXPECT_EQ(count, 1) << element << ": " << words << "\n" << all(findings);
  }
}

/// Any word left out or doubled, or the rest of the file, gives a model or an error, never anything else.
TEST(BrokenSdf, SlipsGiveAModelOrAnError) {
  const std::string text = file(
      "<link name=\"a\"> <pose relative_to=\"b\"> 0 0 1 0 0 0 </pose> " + inertial + " </link>\n<link name=\"b\"> " +
      inertial + " </link>\n<joint name=\"j\" type=\"revolute\"> <parent> world </parent> <child> a </child> " + y +
      " </joint>\n<joint name=\"k\" type=\"universal\"> <parent> a </parent> <child> b </child> " + y +
      " <axis2><xyz> 1 0 0 </xyz></axis2> </joint>\n<joint name=\"l\" type=\"ball\"> <parent> world </parent> "
      "<child> b </child> </joint>\n");
  testing::internal::CaptureStderr();
  expect_models_or_errors(text, [](const std::string& slipped) { return read_sdf_text(slipped, "f"); });
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace kinetree::test

#endif
