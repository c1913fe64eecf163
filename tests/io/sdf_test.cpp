// SDFormat files against the same mechanisms in YAML, written with other frames: poses, accelerations, loops, gears;
// and what is said.
#include <kinetree/sdf.hpp>

#include "io/closed_state.hpp"
#include "io/expect_finding.hpp"
#include "oracle/dense_oracle.hpp"

#if KINETREE_WITH_SDF
#include <filesystem>
#include <fstream>

namespace kinetree::test {
namespace {

namespace fs = std::filesystem;
using oracle::TestState;

const std::string inertial =
    "<inertial><pose>.1 -.2 .05 .3 -.2 .4</pose><mass>1.3</mass><inertia><ixx>.02</ixx><iyy>.03</iyy><izz>.04</izz>"
    "<ixy>.001</ixy><ixz>-.002</ixz><iyz>.003</iyz></inertia></inertial>";
/// The same in a URDF-like link of YAML, whose inertia is about its own axes: a massive link at the inertia's frame.
std::string yaml_inertial(const std::string& link) {
  return "- {name: " + link + "_mass, parent: " + link + ", joint: {name: " + link +
         "_mass_fixed, type: fixed, origin: {xyz: [.1, -.2, .05], rpy: [.3, -.2, .4]}}, inertial: {mass: 1.3, inertia: "
         "[.02, .03, .04, .001, -.002, .003]}}\n";
}

std::string link(const std::string& name, const std::string& pose = "", const std::string& to = "") {
  return "<link name=\"" + name + "\"><pose" + (to.empty() ? "" : " relative_to=\"" + to + "\"") + ">" +
         (pose.empty() ? "0 0 0 0 0 0" : pose) + "</pose>" + inertial + "</link>\n";
}
std::string joint(const std::string& name, const std::string& type, const std::string& parent, const std::string& child,
                  const std::string& pose = "", const std::string& to = "", const std::string& more = "") {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><pose" +
         (to.empty() ? "" : " relative_to=\"" + to + "\"") + ">" + (pose.empty() ? "0 0 0 0 0 0" : pose) +
         "</pose><parent>" + parent + "</parent><child>" + child + "</child>" + more + "</joint>\n";
}
std::string axis(const std::string& xyz, const char* which = "axis") {
  return "<" + std::string(which) + "><xyz>" + xyz + "</xyz></" + which + ">";
}
std::string model(const std::string& inside) {
  return "<sdf version=\"1.9\"><world name=\"w\"><gravity>.3 -.2 -9</gravity>\n<model name=\"m\">\n" + inside +
         "</model></world></sdf>\n";
}

Description description_of(const std::string& text) {
  const Reading reading = read_sdf_text(text, "model.sdf");
  EXPECT_FALSE(has_error(reading.findings)) << all(reading.findings);
  return reading.description;
}
Description yaml(const std::string& bodies) {
  const Reading reading = read_yaml_text("gravity: [.3, -.2, -9]\nbodies:\n" + bodies, "model.yaml");
  EXPECT_FALSE(has_error(reading.findings)) << all(reading.findings);
  return reading.description;
}

/// Joints by name, one order; accelerations at random states that keep what is closed closed; links by name.
void same_mechanism(const Description& ours, const Description& theirs, double reach = 1) {
  const Model a = make_model(ours), b = make_model(theirs);
  ASSERT_EQ(a.nv(), b.nv());
  ASSERT_EQ(a.nq(), b.nq());
  for (int k = 0; k < a.body_count(); ++k) EXPECT_EQ(a.joint_name(k), b.joint_name(k));
  oracle::DenseOracle<double> our_links(ours, a), their_links(theirs, b);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const TestState s = closed_state(b, seed, reach);
    EXPECT_TRUE(Closure(a.data()).violations(s.q.data(), s.v.data()).empty());
    for (const Algorithm algorithm : {Algorithm::ab, Algorithm::crb, Algorithm::cfa}) {
      Eigen::VectorXd x(a.nv()), y(b.nv());
      ASSERT_TRUE(ForwardDynamics(a, {.algorithm = algorithm}).solve(s.q, s.v, s.tau, x).ok());
      ASSERT_TRUE(ForwardDynamics(b, {.algorithm = algorithm}).solve(s.q, s.v, s.tau, y).ok());
      EXPECT_LE((x - y).norm(), 1e-9 * y.norm()) << "seed " << seed;
    }
    our_links.set(s.q, s.v);
    their_links.set(s.q, s.v);
    for (std::size_t i = 0; i < ours.bodies.size(); ++i)
      for (std::size_t j = 0; j < theirs.bodies.size(); ++j) {
        if (ours.bodies[i].name != theirs.bodies[j].name) continue;
        for (const oracle::Vec<double> point : {oracle::Vec<double>{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}) {
          const auto p = our_links.to_world(static_cast<int>(i), point);
          const auto r = their_links.to_world(static_cast<int>(j), point);
          EXPECT_NEAR(p.x, r.x, 1e-12) << ours.bodies[i].name;
          EXPECT_NEAR(p.y, r.y, 1e-12) << ours.bodies[i].name;
          EXPECT_NEAR(p.z, r.z, 1e-12) << ours.bodies[i].name;
        }
      }
  }
}

/// A joint at `origin` in its parent, and a body at `place` in the joint's frame, in YAML and in SDFormat's relative
/// poses: the reader has to find where the joint is in the body.
struct Step {
  std::string name, type, yaml_type, parent, origin, place, yaml_more, sdf_more;
};
std::string as_list(const std::string& pose) {
  std::istringstream numbers(pose);
  std::array<std::string, 6> x;
  for (std::string& n : x) numbers >> n;
  return "xyz: [" + x[0] + ", " + x[1] + ", " + x[2] + "], rpy: [" + x[3] + ", " + x[4] + ", " + x[5] + "]";
}
std::string in_yaml(const Step& s) {
  const std::string at = s.name + "_at";
  return "- {name: " + at + ", parent: " + s.parent + ", joint: {name: " + s.name + "_joint, type: " + s.yaml_type +
         ", origin: {" + as_list(s.origin) + "}" + s.yaml_more + "}}\n- {name: " + s.name + ", parent: " + at +
         ", joint: {name: " + s.name + "_held, type: fixed, origin: {" + as_list(s.place) + "}}}\n" +
         yaml_inertial(s.name);
}
std::string in_sdf(const Step& s) {
  return link(s.name, s.place, s.name + "_joint") + joint(s.name + "_joint", s.type, s.parent, s.name, s.origin,
                                                          s.parent == "world" ? "__model__" : s.parent, s.sdf_more);
}

const std::string one = "1 .2 -.3", two = ".1 1 .4";
const std::string yaml_axis = ", axis: [1, .2, -.3]", yaml_axes = yaml_axis + ", axis2: [.1, 1, .4]";
const std::vector<Step> steps{
    {"a", "revolute", "revolute", "world", ".1 .2 .3 .4 -.5 .6", ".3 -.1 .2 .7 .1 -.2", yaml_axis, axis(one)},
    {"b", "continuous", "continuous", "a", ".2 0 .1 -.3 .2 .1", "0 .3 0 .1 .2 .3", yaml_axis, axis(one)},
    {"c", "prismatic", "prismatic", "b", ".1 0 .4 .5 .2 .1", ".2 .1 0 0 1 .3", yaml_axis, axis(one)},
    {"d", "screw", "helical", "a", "0 .4 0 .1 .2 .3", ".1 .1 .3 -.4 0 .3", yaml_axis + ", pitch: .05",
     axis(one) + "<thread_pitch>-20</thread_pitch>"},
    {"e", "universal", "universal", "d", ".2 .1 0 0 .3 .1", ".3 0 0 .4 .2 1", yaml_axes,
     axis(one) + axis(two, "axis2")},
    {"f", "ball", "spherical", "e", ".1 .1 .1 .3 .1 .2", ".2 -.1 .3 0 0 0", "", ""},
    {"g", "fixed", "fixed", "f", ".1 0 0 1 .1 .2", ".2 -.1 .3 .1 0 0", "", ""},
    {"h", "revolute", "revolute", "g", ".1 0 0 1 .1 .2", "0 0 0 0 0 0", yaml_axis, axis(one)},
    {"i", "revolute2", "universal", "b", "0 .1 0 0 .2 .1", ".1 0 .2 .3 .2 0", yaml_axes,
     axis(one) + axis(two, "axis2")}};

TEST(Sdf, EveryJointTypeMovesAsInYaml) {
  std::string links, bodies;
  for (const Step& s : steps) {
    // poses are expressed by joint and link in any order of the file
    links += in_sdf(s);
    bodies += in_yaml(s);
  }
  const Description ours = description_of(model(links));
  EXPECT_EQ(ours.name, "m");
  EXPECT_EQ(ours.gravity, (Numbers3{.3, -.2, -9}));
  same_mechanism(ours, yaml(bodies));
}

TEST(Sdf, AxesMayBeExpressedInAnyFrame) {
  const std::string text =
      model(link("a", "0 0 1 0 0 0") + link("b", "0 1 0 0 0 1.5707963267948966", "a") +
            "<frame name=\"f\" attached_to=\"b\"><pose>0 0 0 0 1.5707963267948966 0</pose></frame>\n" +
            joint("j", "fixed", "world", "a") +
            joint("k", "revolute", "a", "f", "0 0 .5 0 0 0", "b", "<axis><xyz expressed_in=\"f\">1 0 0</xyz></axis>"));
  const Description d = description_of(text);  // x of f is -z of b
  ASSERT_EQ(d.bodies.size(), 3u);
  EXPECT_EQ(d.bodies[1].name, "k_link");
  EXPECT_EQ(d.bodies[2].name, "b");
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(d.bodies[1].joint.axis[i], i == 2 ? -1 : 0, 1e-15);
    EXPECT_NEAR(d.bodies[1].joint.origin.xyz[i], i == 0 ? 0 : i == 1 ? 1 : .5, 1e-15);
    EXPECT_NEAR(d.bodies[2].joint.origin.xyz[i], i == 2 ? -.5 : 0, 1e-15);
  }
}

TEST(Sdf, ALinkThatNothingHoldsFloats) {
  const std::string text = model("<pose>1 2 3 0 0 1.5707963267948966</pose>" + link("a", "1 0 0 0 0 0") +
                                 link("b", "0 1 0 0 0 0", "a") + joint("j", "revolute", "a", "b", "", "", axis(one)));
  const Reading reading = read_sdf_text(text, "model.sdf");
  const Description& d = reading.description;
  ASSERT_EQ(d.bodies.size(), 2u);
  EXPECT_EQ(d.bodies[0].joint.name, "floating_base");
  EXPECT_EQ(d.bodies[0].joint.type, "floating");
  EXPECT_EQ(make_model(d).nq(), 8);
  expect_finding(
      {"", "", 3, "link \"a\"", {"floats by \"floating_base\"", "q = [1 3 3 0 0 0.707107"}, Severity::notice},
      "model.sdf", reading.findings);
  expect_finding({"twice", "", 3, "joint \"floating_base\"", {"floating root already"}}, "model.sdf",
                 findings_of(reading, {.floating_base = true}));
  std::string alone = text.substr(text.find("<model"));
  alone = "<sdf version=\"1.9\">" + alone.substr(0, alone.find("</world>")) + "</sdf>";
  const Reading without_world = read_sdf_text(alone, "model.sdf");
  EXPECT_NE(all(without_world.findings).find("q = [1 3 3 0 0 0.707107"), std::string::npos);
  EXPECT_EQ(without_world.description.gravity, (Numbers3{0, 0, -9.81}));
  const Description two_roots = description_of(model(link("a") + link("b")));
  EXPECT_EQ(two_roots.bodies[0].joint.name, "a_floating");
  EXPECT_EQ(two_roots.bodies[1].joint.name, "b_floating");
}

const std::string y = "0.29552020666133957 0.955336489125606 0";  // of the world, in a frame turned by .3 about z

/// A four-bar in the x-z plane by a link with two parents, with any joint as its last.
std::string four_bar(const std::string& type, const std::string& axes, bool turned = false) {
  const std::string last = joint("closure", type, "coupler", "rocker", "0 0 .3 0 0 .3", "rocker", axes);
  const std::string ground = joint("j3", "revolute", "world", "rocker", "", "", axis("0 1 0"));
  return model(link("crank") + link("coupler", "0 0 .2 0 0 0") + link("rocker", ".4 0 0 0 .2 0") +
               joint("j1", "revolute", "world", "crank", "", "", axis("0 1 0")) +
               joint("j2", "revolute", "crank", "coupler", "", "", axis("0 1 0")) +
               (turned ? last + ground : ground + last));
}

std::string yaml_bar(const std::string& name, const std::string& parent, const std::string& origin, const char* joint) {
  return "- {name: " + name + ", parent: " + parent + ", joint: {name: " + joint +
         ", type: revolute, axis: [0, 1, 0], origin: {" + origin + "}}}\n" + yaml_inertial(name);
}

TEST(Sdf, ALinkWithTwoParentsClosesALoop) {
  for (const auto& [type, word, axes] :
       std::vector<std::array<std::string, 3>>{{"ball", "spherical", ""},
                                               {"revolute", "revolute", axis(y)},
                                               {"universal", "universal", axis(y) + axis("1 0 0", "axis2")}}) {
    const Description ours = description_of(four_bar(type, axes));
    ASSERT_EQ(ours.loops.size(), 1u);
    const LoopDescription& loop = ours.loops[0];
    EXPECT_EQ(loop.type, word);
    EXPECT_EQ(loop.first.body, "coupler");
    EXPECT_EQ(loop.second.body, "rocker");
    EXPECT_GT(loop.line, 0);
    // the same by hand: the joint's frame in the rocker is a turn about z, in the coupler one about y before it
    Description theirs = yaml(yaml_bar("crank", "world", "xyz: [0, 0, 0]", "j1") +
                              yaml_bar("coupler", "crank", "xyz: [0, 0, .2]", "j2") +
                              yaml_bar("rocker", "world", "xyz: [.4, 0, 0], rpy: [0, .2, 0]", "j3"));
    LoopDescription by_hand;
    by_hand.name = "closure";
    by_hand.type = word;
    by_hand.axis = {std::sin(.3), std::cos(.3), 0};
    if (word == "universal") by_hand.axis2 = Numbers3{1, 0, 0};
    const double c = std::cos(.1), s = std::sin(.1), C = std::cos(.15), S = std::sin(.15);
    by_hand.first = {"coupler", {{.4 + .3 * std::sin(.2), 0, .3 * std::cos(.2) - .2}, {s * S, s * C, c * S, c * C}}};
    by_hand.second = {"rocker", {{0, 0, .3}, {0, 0, S, C}}};
    theirs.loops.push_back(by_hand);
    same_mechanism(ours, theirs, .2);
  }
}

TEST(Sdf, TheFirstOfTwoParentsIsTheTrees) {
  const Description d = description_of(four_bar("revolute", axis(y), true));
  ASSERT_EQ(d.loops.size(), 1u);
  EXPECT_EQ(d.loops[0].name, "j3");
  EXPECT_EQ(d.loops[0].first.body, "world");
  same_mechanism(d, d, .2);
}

TEST(Sdf, AGearboxCouplesTheTwoJointsOfItsReferenceBody) {
  // about axis and axis2, against the joints' own axes or from the other side: theta_second = -ratio theta_first
  const auto geared = [](const std::string& first, const std::string& second, const std::string& more) {
    return description_of(model(link("arm") + link("small", ".1 0 0 0 0 0") + link("large", ".4 0 0 0 .3 0") +
                                joint("j0", "revolute", "world", "arm", "", "", axis("0 1 0")) +
                                joint("j1", "revolute", "arm", "small", "", "", axis(first)) +
                                joint("j2", "continuous", "arm", "large", "", "", axis(second)) +
                                joint("gear", "gearbox", "small", "large", "", "arm",
                                      more + "<gearbox_reference_body>arm</gearbox_reference_body>")));
  };
  const std::string ratio = "<gearbox_ratio>2.5</gearbox_ratio>";
  const Description theirs =
      yaml(yaml_bar("arm", "world", "xyz: [0, 0, 0]", "j0") + yaml_bar("small", "arm", "xyz: [.1, 0, 0]", "j1") +
           yaml_bar("large", "arm", "xyz: [.4, 0, 0], rpy: [0, .3, 0]", "j2") +
           "couplings:\n- {name: gear, terms: {j2: 1, j1: 2.5}}\n");
  same_mechanism(geared("0 1 0", "0 1 0", ratio + axis("0 1 0") + axis("0 1 0", "axis2")), theirs);
  same_mechanism(geared("0 1 0", "0 1 0", ratio + axis("0 -2 0") + axis("0 -3 0", "axis2")), theirs);
  const Description other = geared("0 1 0", "0 1 0", ratio + axis("0 1 0") + axis("0 -1 0", "axis2"));
  EXPECT_EQ(other.couplings[0].terms[0].joint, "j2");
  EXPECT_EQ(other.couplings[0].terms[0].coefficient, -1);
  EXPECT_EQ(other.couplings[0].terms[1].coefficient, 2.5);
  EXPECT_EQ(geared("0 1 0", "0 1 0", axis("0 1 0") + axis("0 1 0", "axis2")).couplings[0].terms[1].coefficient, 1);
  // where the reference body hangs from the first link, its joint turns the other way
  const Description reversed = description_of(model(
      link("small") + link("arm", ".1 0 0 0 0 0") + link("large", ".4 0 0 0 .3 0") +
      joint("j1", "revolute", "small", "arm", "", "", axis("0 1 0")) +
      joint("j2", "revolute", "arm", "large", "", "", axis("0 1 0")) +
      joint("gear", "gearbox", "small", "large", "", "arm",
            ratio + axis("0 1 0") + axis("0 1 0", "axis2") + "<gearbox_reference_body>arm</gearbox_reference_body>")));
  EXPECT_EQ(reversed.couplings[0].terms[0].coefficient, 1);
  EXPECT_EQ(reversed.couplings[0].terms[1].joint, "j1");
  EXPECT_EQ(reversed.couplings[0].terms[1].coefficient, -2.5);
}

TEST(Sdf, NestedAndSeveralModelsKeepTheirScopes) {
  const std::string inner = "<model name=\"n\"><pose relative_to=\"b\">1 2 3 .1 .2 .3</pose>" + link("a") +
                            link("b", "0 0 1 0 .4 0") + joint("j", "revolute", "a", "b", "", "", axis(one)) +
                            "</model>";
  const Description d = description_of(model(link("a") + link("b", "0 1 0 .5 0 0") + joint("j", "fixed", "world", "a") +
                                             joint("k", "revolute", "a", "b", "", "", axis(one)) + inner +
                                             joint("l", "prismatic", "b", "n::a", "", "", axis(one))));
  std::string names;
  for (const BodyDescription& b : d.bodies) names += b.parent + ">" + b.joint.name + ">" + b.name + " ";
  EXPECT_EQ(names, "world>j>a a>k>b b>l>n::a n::a>n::j>n::b ");
  const auto place = [](const char* name, const char* parent, const std::string& j, const std::string& origin) {
    return "- {name: '" + std::string(name) + "', parent: '" + parent + "', joint: {" + j + ", origin: {" + origin +
           "}}}\n" + yaml_inertial(name);
  };
  same_mechanism(
      d, yaml(place("a", "world", "name: j, type: fixed", "xyz: [0, 0, 0]") +
              place("b", "a", "name: k, type: revolute" + yaml_axis, "xyz: [0, 1, 0], rpy: [.5, 0, 0]") +
              place("n::a", "b", "name: l, type: prismatic" + yaml_axis, "xyz: [1, 2, 3], rpy: [.1, .2, .3]") +
              place("n::b", "n::a", "name: 'n::j', type: revolute" + yaml_axis, "xyz: [0, 0, 1], rpy: [0, .4, 0]")));
  const std::string two_models = "<sdf version=\"1.9\"><world name=\"w\"><model name=\"still\"><static>true</static>" +
                                 link("a") + "</model><model name=\"m\">" + link("a") + "</model><model name=\"n\">" +
                                 link("a") + "</model></world></sdf>";
  const Description both = description_of(two_models);
  ASSERT_EQ(both.bodies.size(), 2u);
  EXPECT_EQ(both.bodies[0].name, "m::a");
  EXPECT_EQ(both.bodies[1].joint.name, "n::a_floating");
}

TEST(Sdf, ReadsFilesAndWhatTheyInclude) {
  const fs::path folder = fs::path(testing::TempDir()) / "kinetree_sdf_include";
  fs::create_directories(folder / "part");
  std::ofstream(folder / "part/model.config") << "<model><name>part</name><sdf version=\"1.9\">model.sdf</sdf></model>";
  std::ofstream(folder / "part/model.sdf")
      << "<sdf version=\"1.9\"><model name=\"part\">" << link("tip") << "</model></sdf>";
  const auto robot = [&](const std::string& include) {
    std::ofstream(folder / "robot.sdf") << model(link("base") + joint("j", "fixed", "world", "base") + include);
    return folder / "robot.sdf";
  };
  const Model merged = load_model(robot("<include merge=\"true\"><uri>model://part</uri></include>" +
                                        joint("k", "revolute", "base", "tip", "", "", axis(one))));
  EXPECT_EQ(merged.nv(), 1);
  const Model nested = load_model(
      robot("<include><uri>part</uri></include>" + joint("k", "revolute", "base", "part::tip", "", "", axis(one))));
  EXPECT_EQ(nested.nv(), 1);
  fs::rename(folder / "robot.sdf", folder / "robot.World");
  EXPECT_EQ(load_model(folder / "robot.World").nv(), 1);
  EXPECT_TRUE(has_error(read_sdf(folder / "none.sdf").findings));
  fs::remove_all(folder);
}

}  // namespace
}  // namespace kinetree::test

#else

TEST(Sdf, ABuildWithoutLibsdformatSaysWhichPackageIsMissing) {
  const auto reading = kinetree::read_sdf_text("<sdf/>", "f");
  ASSERT_EQ(reading.findings.size(), 1u);
  EXPECT_NE(reading.findings[0].message.find("install libsdformat-dev"), std::string::npos);
}

#endif
