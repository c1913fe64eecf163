// Broken URDF: each fault is told once, with file, line, element, rule and value.
#include "io/expect_finding.hpp"

namespace kinetree::test {
namespace {

constexpr const char* inertial =
    R"(<inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>)";

/// Line 2: link base, line 3: link arm, line 4: joint elbow (revolute, base to arm); then whatever follows.
std::string robot(const std::string& arm, const std::string& joint_attributes, const std::string& joint_content,
                  const std::string& rest = "") {
  return "<robot name=\"r\">\n<link name=\"base\"/>\n<link name=\"arm\">" + arm + "</link>\n<joint name=\"elbow\" " +
         joint_attributes + "><parent link=\"base\"/><child link=\"arm\"/>" + joint_content + "</joint>\n" + rest +
         "</robot>\n";
}
std::string with_arm(const std::string& arm) { return robot(arm, "type=\"revolute\"", ""); }
std::string with_joint(const std::string& content, const std::string& type = "revolute") {
  return robot(inertial, "type=\"" + type + "\"", content);
}
std::string with_rest(const std::string& rest) { return robot(inertial, "type=\"revolute\"", "", rest); }
std::string with_inertia(const std::string& six) {
  std::string out = "<inertial><mass value=\"1\"/><inertia";
  const char* names[] = {" ixx=\"", " iyy=\"", " izz=\"", " ixy=\"", " ixz=\"", " iyz=\""};
  std::size_t at = 0;
  for (const char* name : names) {
    const std::size_t end = six.find(' ', at);
    out += name + six.substr(at, end - at) + "\"";
    at = end + 1;
  }
  return with_arm(out + "/></inertial>");
}

const std::vector<Broken>& cases() {
  const std::string elbow = "joint \"elbow\"", arm = "link \"arm\"", joint_to = "<joint name=\"j2\" type=\"revolute\">";
  const std::string tip = std::string("<link name=\"tip\">") + inertial + "</link>";
  static const std::vector<Broken> list{
      {"not XML", "<robot>\n<link name=\"a\"\n</robot>", 2, "file", {"not well-formed XML", "a missing >"}},
      {"empty file", "", 0, "file", {"not well-formed XML: it is empty"}},
      {"YAML", "name: a\nbodies: []\n", 1, "file", {"begins with \"name:\"", "YAML in a .urdf"}},
      {"other closing tag", "<robot>\n<link></robot>", 2, "file", {"close elements in order"}},
      {"wrong root", "<sdf>\n</sdf>", 1, "file", {"root element is <sdf>", "<robot>"}},
      {"no links", "<robot name=\"r\"/>", 0, "model", {"no bodies"}},
      {"unknown type", with_joint("", "revolut"), 4, elbow, {"unknown type \"revolut\"", "revolute, continuous"}},
      {"type beyond URDF", with_joint("", "universal"), 4, elbow, {"\"universal\" is not one of URDF's", "YAML"}},
      {"axis beyond measure", with_joint("<axis xyz=\"1e200 0 0\"/>"), 4, elbow, {"axis is too long"}},
      {"inertia beyond measure",
       with_arm("<inertial><origin xyz=\"1e200 0 0\"/><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" "
                "ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>"),
       3,
       arm,
       {"beyond the largest number"}},
      {"no type", robot(inertial, "", ""), 4, elbow, {"no type attribute"}},
      {"no parent element",
       "<robot>\n<link name=\"base\"/>\n<joint name=\"elbow\" type=\"fixed\"><child link=\"base\"/></joint>\n</robot>",
       3,
       elbow,
       {"<parent link> is missing"}},
      {"parent that does not exist",
       with_rest(tip + joint_to + "<parent link=\"nowhere\"/><child link=\"tip\"/></joint>\n"),
       5,
       "joint \"j2\"",
       {"\"nowhere\" is no link"}},
      {"child that does not exist",
       with_rest(joint_to + "<parent link=\"arm\"/><child link=\"nowhere\"/></joint>\n"),
       5,
       "joint \"j2\"",
       {"child link \"nowhere\" does not exist"}},
      {"two parents",
       with_rest(joint_to + "<parent link=\"base\"/><child link=\"arm\"/></joint>\n"),
       5,
       "joint \"j2\"",
       {"\"arm\" hangs from another joint already", "one parent"}},
      {"two roots", with_rest(tip), 5, "robot", {"2 root links", "\"base\", \"tip\""}},
      {"duplicate link",
       with_rest(std::string("<link name=\"arm\">") + inertial + "</link>\n"),
       5,
       arm,
       {"name is taken", "line 3", "unique"}},
      {"duplicate joint",
       with_rest(tip + "<joint name=\"elbow\" type=\"revolute\"><parent link=\"arm\"/><child link=\"tip\"/></joint>"),
       5,
       elbow,
       {"name is taken", "line 4"}},
      {"link without a name",
       with_rest(std::string("<link>") + inertial + "</link>" + joint_to +
                 "<parent link=\"arm\"/><child link=\"\"/></joint>"),
       5,
       "link",
       {"no name"}},
      {"cycle",
       "<robot><link name=\"root\">" + std::string(inertial) +
           "</link>\n<link name=\"a\"/><link name=\"b\"/>\n"
           "<joint name=\"ab\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/></joint>\n"
           "<joint name=\"ba\" type=\"revolute\"><parent link=\"b\"/><child link=\"a\"/></joint>\n</robot>",
       3,
       "joint \"ab\"",
       {"cycle", "b -> a -> b"}},
      {"negative mass",
       with_arm("<inertial><mass value=\"-3\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" "
                "iyz=\"0\"/></inertial>"),
       3,
       arm,
       {"mass -3 is negative"}},
      {"NaN",
       with_arm("<inertial><mass value=\"nan\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" "
                "iyz=\"0\"/></inertial>"),
       3,
       arm,
       {"mass is nan", "finite"}},
      {"infinite origin", with_joint("<origin xyz=\"0 inf 0\"/>"), 4, elbow, {"origin (number 2) is inf"}},
      {"not a number", with_joint("<origin xyz=\"0 zero 0\"/>"), 4, elbow, {"<origin xyz> is \"0 zero 0\""}},
      {"two numbers",
       with_joint("<axis xyz=\"0 1\"/>"),
       4,
       elbow,
       {"<axis xyz> is \"0 1\"", "2 numbers where 3 belong"}},
      {"axis of length zero", with_joint("<axis xyz=\"0 0 0\"/>"), 4, elbow, {"axis", "length zero"}},
      {"second axis", with_joint("<axis xyz=\"0 0 1\"/><axis xyz=\"0 1 0\"/>"), 4, elbow, {"second <axis>"}},
      {"mimic of no joint",
       with_joint("<mimic joint=\"shoulder\"/>"),
       4,
       elbow,
       {"mimics \"shoulder\"", "no joint of this model"}},
      {"mimic of itself", with_joint("<mimic joint=\"elbow\"/>"), 4, elbow, {"mimics \"elbow\"", "itself"}},
      {"no mass element",
       with_arm("<inertial><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>"),
       3,
       arm,
       {"no <mass>"}},
      {"missing entry",
       with_arm("<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\"/></inertial>"),
       3,
       arm,
       {"<inertia iyz> is missing"}},
      {"negative eigenvalue", with_inertia("1 1 1 2 0 0"), 3, arm, {"-1, 1, 3", "none may be negative"}},
      {"triangle inequality",
       with_inertia("1 1 3 0 0 0"),
       3,
       arm,
       {"1, 1, 3", "exceed the sum", "as it stands"},
       Severity::warning},
      {"massless tip", with_arm(""), 4, elbow, {"turn about its axis moves no inertia", "\"arm\"", "0 kg"}},
      {"massless slide", robot("", "type=\"prismatic\"", ""), 4, elbow, {"slide along its axis moves no inertia"}},
      {"nothing moves", with_joint("", "fixed"), 0, "model", {"nothing moves"}},
      {"unit axis",
       with_joint("<axis xyz=\"0 0 2\"/>"),
       4,
       elbow,
       {"axis of length 2 was normalized"},
       Severity::notice},
      {"mimic on fixed",
       with_rest(tip + "<joint name=\"j2\" type=\"fixed\"><parent link=\"arm\"/><child link=\"tip\"/><mimic "
                       "joint=\"elbow\"/></joint>"),
       5,
       "joint \"j2\"",
       {"mimic on a fixed joint"},
       Severity::notice},
      {"tag left out",
       with_joint("<calibration rising=\"1\"/>"),
       4,
       "<calibration>",
       {"left out, 1 time"},
       Severity::notice},
      {"damping",
       with_joint("<dynamics damping=\"1\"/>"),
       0,
       "model",
       {"damping, friction or springs", "add_passive_forces"},
       Severity::notice},
      {"negative damping", with_joint("<dynamics damping=\"-1\"/>"), 4, elbow, {"damping -1 is negative"}},
      {"limit of words", with_joint("<limit effort=\"much\"/>"), 4, elbow, {"<limit effort> is \"much\""}},
      {"crossed limits",
       with_joint("<limit lower=\"1\" upper=\"-1\"/>"),
       4,
       elbow,
       {"lower limit 1", "upper limit -1", "left out"},
       Severity::warning},
      {"misspelt tag", with_joint("<orign xyz=\"1 0 0\"/>"), 4, "<orign>", {"unknown here", "write <origin>"}},
      {"misspelt tag in a link", with_arm("<inertail/>"), 3, "<inertail>", {"unknown here", "write <inertial>"}},
      {"misspelt tag in an inertial",
       with_arm("<inertial><orgin xyz=\"1 0 0\"/>" + std::string(inertial).substr(10)),
       3,
       "<orgin>",
       {"unknown here", "write <origin>"}},
      {"unknown tag", with_joint("<paint/>"), 4, "<paint>", {"unknown here", "1 time", "spelling"}, Severity::warning},
      {"constraint by another name",
       with_rest("<joint_constraint name=\"c\"/>"),
       5,
       "<joint_constraint>",
       {"would change the dynamics", "<coupling>"}},
      {"orientation that is not read",
       with_joint("<origin quat_xyzw=\"1 0 0 0\"/>"),
       4,
       elbow,
       {"quat_xyzw", "not read", "rpy"}},
      {"inertia without mass",
       robot(inertial, "type=\"revolute\"", "",
             "<link name=\"tip\"><inertial><mass value=\"0\"/>"
             "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>" +
                 joint_to + "<parent link=\"arm\"/><child link=\"tip\"/></joint>"),
       5,
       "link \"tip\"",
       {"rotational inertia but mass 0"},
       Severity::warning},
      {"bad link in a good body",
       with_rest(
           "<link name=\"tip\"><inertial><mass value=\"0.01\"/><inertia ixx=\"0.1\" iyy=\"0.1\" izz=\"-0.3\" ixy=\"0\" "
           "ixz=\"0\" iyz=\"0\"/>"
           "</inertial></link><joint name=\"j2\" type=\"fixed\"><parent link=\"arm\"/><child link=\"tip\"/></joint>"),
       5,
       "link \"tip\"",
       {"on its own", "-0.3, 0.1, 0.1"},
       Severity::warning},
      {"off by printing", with_inertia("1 1 2.000001 0 0 0"), 3, arm, {"exceed the sum"}, Severity::warning},
  };
  return list;
}

TEST(BrokenUrdf, EachFaultIsToldOnceWithItsPlace) {
  for (const Broken& broken : cases())
    expect_finding(broken, "broken.urdf", findings_of(read_urdf_text(broken.text, "broken.urdf")));
}

TEST(BrokenUrdf, AllFaultsComeInOnePass) {
  const std::string text =
      "<robot>\n<link name=\"a\"/>\n<link name=\"b\"><inertial><mass value=\"-1\"/><inertia ixx=\"x\" iyy=\"1\" "
      "izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\n<joint name=\"j\" type=\"hinge\">"
      "<parent link=\"a\"/><child link=\"b\"/><axis xyz=\"0 0 0 0\"/></joint></robot>";
  int errors = 0;
  for (const Finding& f : findings_of(read_urdf_text(text, "f"))) errors += f.severity == Severity::error;
  EXPECT_EQ(errors, 4);  // mass, ixx, type, axis
}

TEST(BrokenUrdf, WhatIsValidPasses) {
  // a thin rod's zero; a massless body between joints; a massless frame behind a fixed joint; a root link called world
  const std::string rod =
      "<inertial><origin xyz=\"0.2 0 0\"/><mass value=\"1\"/><inertia ixx=\"0\" iyy=\"0.1\" izz=\"0.1\" ixy=\"0\" "
      "ixz=\"0\" iyz=\"0\"/></inertial>";
  const std::string text =
      "<robot><link name=\"world\"/><link name=\"between\"/><link name=\"rod\">" + rod +
      "</link><link name=\"frame\"/>"
      "<joint name=\"a\" type=\"revolute\"><parent link=\"world\"/><child link=\"between\"/><axis xyz=\"0 0 "
      "1\"/></joint>"
      "<joint name=\"b\" type=\"revolute\"><parent link=\"between\"/><child link=\"rod\"/><axis xyz=\"0 1 0\"/></joint>"
      "<joint name=\"c\" type=\"fixed\"><parent link=\"rod\"/><child link=\"frame\"/></joint></robot>";
  const std::vector<Finding> findings = findings_of(read_urdf_text(text, "f"));
  EXPECT_TRUE(findings.empty()) << all(findings);
}

TEST(BrokenUrdf, MimicIsIndependentWhereAsked) {
  LoadOptions options;
  options.ignore_mimic = true;
  const auto findings = findings_of(read_urdf_text(with_joint("<mimic joint=\"shoulder\"/>"), "f"), options);
  EXPECT_FALSE(has_error(findings)) << all(findings);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].severity, Severity::notice);
}

TEST(BrokenUrdf, FloatingBase) {
  LoadOptions options;
  options.floating_base = true;
  const std::string text = "<robot><link name=\"base\">" + std::string(inertial) + "</link></robot>";
  const Model model = make_model(read_urdf_text(text, "f").description, options);
  EXPECT_EQ(model.joint_name(0), "floating_base");
  EXPECT_EQ(model.nq(), 7);
  const std::string two =
      "<robot><link name=\"world\"/>\n<link name=\"a\">" + std::string(inertial) +
      "</link>\n"
      "<joint name=\"j\" type=\"floating\"><parent link=\"world\"/><child link=\"a\"/></joint></robot>";
  expect_finding({"floating already", "", 3, "joint \"j\"", {"floating root already"}}, "f",
                 findings_of(read_urdf_text(two, "f"), options));
}

}  // namespace
}  // namespace kinetree::test
