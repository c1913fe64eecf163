// Inputs made to take all memory or all time: each is refused by a message that names the limit, or read in a time that
// grows with its size.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <kinetree/load_model.hpp>
#include <kinetree/mjcf.hpp>
#include <kinetree/sdf.hpp>
#include <string>

#include "engine/io/states.hpp"

namespace kinetree {
namespace {

namespace fs = std::filesystem;

/// Seconds of this process's processors, which other processes don't lengthen as they do the clock's.
double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::string repeated(int count, const std::string& head, const std::string& tail) {
  std::string text;
  for (int k = 0; k < count; ++k) text += head + std::to_string(k) + tail;
  return text;
}

std::string said(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& f : findings) text += to_string(f) + "\n";
  return text;
}

void expect_refused(const Reading& reading, const std::string& why) {
  EXPECT_TRUE(has_error(reading.findings));
  const std::string text = said(reading.findings);
  EXPECT_NE(text.find(why), std::string::npos) << "wanted: " << why << "\nsaid was: " << text.substr(0, 2000);
}

TEST(YamlFromStrangers, AliasesCountAsOftenAsTheyAreMet) {
  // 10^12 values in 600 bytes
  std::string nested = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int k = 1; k < 12; ++k) {
    const std::string alias = "*a" + std::to_string(k - 1);
    nested += "a" + std::to_string(k) + ": &a" + std::to_string(k) + " [" + alias;
    for (int j = 1; j < 10; ++j) nested += ", " + alias;
    nested += "]\n";
  }
  const std::string limit = "has more than 5000000 values, aliases followed, which is the limit; make it smaller";
  expect_refused(read_yaml_text(nested, "n.yaml"), "n.yaml:7: error: file: " + limit);
  // the 67 KB that took 6 GB: one body of 3000 unknown keys, 9000 times
  const std::string bodies =
      "bodies: [&a {" + repeated(3000, "k", ": 1, ") + "}" + repeated(9000, ", *a #", "\n") + "]";
  expect_refused(read_yaml_text(bodies, "b.yaml"), limit);
  const std::string long_name = "bodies: [&a {name: " + std::string(100000, 'x') + "}" + repeated(9000, ", *a #", "\n");
  expect_refused(read_yaml_text(long_name + "]", "l.yaml"),
                 "has more than 268435456 characters in its values, aliases followed, which is the limit");
  expect_refused(read_yaml_text("bodies: &a [{joint: *a}]", "c.yaml"), "an alias inside the value that it names");
}

TEST(YamlFromStrangers, AliasesWithinTheLimitAreFollowed) {
  const Reading reading = read_yaml_text(
      "bodies:\n"
      "  - {name: a, parent: world, joint: {name: j, type: revolute, axis: &z [0, 0, 1]}, inertial: &i {mass: 2}}\n"
      "  - {name: b, parent: a, joint: {name: k, type: revolute, axis: *z}, inertial: *i}\n",
      "m.yaml");
  ASSERT_FALSE(has_error(reading.findings)) << said(reading.findings);
  EXPECT_EQ(reading.description.bodies[1].joint.axis[2], 1);
  EXPECT_EQ(reading.description.bodies[1].inertial->mass, 2);
}

TEST(YamlFromStrangers, FaultsBeyondAThousandAreCountedNotKept) {
  const Reading reading = read_yaml_text(
      "bodies: [&a {" + repeated(100, "k", ": 1, ") + "}" + repeated(1000, ", *a #", "\n") + "]", "f.yaml");
  EXPECT_LE(reading.findings.size(), 1001u);
  expect_refused(reading, "has more than 1000 errors; the rest is left out");
}

TEST(XmlFromStrangers, AttributesAreCountedBeforeTheyAreParsed) {
  const double before = cpu_seconds();
  const std::string attributes = repeated(100000, " a", "=\"1\"");
  const std::string limit = "has more than 1000 attributes in one element, which is the limit; make it smaller";
  expect_refused(read_urdf_text("<robot name=\"r\"\n" + attributes + "/>", "a.urdf"),
                 "a.urdf:2: error: file: " + limit);
  expect_refused(read_mjcf_text("<mujoco" + attributes + "/>", "a.xml"), limit);
  expect_refused(read_sdf_text("<sdf version='1.9'" + attributes + "/>", "a.sdf"), limit);
  EXPECT_LT(cpu_seconds() - before, 5);  // tinyxml2 alone takes minutes
  const std::string many = "<robot name=\"r\"><!-- " + attributes + " --><?x " + attributes + "?><![CDATA[" +
                           attributes + "]]><link name=\"" + std::string(2000, '=') + "\"/></robot>";
  const Reading sound = read_urdf_text(many, "c.urdf");  // none of these '=' is an attribute's
  EXPECT_EQ(said(sound.findings).find("limit"), std::string::npos) << said(sound.findings).substr(0, 500);
}

