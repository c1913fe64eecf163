// Findings on what an SDFormat file includes have that file's name and line.
#include <kinetree/sdf.hpp>

#include "io/expect_finding.hpp"

#if KINETREE_WITH_SDF
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace kinetree::test {
namespace {

namespace fs = std::filesystem;

struct IncludedSdf : testing::Test {
  IncludedSdf() : folder(fs::temp_directory_path() / ("kinetree_included_" + std::to_string(::getpid()))) {}
  ~IncludedSdf() override { fs::remove_all(folder); }
  std::string write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  }
  fs::path folder;
};

const std::string world =
    "<sdf version=\"1.9\">\n<world name=\"w\">\n<include><uri>arm.sdf</uri></include>\n</world></sdf>\n";
std::string inertial(const std::string& mass) {
  return "<inertial><mass>" + mass + "</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>";
}
/// Link a in line 3, b in 4, the joint in 5, behind it what is added from line 6 on.
std::string arm(const std::string& in_b, const std::string& in_joint, const std::string& more = "",
                const std::string& version = "1.9") {
  return "<sdf version=\"" + version + "\">\n<model name=\"arm\">\n<link name=\"a\">" + inertial("1") +
         "</link>\n<link name=\"b\">" + in_b +
         "</link>\n<joint name=\"j\" type=\"revolute\"><parent>a</parent><child>b</child>" + in_joint + "</joint>\n" +
         more + "</model></sdf>\n";
}
const std::string axis = "<axis><xyz>0 0 1</xyz></axis>";

TEST_F(IncludedSdf, FindingsHaveItsNameAndLine) {
  const std::string outer = write("w.sdf", world);
  for (const std::string version : {"1.6", "1.9", "1.12"}) {  // the last is read from a copy
    for (const Broken& broken : std::vector<Broken>{
             {"the reader's",
              arm(inertial("1"), axis, "<link name=\"c\"/>", version),
              6,
              "link \"c\"",
              {"floats"},
              Severity::notice},
             {"the model's", arm(inertial("-2"), axis, "", version), 4, "link \"b\"", {"b has invalid inertia"}},
             {"joint's numbers",
              arm(inertial("1"), "<axis><xyz>0 0 1</xyz><dynamics><damping>-1</damping></dynamics></axis>", "",
                  version),
              5,
              "joint \"j\"",
              {"damping -1"}},
             {"libsdformat's",
              arm(inertial("1"), axis, "<link name=\"b\"/>", version),
              6,
              "link \"b\"",
              {"already exists"}},
             {"a graph's",
              arm(inertial("1"), axis, "<joint name=\"k\" type=\"fixed\"><parent>a</parent><child>d</child></joint>",
                  version),
              6,
              "joint \"k\"",
              {"name[d]"}},
             {"left out",
              arm(inertial("1") + "<gravity>false</gravity>", axis, "", version),
              4,
              "<gravity>",
              {"gravity acts on every link"},
              Severity::warning}}) {
      const std::string inner = write("arm.sdf", broken.text);
      const std::vector<Finding> findings = findings_of(read_sdf(outer));
      const auto same = [&](const Finding& f) {
        bool match = f.severity == broken.severity && f.file == inner && f.line == broken.line &&
                     f.element.ends_with(broken.element.substr(broken.element.find('"') + 1));
        for (const std::string& word : broken.words) match = match && f.message.find(word) != std::string::npos;
        return match;
      };
      EXPECT_EQ(std::ranges::count_if(findings, same), 1) << broken.name << " in " << version << "\n" << all(findings);
    }
  }
}

/// Through an include in an include, and past the first: lines of files do not run into each other.
TEST_F(IncludedSdf, EachFileHasItsOwnLines) {
  const std::string outer =
      write("w.sdf",
            "<sdf version=\"1.9\">\n<world name=\"w\">\n<include><uri>arm.sdf</uri></include>\n"
            "<include><name>again</name><uri>arm.sdf</uri></include>\n<include><uri>third.sdf</uri>"
            "</include>\n<model name=\"own\">\n<link name=\"o\"/></model></world></sdf>\n");
  const std::string arm_file = write("arm.sdf", arm(inertial("1"), axis, "\n<include><uri>inner.sdf</uri></include>"));
  const std::string inner =
      write("inner.sdf", "<sdf version=\"1.9\">\n\n<model name=\"in\"><link name=\"i\"/></model></sdf>");
  const std::string third =
      write("third.sdf", "<sdf version=\"1.9\">\n\n\n<model name=\"t\"><link name=\"x\"/></model></sdf>");
  const std::vector<Finding> findings = read_sdf(outer).findings;
  const auto place = [&](const std::string& link) {
    std::string text;
    for (const Finding& f : findings)
      if (f.element == "link \"" + link + "\"") text += f.file + ":" + std::to_string(f.line);
    return text;
  };
  EXPECT_EQ(place("arm::a"), arm_file + ":3");
  EXPECT_EQ(place("again::a"), arm_file + ":3");
  EXPECT_EQ(place("arm::in::i"), inner + ":3");
  EXPECT_EQ(place("t::x"), third + ":4");
  EXPECT_EQ(place("own::o"), outer + ":7");
}

TEST_F(IncludedSdf, IsSearchedWhereGazeboDoes) {
  const std::string outer = write("here/w.sdf", world);
  write("far/arm.sdf", arm(inertial("1"), axis));
  EXPECT_TRUE(has_error(read_sdf(outer).findings));
  ::setenv("GZ_SIM_RESOURCE_PATH", (folder / "far").c_str(), 1);
  EXPECT_EQ(read_sdf(outer).description.bodies.size(), 2u);
  ::unsetenv("GZ_SIM_RESOURCE_PATH");
}

/// libsdformat makes another text of a URDF, so that lines in it would mislead.
TEST_F(IncludedSdf, UrdfsHaveNoLines) {
  const std::string outer =
      write("w.sdf", "<sdf version=\"1.9\"><world name=\"w\"><include><uri>arm.urdf</uri></include></world></sdf>");
  write("arm.urdf",
        "<robot name=\"r\">\n<link name=\"base\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" "
        "izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link></robot>");
  const std::vector<Finding> findings = read_sdf(outer).findings;
  for (const Finding& f : findings)
    if (f.element == "link \"base\"") {
      EXPECT_EQ(f.line, 0) << all(findings);
      EXPECT_EQ(f.file, outer);
    }
  EXPECT_FALSE(findings.empty());
}

}  // namespace
}  // namespace kinetree::test

#endif
