// Inputs made to take all memory or all time are refused by a message that names the limit, or read in a time that
// grows with their size. Limits are lowered here, and files harmless, so that none of them is a trap for other
// software.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <kinetree/load_model.hpp>
#include <kinetree/mjcf.hpp>
#include <kinetree/sdf.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/io/includes.hpp"
#include "engine/io/json_text.hpp"
#include "engine/io/states.hpp"
#include "engine/io/xml_limits.hpp"
#include "engine/io/yaml_size.hpp"
#if KINETREE_WITH_MJCF
#endif
#if KINETREE_WITH_SDF
#include "engine/io/sdf_files.hpp"
#endif

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
  const auto refusal = [](const std::string& text, const YamlLimits& limits) -> std::string {
    try {
      YamlSize::check(text, limits);
    } catch (const YamlTooLarge& e) {
      return std::to_string(e.mark.line + 1) + ": " + e.msg;
    }
    return "passes";
  };
  const std::string tens = "a: &a [x, x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n";
  // the map and its keys are 4, the lists 11, 1 + 22 and 1 + 46
  EXPECT_EQ(refusal(tens, {.values = 85}), "passes");
  EXPECT_EQ(refusal(tens, {.values = 84}),
            "3: has more than 84 values, aliases followed, which is the limit; make it smaller");
  EXPECT_EQ(refusal(tens, {.values = 30}).substr(0, 2), "2:");
  EXPECT_EQ(refusal("[&a xxxxx, *a, *a]", {.characters = 15}), "passes");
  EXPECT_EQ(refusal("[&a xxxxx, *a, *a]", {.characters = 14}),
            "1: has more than 14 characters in its values, aliases followed, which is the limit; make it smaller");
  // and the reader asks: 2700 links of one long name
  const std::string name = "bodies: [&a {name: " + std::string(100000, 'x') + "}" + repeated(2700, ", *a #", "\n");
  expect_refused(read_yaml_text(name + "]", "l.yaml"),
                 "has more than 268435456 characters in its values, aliases followed, which is the limit");
}