TEST(XmlFromStrangers, ElementsAreCountedBeforeTheyAreParsed) {
  std::string text = "<robot name=\"r\">";
  for (int k = 0; k < 5'000'000; ++k) text += "<a/>";
  expect_refused(read_urdf_text(text + "</robot>", "e.urdf"),
                 "has more than 5000000 elements and attributes, which is the limit");
}

TEST(XmlFromStrangers, AHundredThousandLooseLinksTakeLinearTime) {
  const double before = cpu_seconds();
  const Reading reading =
      read_urdf_text("<robot name=\"r\">" + repeated(100000, "<link name=\"l", "\"/>") + "</robot>", "l.urdf");
  EXPECT_LT(cpu_seconds() - before, 10);  // 2e9 moves of a body's description took minutes
  expect_refused(reading,
                 "has 100000 root links: \"l0\", \"l1\", \"l2\", \"l3\", \"l4\", \"l5\", \"l6\", \"l7\", ...;");
  ASSERT_EQ(reading.description.bodies.size(), 100000u);
  EXPECT_EQ(reading.description.bodies[99999].name, "l99999");  // in the file's order
}

class Includes : public testing::Test {
 protected:
  Includes() { fs::create_directories(folder_); }
  ~Includes() override { fs::remove_all(folder_); }
  fs::path write(const std::string& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  static std::string sdf(const std::string& inside) {
    return "<sdf version=\"1.9\">\n<model name=\"m\">\n" + inside + "<link name=\"l\"/></model></sdf>";
  }
  static std::string include_sdf(const std::string& uri) { return "<include><uri>" + uri + "</uri></include>"; }
  static std::string include_mjcf(const std::string& file) {
    return "<mujoco>\n<include file=\"" + file + "\"/><worldbody/></mujoco>";
  }

  fs::path folder_ = fs::temp_directory_path() / ("kinetree_includes_" + std::to_string(::getpid()));
};

#if KINETREE_WITH_SDF
TEST_F(Includes, AnSdfThatIncludesItselfIsRefused) {
  const fs::path self = write("self.sdf", sdf(include_sdf("self.sdf")));
  expect_refused(read_sdf(self), self.string() +
                                     ":3: error: include \"self.sdf\": includes a file that it stands in: "
                                     "self.sdf -> self.sdf; take it out");
  write("pong.sdf", sdf(include_sdf("ping.sdf")));
  expect_refused(read_sdf(write("ping.sdf", sdf(include_sdf("pong.sdf")))), "ping.sdf -> pong.sdf -> ping.sdf");
  write("box/model.config", "<model><sdf version='1.9'>box.sdf</sdf></model>");
  write("box/box.sdf", sdf(include_sdf("model://box")));
  expect_refused(read_sdf(write("outer.sdf", sdf(include_sdf("model://box")))), "box.sdf -> box.sdf");
}

TEST_F(Includes, SdfIncludesThatDoubleAtEachLevelAreCounted) {
  write("d0.sdf", sdf(""));
  for (int k = 1; k < 20; ++k)
    write("d" + std::to_string(k) + ".sdf",
          sdf(include_sdf("d" + std::to_string(k - 1) + ".sdf") + include_sdf("d" + std::to_string(k - 1) + ".sdf")));
  expect_refused(read_sdf(folder_ / "d19.sdf"), "makes more than 1000 includes, which is the limit; include less");
}

TEST_F(Includes, SdfIncludesMustBeOrdinaryFiles) {
  ASSERT_EQ(::mkfifo((folder_ / "fifo.sdf").c_str(), 0600), 0);
  expect_refused(read_sdf(write("f.sdf", sdf(include_sdf("fifo.sdf")))), "is no ordinary file");
  expect_refused(read_sdf(write("z.sdf", sdf(include_sdf("/dev/zero")))), "is no ordinary file");
  fs::create_directories(folder_ / "named");
  ASSERT_EQ(::mkfifo((folder_ / "named/model.config").c_str(), 0600), 0);
  expect_refused(read_sdf(write("n.sdf", sdf(include_sdf("named")))), "is no ordinary file");
}

TEST_F(Includes, SoundSdfIncludesAreReadTwiceOver) {
  write("arm.sdf", "<sdf version=\"1.9\"><model name=\"arm\"><link name=\"a\"/></model></sdf>");
  const std::string twice =
      "<include><name>one</name><uri>arm.sdf</uri></include>"
      "<include><name>two</name><uri>arm.sdf</uri></include>";
  const Reading reading = read_sdf(write("both.sdf", sdf(twice)));
  EXPECT_FALSE(has_error(reading.findings)) << said(reading.findings);
  EXPECT_EQ(reading.description.bodies.size(), 3u);
}

TEST(SdfFromStrangers, NamedElementsAreCounted) {
  const std::string links = repeated(5001, "<link name=\"l", "\"/>");
  expect_refused(read_sdf_text("<sdf version=\"1.9\"><model name=\"m\">" + links + "</model></sdf>", "l.sdf"),
                 "has 5002 elements with a name, includes and all, and 5000 is the limit");
}
#endif

#if KINETREE_WITH_MJCF
TEST_F(Includes, AnMjcfThatIncludesItselfIsRefused) {
  const fs::path self = write("self.xml", include_mjcf("self.xml"));
  expect_refused(read_mjcf(self), self.string() +
                                      ":2: error: include \"self.xml\": includes a file that it stands in: "
                                      "self.xml -> self.xml; take it out");
  write("pong.xml", include_mjcf("ping.xml"));
  expect_refused(read_mjcf(write("ping.xml", include_mjcf("pong.xml"))), "ping.xml -> pong.xml -> ping.xml");
  expect_refused(read_mjcf(write("alias.xml", include_mjcf("KineTree_text.xml"))), "alias.xml -> alias.xml");
}

TEST_F(Includes, MjcfIncludesAndAssetsMustBeOrdinaryFiles) {
  ASSERT_EQ(::mkfifo((folder_ / "fifo").c_str(), 0600), 0);
  fs::create_directories(folder_ / "meshes");
  ASSERT_EQ(::mkfifo((folder_ / "meshes/hand.stl").c_str(), 0600), 0);
  expect_refused(read_mjcf(write("f.xml", include_mjcf("fifo"))), "is no ordinary file");
  expect_refused(read_mjcf(write("d.xml", include_mjcf("meshes"))), "is a folder");
  expect_refused(read_mjcf(write("m.xml",
                                 "<mujoco><compiler meshdir=\"meshes\"/><asset><mesh file=\"hand.stl\"/></asset>"
                                 "<worldbody/></mujoco>")),
                 "include \"hand.stl\": the file " + (folder_ / "meshes/hand.stl").string() + " is no ordinary file");
}

TEST(MjcfFromStrangers, ElementsOfAKindAreCounted) {
  expect_refused(
      read_mjcf_text("<mujoco><worldbody>" + repeated(20001, "<body name=\"b", "\"/>") + "</worldbody></mujoco>",
                     "b.xml"),
      "b.xml:1: error: <body>: stands 20001 times, and 20000 is the limit");
}
#endif

TEST(StatesFromStrangers, ListsAndFaultsAreBounded) {
  const Model model = make_model("chain:2");
  const auto refusal = [&](const std::string& text) -> std::string {
    try {
      read_states_text(text, "s.json", model);
    } catch (const InputError& error) {
      EXPECT_LE(error.findings().size(), 1001u);
      return error.what();
    }
    return "was read";
  };
  std::string text = "{\"states\": [[]";
  for (int k = 0; k < 10'000'000; ++k) text += ",[]";
  EXPECT_NE(refusal(text + "]}").find("has more than 10000000 lists and objects, which is the limit"),
            std::string::npos);
  EXPECT_NE(refusal("{\"states\": [1" + repeated(5000, ",", "") + "]}").find("has more than 1000 errors"),
            std::string::npos);
}

TEST(StatesFromStrangers, FoldersAndFifosAreRefusedAndPipesRead) {
  const Model model = make_model("chain:1");
  EXPECT_THROW(read_states("/", model), InputError);
  EXPECT_THROW(read_states("/dev/zero", model), InputError);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const std::string text = "{\"states\": [{\"q\": [0.5]}]}";
  ASSERT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  ::close(ends[1]);
  const States states = read_states("/dev/fd/" + std::to_string(ends[0]), model);
  ::close(ends[0]);
  ASSERT_EQ(states.count(), 1);
  EXPECT_EQ(states.q[0][0], 0.5);
}

}  // namespace
}  // namespace kinetree
