// Texts are read to their end or refused: what stands behind a NUL byte or in a second document is never dropped.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <kinetree/load_model.hpp>
#include <kinetree/mjcf.hpp>
#include <kinetree/model.hpp>
#include <kinetree/sdf.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "engine/io/states.hpp"

namespace kinetree {
namespace {

const std::string yaml =
    "name: arm\nbodies:\n  - {name: a, parent: world, joint: {name: j, type: revolute, axis: [0, 0, 1]}, inertial: "
    "{mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}\n";
const std::string urdf =
    "<robot name='arm'><link name='w'/><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' "
    "ixy='0' ixz='0' iyz='0'/></inertial></link>\n<joint name='j' type='continuous'><parent link='w'/><child "
    "link='a'/><axis xyz='0 0 1'/></joint></robot>\n";
const std::string mjcf = "<mujoco><worldbody><body name='a'><joint/><geom size='1'/></body></worldbody></mujoco>\n";
const std::string sdf =
    "<sdf version='1.9'><model name='m'><link name='a'/><joint name='j' type='fixed'><parent>world</parent>"
    "<child>a</child></joint></model></sdf>\n";

std::string text_of(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& f : findings) text += to_string(f) + "\n";
  return text;
}

TEST(WholeText, BytesAfterANulAreAFinding) {
  using Reader = Reading (*)(const std::string&, const std::string&);
  const std::vector<std::tuple<Reader, std::string, int>> readers {
    {read_yaml_text, yaml, 4}, {read_urdf_text, urdf, 3},
#if KINETREE_WITH_MJCF
        {read_mjcf_text, mjcf, 2},
#endif
#if KINETREE_WITH_SDF
        {read_sdf_text, sdf, 2},
#endif
  };
  for (const auto& [read, text, line] : readers) {
    EXPECT_FALSE(has_error(read(text, "f").findings)) << text_of(read(text, "f").findings);
    const Reading broken = read(text + '\0' + "<more/>", "f");
    EXPECT_TRUE(has_error(broken.findings)) << text;
    EXPECT_NE(text_of(broken.findings).find("f:" + std::to_string(line) + ": error: file: has a NUL byte"),
              std::string::npos)
        << text_of(broken.findings);
  }
  const Model model = make_model("chain:1");
  const std::string states = R"({"states": [{"q": [0]}]})";
  EXPECT_EQ(read_states_text(states, "f", model).count(), 1);
  try {
    read_states_text(states + '\0' + "{}", "f", model);
    ADD_FAILURE() << "what follows was dropped";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("has a NUL byte"), std::string::npos) << e.what();
  }
}

TEST(WholeText, ASecondYamlDocumentIsAFinding) {
  const Reading two = read_yaml_text(yaml + "---\n" + yaml, "f");
  ASSERT_TRUE(has_error(two.findings));
  EXPECT_NE(text_of(two.findings).find("f:4: error: file: has a second YAML document"), std::string::npos)
      << text_of(two.findings);
  EXPECT_EQ(two.description.bodies.size(), 1u) << "the first is read all the same, so that its faults are told too";
  EXPECT_FALSE(has_error(read_yaml_text("---\n" + yaml + "...\n", "f").findings)) << "one document with its marks";
  EXPECT_FALSE(has_error(read_yaml_text(yaml + "---\n", "f").findings)) << "an empty one behind it";
  EXPECT_TRUE(has_error(read_yaml_text(yaml + "---\n---\n" + yaml, "f").findings));
}

TEST(WholeText, YamlInUtf16KeepsItsNulBytes) {
  std::string wide = "\xFF\xFE";
  for (const char c : yaml) wide += c, wide += '\0';
  const Reading reading = read_yaml_text(wide, "f");
  EXPECT_FALSE(has_error(reading.findings)) << text_of(reading.findings);
  EXPECT_EQ(reading.description.bodies.size(), 1u);
}

TEST(WholeText, XacroIsToRunFirst) {
  const Reading macro = read_urdf_text(
      "<robot name='r' xmlns:xacro='http://www.ros.org/wiki/xacro'>\n<link name='a'/>\n<xacro:leg "
      "side='left'/></robot>",
      "f");
  ASSERT_EQ(macro.findings.size(), 1u) << text_of(macro.findings);
  EXPECT_EQ(to_string(macro.findings[0]).rfind("f:3: error: <xacro:leg>: is xacro's", 0), 0u)
      << to_string(macro.findings[0]);
  EXPECT_NE(macro.findings[0].message.find("run xacro first"), std::string::npos);
  std::string expanded = urdf;
  expanded.insert(expanded.find("name='arm'"), "xmlns:xacro='http://www.ros.org/wiki/xacro' ");
  EXPECT_FALSE(has_error(read_urdf_text(expanded, "f").findings)) << "what xacro wrote keeps its name space";
  const auto file = std::filesystem::temp_directory_path() / "kinetree_whole_text.urdf.xacro";
  std::ofstream(file) << urdf;
  const Reading named = read_model(file);
  std::filesystem::remove(file);
  EXPECT_NE(text_of(named.findings).find("run xacro first"), std::string::npos) << text_of(named.findings);
}

#if KINETREE_WITH_SDF
TEST(WholeText, AnUnknownJointTypeIsToldWithTheOtherFindings) {
  const Reading reading = read_sdf_text(
      "<sdf version='1.9'><model name='m'>\n<link name='a'/><link "
      "name='b'><inertial><mass>-1</mass></inertial></link>\n"
      "<joint name='j' type='hinge'><parent>world</parent><child>a</child></joint>\n"
      "<joint name='k' type='fixed'><parent>a</parent><child>nowhere</child></joint></model></sdf>",
      "f");
  const std::string text = text_of(reading.findings);
  EXPECT_NE(text.find("joint \"j\": unknown type \"hinge\""), std::string::npos) << text;
  EXPECT_NE(text.find("link \"b\""), std::string::npos) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), static_cast<long>(reading.findings.size()));
  int of_j = 0;
  for (const Finding& f : reading.findings) of_j += f.element == "joint \"j\"";
  EXPECT_EQ(of_j, 1) << "once\n" << text;
}
#endif

}  // namespace
}  // namespace kinetree
