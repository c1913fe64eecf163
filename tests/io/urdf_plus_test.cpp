// URDF+: <loop> and <coupling> in a URDF are the loops and couplings of the same mechanism in YAML.
#include <kinetree/kinetree.hpp>
#include <map>

#include "io/closed_state.hpp"
#include "io/expect_finding.hpp"

namespace kinetree::test {
namespace {

const std::string rod =
    "<inertial><origin xyz=\".2 0 0\"/><mass value=\"2\"/><inertia ixx=\".01\" iyy=\".04\" "
    "izz=\".05\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>";

std::string link(const std::string& name) { return "<link name=\"" + name + "\">" + rod + "</link>\n"; }
std::string joint(const std::string& name, const std::string& parent, const std::string& child,
                  const std::string& type = "revolute", const std::string& at = "0 0 0") {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent + "\"/><child link=\"" + child +
         "\"/><origin xyz=\"" + at + "\"/><axis xyz=\"0 1 0\"/></joint>\n";
}
std::string robot(const std::string& inside) {
  return "<robot name=\"r\">\n<link name=\"base\"/>\n" + inside + "</robot>\n";
}

/// Lines 3 to 8: crank, coupler and rocker with their joints.
const std::string bars = link("crank") + link("coupler") + link("rocker") + joint("a", "base", "crank") +
                         joint("b", "crank", "coupler", "revolute", ".15 0 0") +
                         joint("c", "base", "rocker", "revolute", ".4 0 0");

/// Lines 3 to 10: two links in a row, a tool fixed to the second, a rotor on the base.
const std::string arm = link("upper") + link("lower") + "<link name=\"tool\"/>\n" + link("rotor") +
                        joint("a", "base", "upper") + joint("b", "upper", "lower", "revolute", ".4 0 0") +
                        joint("t", "lower", "tool", "fixed") + joint("r", "base", "rotor", "continuous", "0 .1 0");

std::string yaml_rod(const std::string& name, const std::string& parent, const std::string& joint,
                     const std::string& at) {
  return "- {name: " + name + ", parent: " + parent + ", joint: {name: " + joint +
         ", type: revolute, axis: [0, 1, 0], origin: {xyz: " + at +
         "}}, inertial: {mass: 2, com: [.2, 0, 0], inertia: [.01, .04, .05, 0, 0, 0]}}\n";
}

/// Accelerations in closed states are the same.
void same_mechanism(const std::string& urdf, const std::string& yaml) {
  const Reading ours = read_urdf_text(urdf, "r.urdf"), theirs = read_yaml_text(yaml, "r.yaml");
  ASSERT_FALSE(has_error(ours.findings)) << all(ours.findings);
  ASSERT_FALSE(has_error(theirs.findings)) << all(theirs.findings);
  const Model model = make_model(ours.description), expected = make_model(theirs.description);
  ASSERT_EQ(model.nv(), expected.nv());
  EXPECT_LT(static_cast<int>(independent_joints(model).size()), model.nv());
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const oracle::TestState s = closed_state(expected, seed, .2);
    Eigen::VectorXd a(model.nv()), b(model.nv());
    ForwardDynamics one(model), other(expected);
    ASSERT_TRUE(one.solve(s.q, s.v, s.tau, a).ok());
    ASSERT_TRUE(other.solve(s.q, s.v, s.tau, b).ok());
    EXPECT_LE((a - b).norm(), 1e-11 * b.norm()) << "seed " << seed;
  }
}

TEST(UrdfPlus, ALoopClosesBetweenItsTwoFrames) {
  const std::string yaml = "name: r\nbodies:\n" + yaml_rod("crank", "world", "a", "[0, 0, 0]") +
                           yaml_rod("coupler", "crank", "b", "[.15, 0, 0]") +
                           yaml_rod("rocker", "world", "c", "[.4, 0, 0]") +
                           "loops:\n- {name: d, type: revolute, axis: [0, 1, 0], between: [{body: coupler, xyz: "
                           "[.4, 0, 0]}, {body: rocker, xyz: [.3, 0, 0], rpy: [0, .5, 0]}]}\n";
  for (const char* type : {"revolute", "continuous"})
    same_mechanism(robot(bars + "<loop name=\"d\" type=\"" + type +
                         "\"><predecessor link=\"coupler\"><origin xyz=\".4 0 0\"/></predecessor><successor "
                         "link=\"rocker\"><origin xyz=\".3 0 0\" rpy=\"0 .5 0\"/></successor><axis xyz=\"0 1 "
                         "0\"/></loop>\n"),
                   yaml);
}

TEST(UrdfPlus, LoopTypesAndTheAxisByDefault) {
  const auto loop_of = [](const std::string& type) {
    return read_urdf_text(robot(bars + "<loop name=\"d\" type=\"" + type +
                                "\"><predecessor link=\"coupler\"/><successor link=\"base\"/></loop>\n"),
                          "f")
        .description.loops.at(0);
  };
  for (const auto& [type, word] : std::vector<std::pair<std::string, std::string>>{{"revolute", "revolute"},
                                                                                   {"continuous", "revolute"},
                                                                                   {"prismatic", "prismatic"},
                                                                                   {"planar", "planar"},
                                                                                   {"fixed", "weld"},
                                                                                   {"spherical", "spherical"}}) {
    EXPECT_EQ(loop_of(type).type, word);
    EXPECT_EQ(loop_of(type).axis, (Numbers3{1, 0, 0}));
    EXPECT_EQ(loop_of(type).line, 9);
  }
}

/// A belt: the ratio times all turns up to the predecessor is the rotor's turn, fixed joints aside.
TEST(UrdfPlus, ACouplingIsOfAllJointsUpToItsLinks) {
  const std::string coupled = robot(arm +
                                    "<coupling name=\"belt\"><predecessor link=\"tool\"/><successor "
                                    "link=\"rotor\"/><ratio value=\"6\"/></coupling>\n");
  const Description d = read_urdf_text(coupled, "f").description;
  ASSERT_EQ(d.couplings.size(), 1u);
  EXPECT_EQ(d.couplings[0].offset, 0);
  EXPECT_EQ(d.couplings[0].line, 11);
  std::map<std::string, double> terms;
  for (const auto& term : d.couplings[0].terms) terms[term.joint] = term.coefficient;
  EXPECT_EQ(terms, (std::map<std::string, double>{{"r", 1}, {"a", -6}, {"b", -6}}));
  same_mechanism(coupled, "name: r\nbodies:\n" + yaml_rod("upper", "world", "a", "[0, 0, 0]") +
                              yaml_rod("lower", "upper", "b", "[.4, 0, 0]") +
                              yaml_rod("rotor", "world", "r", "[0, .1, 0]") +
                              "couplings:\n- {name: belt, terms: {a: 6, b: 6, r: -1}}\n");

  // up to the nearest link above both: a gear between two links of one carrier is no matter of the carrier's joint
  const std::string inner = robot(link("carrier") + link("one") + link("two") + joint("a", "base", "carrier") +
                                  joint("b", "carrier", "one") + joint("c", "carrier", "two") +
                                  "<coupling name=\"gear\"><predecessor link=\"one\"/><successor link=\"two\"/>"
                                  "<ratio value=\"-2\"/></coupling>\n");
  const Reading reading = read_urdf_text(inner, "f");
  ASSERT_EQ(reading.description.couplings.size(), 1u);
  terms.clear();
  for (const auto& term : reading.description.couplings[0].terms) terms[term.joint] = term.coefficient;
  EXPECT_EQ(terms, (std::map<std::string, double>{{"c", 1}, {"b", 2}}));
}

TEST(UrdfPlus, EachFaultIsToldOnceWithItsPlace) {
  const auto loop = [](const std::string& type, const std::string& inside) {
    return robot(bars + "<loop name=\"d\" type=\"" + type + "\">" + inside + "</loop>\n");
  };
  const auto coupling = [](const std::string& inside) {
    return robot(arm + "<coupling name=\"g\">" + inside + "</coupling>\n");
  };
  const std::string from = "<predecessor link=\"coupler\"/>", to = "<successor link=\"rocker\"/>";
  const std::string tool = "<predecessor link=\"tool\"/>", rotor = "<successor link=\"rotor\"/>", d = "loop \"d\"",
                    g = "coupling \"g\"", ratio = "<ratio value=\"6\"/>";
  for (const Broken& broken : std::vector<Broken>{
           {"no type", robot(bars + "<loop name=\"d\">" + from + to + "</loop>"), 9, d, {"no type", "revolute"}},
           {"unknown type", loop("hinge", from + to), 9, d, {"unknown type \"hinge\"", "revolute"}},
           {"universal", loop("universal", from + to), 9, d, {"universal", "YAML"}},
           {"no name", robot(bars + "<loop type=\"fixed\">" + from + to + "</loop>"), 9, "loop", {"has no name"}},
           {"no predecessor", loop("revolute", to), 9, d, {"<predecessor link> is missing"}},
           {"no link", loop("revolute", "<predecessor/>" + to), 9, d, {"<predecessor link> is missing"}},
           {"unknown link", loop("revolute", from + "<successor link=\"rod\"/>"), 9, d, {"\"rod\" is no link"}},
           {"both ends on one", loop("revolute", from + "<successor link=\"coupler\"/>"), 9, d, {"both ends"}},
           {"axis of two", loop("revolute", from + to + "<axis xyz=\"0 1\"/>"), 9, d, {"2 numbers where 3 belong"}},
           {"origin outside an end",
            loop("revolute", from + to + "<origin/>"),
            9,
            "<origin>",
            {"unknown here in <loop>", "change the dynamics"}},
           {"no ratio", coupling(tool + rotor), 11, g, {"no <ratio>", "1 counts"}, Severity::warning},
           {"ratio of words", coupling(tool + rotor + "<ratio value=\"six\"/>"), 11, g, {"<ratio value> is \"six\""}},
           {"ratio 0", coupling(tool + rotor + "<ratio value=\"0\"/>"), 11, g, {"<ratio> is 0"}},
           {"unknown link", coupling(tool + "<successor link=\"x\"/>" + ratio), 11, g, {"\"x\" is no link"}},
           {"one above the other",
            coupling(tool + "<successor link=\"upper\"/>" + ratio),
            11,
            g,
            {"no joint moves \"upper\"", "above both"}},
           {"misspelt end", coupling(tool + rotor + ratio + "<rato value=\"2\"/>"), 11, "<rato>", {"write <ratio>"}},
       })
    expect_finding(broken, "f", findings_of(read_urdf_text(broken.text, "f")));
}

TEST(UrdfPlus, IndependentIsSaidToBeLeftOut) {
  std::string text = robot(arm);
  for (const char* name : {"name=\"a\"", "name=\"r\" type"})
    text.insert(text.find(name, text.find("<joint")), "independent=\"false\" ");
  expect_finding({"independent", "", 7, "<joint independent>", {"2 times", "every state"}, Severity::notice}, "f",
                 findings_of(read_urdf_text(text, "f")));
}

}  // namespace
}  // namespace kinetree::test