/// By its events, which a text makes: readers that follow such an alias come to no end.
TEST(YamlFromStrangers, AnAliasInsideTheValueThatItNamesIsRefused) {
  const YAML::Mark mark;
  YamlSize size;
  size.OnMapStart(mark, "", 1, YAML::EmitterStyle::Flow);
  size.OnScalar(mark, "", 0, "inside");
  EXPECT_NO_THROW(size.OnAlias(mark, 2)) << "of another value";
  EXPECT_THROW(size.OnAlias(mark, 1), YamlTooLarge);
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

TEST(XmlFromStrangers, AttributesAndElementsAreCountedBeforeTheyAreParsed) {
  const auto refusal = [](const std::string& text, const XmlLimits& limits) -> std::string {
    std::vector<Finding> findings;
    const bool passes = xml_within_limits(text, "a.urdf", findings, limits);
    EXPECT_EQ(passes, findings.empty());
    return said(findings);
  };
  const std::string three = "<robot name='r'>\n<link a='1' b=\"=\" c='3'/><link/></robot>";
  EXPECT_EQ(refusal(three, {.attributes = 3, .parts = 7, .bytes = three.size()}), "");
  EXPECT_EQ(refusal(three, {.attributes = 2}),
            "a.urdf:2: error: file: has more than 2 attributes in one element, which is the limit; make it smaller\n");
  EXPECT_NE(refusal(three, {.parts = 6}).find("has more than 6 elements and attributes, which is the limit"),
            std::string::npos);
  EXPECT_NE(refusal(three, {.bytes = three.size() - 1}).find(" bytes, which is the limit"), std::string::npos);
  const std::string no_elements = "<a><!-- x='1' y='2' --><?x y='1' z='2' ?><![CDATA[b='1' c='2']]></a>";
  EXPECT_EQ(refusal(no_elements, {.attributes = 0, .parts = 1}), "");
  // and each reader asks
  const std::string many = repeated(1001, " a", "=\"1\""), limit = "has more than 1000 attributes in one element";
  expect_refused(read_urdf_text("<robot name=\"r\"" + many + "/>", "a.urdf"), limit);
  expect_refused(read_mjcf_text("<mujoco" + many + "/>", "a.xml"), limit);
  expect_refused(read_sdf_text("<sdf version='1.9'" + many + "/>", "a.sdf"), limit);
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
  static std::string include_mjcf(const std::string& file) {
    return "<mujoco>\n<include file=\"" + file + "\"/><worldbody/></mujoco>";
  }

  /// What is said of a page that names others, which no library but this test's follows.
  std::string said_of_page(const std::string& name, const IncludeLimits& limits = {}) {
    tinyxml2::XMLDocument document;
    EXPECT_EQ(document.LoadFile((folder_ / name).c_str()), tinyxml2::XML_SUCCESS);
    std::vector<Finding> findings;
    const auto includes_of = [&](const tinyxml2::XMLDocument& page, const std::string&) {
      std::vector<Include> all;
      each_element(*page.RootElement(), [&](const tinyxml2::XMLElement& e) {
        if (const char* see = e.Attribute("see")) all.push_back({see, folder_ / see, e.GetLineNum(), true});
      });
      return all;
    };
    const bool sound = check_includes(document, (folder_ / name).string(), includes_of, findings, limits);
    EXPECT_EQ(sound, findings.empty());
    return said(findings);
  }
  static std::string page(const std::vector<std::string>& others) {
    std::string text = "<page>\n";
    for (const std::string& other : others) text += "<a see='" + other + "'/>";
    return text + "</page>";
  }

  fs::path folder_ = fs::temp_directory_path() / ("kinetree_includes_" + std::to_string(::getpid()));
};

TEST_F(Includes, AFileThatStandsInItselfIsRefused) {
  write("self.xml", page({"self.xml"}));
  EXPECT_EQ(said_of_page("self.xml"), (folder_ / "self.xml").string() +
                                          ":2: error: include \"self.xml\": includes a file that it stands in: "
                                          "self.xml -> self.xml; take it out\n");
  write("one.xml", page({"folder/../two.xml"})), write("two.xml", page({"one.xml"})), write("folder/x", "");
  EXPECT_NE(said_of_page("one.xml").find("one.xml -> two.xml -> one.xml"), std::string::npos);
  write("end.xml", page({})), write("twice.xml", page({"end.xml", "end.xml"}));
  EXPECT_EQ(said_of_page("twice.xml"), "") << "beside each other";
}

TEST_F(Includes, AreCountedAsOftenAsTheyAreRead) {
  write("d0.xml", page({}));
  for (int k = 1; k < 4; ++k) {
    const std::string inner = "d" + std::to_string(k - 1) + ".xml";
    write("d" + std::to_string(k) + ".xml", page({inner, inner}));
  }
  EXPECT_EQ(said_of_page("d3.xml", {.files = 14}), "");
  const std::string many = said_of_page("d3.xml", {.files = 13});
  EXPECT_NE(many.find("makes more than 13 includes, which is the limit; include less"), std::string::npos) << many;
  EXPECT_EQ(std::count(many.begin(), many.end(), '\n'), 1) << "the rest is not looked at\n" << many;
  EXPECT_NE(said_of_page("d1.xml", {.bytes = 2 * page({}).size() - 1}).find(" bytes of included text"),
            std::string::npos);
}

TEST_F(Includes, MustBeOrdinaryFiles) {
  ASSERT_EQ(::mkfifo((folder_ / "fifo.xml").c_str(), 0600), 0);
  write("f.xml", page({"fifo.xml"})), write("folder/x", ""), write("d.xml", page({"folder"}));
  EXPECT_NE(said_of_page("f.xml").find("is no ordinary file"), std::string::npos);
  EXPECT_NE(said_of_page("d.xml").find("is a folder"), std::string::npos);
}

#if KINETREE_WITH_SDF
TEST_F(Includes, SoundSdfIncludesAreReadTwiceOver) {
  write("arm.sdf", "<sdf version=\"1.9\"><model name=\"arm\"><link name=\"a\"/></model></sdf>");
  const std::string twice =
      "<include><name>one</name><uri>arm.sdf</uri></include>"
      "<include><name>two</name><uri>arm.sdf</uri></include>";
  const Reading reading = read_sdf(write("both.sdf", sdf(twice)));
  EXPECT_FALSE(has_error(reading.findings)) << said(reading.findings);
  EXPECT_EQ(reading.description.bodies.size(), 3u);
}

TEST_F(Includes, SdfIncludesAreCheckedAsTheFileItself) {
  const auto read = [&](const std::string& in_link, const std::string& in_axis = "") {
    write("arm.sdf",
          "<sdf version=\"1.9\"><model name=\"arm\"><link name=\"a\"/><link name=\"b\">" + in_link +
              "</link>\n<joint name=\"j\" type=\"revolute\"><parent>a</parent><child>b</child><axis><xyz>0 1 "
              "0</xyz>" +
              in_axis + "</axis></joint></model></sdf>");
    return read_sdf(write("all.sdf", sdf("<include><uri>arm.sdf</uri></include>")));
  };
  const Reading picture = read(
      "<visual name=\"v\"><transparency>0,5</transparency><geometry><box><size>1 1 1</size></box></geometry></visual>");
  EXPECT_FALSE(has_error(picture.findings)) << said(picture.findings);
  EXPECT_NE(
      said(picture.findings).find("warning: visual \"v\": a part that is left out here has a fault: <transparency>"),
      std::string::npos)
      << said(picture.findings);
  const Reading slip = read("", "<dynamics><dampling>3</dampling></dynamics>");
  EXPECT_NE(said(slip.findings).find("arm.sdf:2: error: <dampling>: unknown in <dynamics>; write <damping>"),
            std::string::npos)
      << said(slip.findings);
  const Reading comma = read("", "<limit><upper>1,5</upper></limit>");
  EXPECT_NE(said(comma.findings).find("arm.sdf:2: error: joint \"j\": <upper> is \"1,5\""), std::string::npos)
      << said(comma.findings);
}

TEST_F(Includes, NamedElementsOfSdfAreCountedInWhatItIncludes) {
  const auto refusal = [&](const std::string& uri, int most) {
    tinyxml2::XMLDocument document;
    document.Parse(sdf("<include><uri>" + uri + "</uri></include>").c_str());
    std::vector<Finding> findings;
    const bool sound = sdf_files_are_sound(document, (folder_ / "l.sdf").string(), findings, most);
    EXPECT_EQ(sound, findings.empty());
    return said(findings);
  };
  write("arm.sdf", sdf("<link name='a'/>"));
  write("box/model.config", "<model><sdf version='1.9'>box.sdf</sdf></model>");
  write("box/box.sdf", sdf("<link name='a'/>"));
  for (const char* uri : {"arm.sdf", "box", "model://box"}) {
    EXPECT_EQ(refusal(uri, 5), "") << uri;
    EXPECT_NE(refusal(uri, 4).find("has 5 elements with a name, includes and all, and 4 is the limit"),
              std::string::npos)
        << uri;
  }
  fs::create_directories(folder_ / "odd/model.config");
  EXPECT_NE(refusal("odd", 5).find("model.config is a folder"), std::string::npos) << refusal("odd", 5);
}
#endif

#if KINETREE_WITH_MJCF
TEST_F(Includes, MjcfIncludesAndMeshesMustBeOrdinaryFiles) {
  fs::create_directories(folder_ / "meshes/hand.stl");
  expect_refused(read_mjcf(write("d.xml", include_mjcf("meshes"))), "is a folder");
  expect_refused(read_mjcf(write("m.xml",
                                 "<mujoco><compiler meshdir=\"meshes\"/><asset><mesh file=\"hand.stl\"/></asset>"
                                 "<worldbody><body><joint/>\n<geom name=\"g\" type=\"mesh\" mesh=\"hand\"/></body>"
                                 "</worldbody></mujoco>")),
                 "m.xml:2: error: geom \"g\": its mesh \"hand\" gives the body no inertia: " +
                     (folder_ / "meshes/hand.stl").string() + " is no ordinary file");
}

TEST_F(Includes, MjcfNestsNoDeeperThroughIncludes) {
  const auto part = [&](int k) {
    std::string text = k < 7 ? "<include file=\"d" + std::to_string(k + 1) + ".xml\"/>" : "";
    for (int n = 0; n < 80; ++n) text = "<body>" + text + "</body>";
    return write("d" + std::to_string(k) + ".xml",
                 k > 0 ? "<mujoco>" + text + "</mujoco>" : "<mujoco><worldbody>" + text + "</worldbody></mujoco>");
  };
  for (int k = 1; k < 8; ++k) part(k);
  expect_refused(read_mjcf(part(0)), "elements nest deeper than 500");
  write("d5.xml", "<mujoco/>");
  EXPECT_EQ(read_mjcf(part(0)).description.bodies.size(), 400u);
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
  std::vector<Finding> findings;
  const std::string text = "{\"states\": [[], [], {}]}";
  EXPECT_TRUE(json_object(text, "s.json", "states", findings, {.containers = 5}).contains("states"));
  try {
    json_object(text, "s.json", "states", findings, {.containers = 4});
    ADD_FAILURE() << "was read";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("has more than 4 lists and objects, which is the limit"),
              std::string::npos);
  }
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
