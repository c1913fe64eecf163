// Readers, writers and messages under locales of a decimal comma, C's and C++'s: the bytes that "C" gives, and the
// process's locale as it was.
#include <locale.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <kinetree/calibration.hpp>
#include <kinetree/load_model.hpp>
#include <kinetree/mjcf.hpp>
#include <kinetree/sdf.hpp>
#include <kinetree/status.hpp>
#include <kinetree/write_model.hpp>

#include "engine/io/states.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/number_from.hpp"
#include "engine/scalar/number_text.hpp"
#include "io/foreign_locale.hpp"

namespace kinetree::test {
namespace {

namespace fs = std::filesystem;

const std::string yaml =
    "%YAML 1.2\n---\nname: arm\ngravity: [0, 0.25, -9.81]\nbodies:\n"
    "  - {name: a, parent: world, joint: {name: j, type: revolute, axis: [0, 0.6, 0.8], damping: 1.500, armature: 1e-3,"
    " limits: {lower: -1234567.5, upper: .inf}}, inertial: {mass: 1234.5, com: [0.5, 0, 0], inertia: [1.5, 1.5, 1.5, 0,"
    " 0, 0]}}\n"
    "  - {name: b, parent: a, joint: {name: k, type: helical, pitch: 0.125, axis: [1, 0, 0], origin: {xyz: [1.5, 0.25, "
    "0], rpy: [0.1, 0.2, 0.3]}}, inertial: {mass: 2.5, inertia: [0.01, 0.02, 0.05, 0, 0, 0]}}\n"
    "couplings:\n  - {name: c, terms: {j: 1, k: -0.75}, offset: 0.5}\n";
const std::string wrong_yaml =
    "bodies:\n  - {name: a, parent: world, joint: {name: j, type: revolute, axis: [0, 1, 0], damping: 1,5, pitch: 0.5},"
    " inertial: {mass: -1234.5}}\n";
const std::string urdf =
    "<robot name='r'><link name='w'/><link name='a'><inertial><origin xyz='0.5 0.25 0' rpy='0.1 0 0'/><mass "
    "value='1234.5'/><inertia ixx='1.5' iyy='1.5' izz='4.5' ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='j' "
    "type='revolute'><parent link='w'/><child link='a'/><origin xyz='1.5 0 0'/><axis xyz='0 0.6 0.8'/><limit "
    "lower='-1.25' upper='1234567.5' effort='1.5' velocity='.5'/><dynamics damping='0.75'/></joint></robot>";
const std::string sdf =
    "<sdf version='1.9'><world name='v'><gravity>0.5 0 -9.81</gravity><model name='m'><pose>1.5 0.25 0 0.1 0.2 "
    "0.3</pose><link name='a'><inertial><pose>0.5 0 0 0 0 0</pose><mass>1234.5</mass><inertia><ixx>1.5</ixx>"
    "<iyy>1.5</iyy><izz>1.5</izz></inertia></inertial><visual name='s'><geometry><box><size>0.5 1.5 2.5</size></box>"
    "</geometry><material><diffuse>0.25 0.5 0.75 1</diffuse></material></visual></link><link name='b'><pose "
    "relative_to='a'>0.125 0 0 0 0 0</pose></link><link name='c'/>"
    "<joint name='j' type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 0.6 0.8</xyz><limit>"
    "<lower>-1.25</lower><upper>1234567.5</upper></limit><dynamics><damping>0.75</damping></dynamics></axis></joint>"
    "<joint name='k' type='revolute'><parent>a</parent><child>c</child><axis><xyz>0 0 1</xyz></axis></joint>"
    "<joint name='g' type='gearbox'><parent>b</parent><child>c</child><gearbox_ratio>2.5</gearbox_ratio>"
    "<gearbox_reference_body>a</gearbox_reference_body><axis><xyz>0 0.6 0.8</xyz></axis><axis2><xyz>0 0 1</xyz></axis2>"
    "</joint></model></world></sdf>";
const std::string mjcf =
    "<mujoco><compiler angle='radian'/><option gravity='0.5 0 -9.81'/><worldbody><body name='a' pos='1.5 0.25 0'>"
    "<joint name='j' type='hinge' axis='0 0.6 0.8' damping='0.75' range='-1.25 12345.5'/><inertial pos='0.5 0 0' "
    "mass='1234.5' fullinertia='1.5 1.5 1.5 0.125 0 0'/><body name='b'><joint name='k'/><geom size='0.5' mass='1.5'/>"
    "</body></body></worldbody><equality><joint joint1='j' joint2='k' polycoef='0.5 1.5 0 0 0'/></equality></mujoco>";
const std::string states =
    R"({"states": [{"q": [0.5, 1234567.5], "v": [1.5e-3, -0.25], "tau": [0, 1e2], "f_ext": {"body1": [0.5,0,0,0,0,1.25]}}]})";

/// Findings, and the model where it is one, each number as the shortest text that reads back to it.
std::string told(const Reading& reading) {
  std::string text;
  for (const Finding& f : reading.findings) text += to_string(f) + "\n";
  if (has_error(reading.findings)) return text;
  try {
    return text + yaml_text(reading.description);
  } catch (const InputError& e) {
    return text + e.what();
  }
}

/// What all readers and writers make of the texts above, and messages with numbers.
std::string everything() {
  std::string text = told(read_yaml_text(yaml, "f")) + told(read_yaml_text(wrong_yaml, "f")) +
                     told(read_urdf_text(urdf, "f")) +
                     told(read_urdf_text("<robot name='r'><link name='a'/></robot>", "f"));
#if KINETREE_WITH_MJCF
  text += told(read_mjcf_text(mjcf, "f"));
#endif
#if KINETREE_WITH_SDF
  text += told(read_sdf_text(sdf, "f"));
  std::string cut = sdf;
  text += told(read_sdf_text(cut.replace(cut.find("0.75</damping>"), 4, "0,75"), "f"));
#endif
  const Model chain = make_model("chain:2:ratio=1.5:armature=0.25");
  const States read = read_states_text(states, "f", chain);
  for (const std::vector<double>& numbers : {read.q[0], read.v[0], read.tau[0], read.f_ext[0]})
    for (const double x : numbers) text += number_text(x, 17) + " ";
  for (const char* wrong :
       {R"({"states": [{"q": [0.5, "0.5"], "v": [1e-999, 2.5, 0]}]})", R"({"states": [{"q": [INFINITY, 0]}]})"})
    try {
      (void)read_states_text(wrong, "f", chain);
    } catch (const InputError& e) {
      text += e.what();
    }
  const auto mass = chain.data().link[1].I.mass;
  text += number_text(mass, 17) + to_text(read_calibration(to_text(Calibration{}), "f"));
  try {
    (void)make_model("chain:3:ratio=0.5");
  } catch (const InputError& e) {
    text += e.what();
  }
  Status status{StatusCode::step_too_small, 0, 0, 1234567.5e-9};
  text += status.message(chain);
  status = {StatusCode::not_normalized, 0, 0, 1234.5, "q"};
  return text + status.message(chain);
}

TEST(Locales, InCChangeNoByteAndAreLeftAsTheyWere) {
  const std::string plain = everything();
  for (const char* number : {"1234567.5", "1234.5", "0.125", "-0.75"})
    ASSERT_NE(plain.find(number), std::string::npos) << plain;
  ASSERT_EQ(plain.find("1,5"), plain.find("1,5\"")) << plain;
  const std::pair<const char*, const char*> names[]{{"de_DE", "1,5"}, {"ps_AF", "1\u066b5"}, {"tr_TR", "1,5"}};
  for (const auto& [name, written] : names) {
    const ForeignC foreign(name, written);
    if (!foreign.made()) GTEST_SKIP() << no_localedef;
    const std::string before = std::setlocale(LC_ALL, nullptr);
    EXPECT_EQ(everything(), plain) << name;
    EXPECT_EQ(std::setlocale(LC_ALL, nullptr), before);
    EXPECT_EQ(::uselocale(nullptr), LC_GLOBAL_LOCALE);
  }
}

TEST(Locales, InCppChangeNoByteAndAreLeftAsTheyWere) {
  const std::string plain = everything();
  const ForeignCpp foreign;
  const std::locale before;
  EXPECT_EQ(everything(), plain);
  EXPECT_TRUE(std::locale() == before);
}

/// A locale of C++ with a name sets C's too.
TEST(Locales, OfBothAtOnce) {
  const std::string plain = everything();
  const ForeignC foreign("de_DE", "1,5");
  if (!foreign.made()) GTEST_SKIP() << no_localedef;
  const std::locale before = std::locale::global(std::locale("de_DE.UTF-8"));
  const std::string there = everything();
  std::locale::global(before);
  EXPECT_EQ(there, plain);
}

#if KINETREE_WITH_MJCF
TEST(Locales, InCppLeaveMassesOfMeshesAlone) {
  const fs::path folder = fs::temp_directory_path() / ("kinetree_locales_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "m.obj") << "v 0 0 0\nv 1.5 0 0\nv 0 1.5 0\nv 0 0 1.5\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  const std::string text =
      "<mujoco><asset><mesh file='m.obj'/><mesh name='n' vertex='0 0 0 1.5 0 0 0 1.5 0 0 0 1.5'/></asset><worldbody>"
      "<body name='b'><joint/><geom type='mesh' mesh='m'/></body><body name='c'><joint/><geom type='mesh' mesh='n'/>"
      "</body></worldbody></mujoco>";
  const ForeignCpp foreign;
  const Reading reading = read_mjcf_text(text, (folder / "f.xml").string());
  ASSERT_EQ(reading.description.bodies.size(), 2u) << told(reading);
  for (const BodyDescription& body : reading.description.bodies)
    EXPECT_NEAR(body.inertial.value().mass, 562.5, 1e-9) << body.name;
  fs::remove_all(folder);
}
#endif

#if KINETREE_WITH_SDF
/// libsdformat makes SDFormat of it by streams; of the same link alone 1234.5 kg would be 1.234.
TEST(Locales, InCppRefuseUrdfThatSdfIncludes) {
  const fs::path folder = fs::temp_directory_path() / ("kinetree_locales_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "arm.urdf") << "<robot name='r'><link name='a'><inertial><mass value='1234.5'/><inertia "
                                        "ixx='1.5' iyy='1.5' izz='1.5' ixy='0' "
                                        "ixz='0' iyz='0'/></inertial></link></robot>";
  std::ofstream(folder / "whole.sdf") << "<sdf version='1.9'><model name='m'><link name='l'/><include><uri>arm.urdf"
                                         "</uri></include></model></sdf>";
  EXPECT_NE(told(read_sdf(folder / "whole.sdf")).find("mass: 1234.5"), std::string::npos)
      << told(read_sdf(folder / "whole.sdf"));
  const ForeignCpp foreign;
  const std::string refused = told(read_sdf(folder / "whole.sdf"));
  EXPECT_NE(refused.find("arm.urdf: error: file: is a URDF, included by an SDFormat file"), std::string::npos)
      << refused;
  EXPECT_NE(refused.find("a nameless one, which writes 1234567.5 as 1.234.567,5"), std::string::npos) << refused;
  fs::remove_all(folder);
}
#endif

/// The number that a text is by C's strtod, whose locale is "C" here.
TEST(NumberFrom, ReadsAsStrtodDoes) {
  for (const char* text : {"0", "-0", "1.5", ".5", "5.", "1e5", "-1.5E-3", "4.9e-324", "1.7976931348623157e308", "0.1",
                           "123456789012345678901234567890", "2.2250738585072011e-308", "1e-400", "-1e-400",
                           "0.0000000001e-320", "100000e-330", "inf", "-infinity"}) {
    const auto read = number_from<double>(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(*read, std::strtod(text, nullptr)) << text;
    EXPECT_EQ(std::signbit(*read), text[0] == '-') << text;
    EXPECT_EQ(number_from<double>(std::string("+") + text), text[0] == '-' ? std::nullopt : read) << text;
  }
  EXPECT_TRUE(std::isnan(*number_from<double>("nan")));
  for (const char* text : {"", " 1", "1 ", "1,5", "1.5kg", "0x10", "1e", "--1", "+-1", "++1", "1e400", "-1e400",
                           "0.1e310", "1.234.567,5", "e5", ".", "1'000"})
    EXPECT_FALSE(number_from<double>(text)) << text;
  EXPECT_EQ(number_from<int>("010"), 10);
  EXPECT_EQ(number_from<int>("-7"), -7);
  for (const char* text : {"1.0", "1e3", "0x10", "2147483648", "", "+-1"}) EXPECT_FALSE(number_from<int>(text)) << text;
}

}  // namespace
}  // namespace kinetree::test
