// Broken YAML models: each fault is told once, with file, line, element, rule and value.
#include "io/expect_finding.hpp"

namespace kinetree::test {
namespace {

/// Lines 1 and 2 are `name` and `bodies`, line 3 the body `arm`, line 4 its joint `elbow`, line 5 its inertial.
std::string model(const std::string& joint = "{name: elbow, type: revolute, axis: [0, 0, 1]}",
                  const std::string& parent = "world",
                  const std::string& inertial = "{mass: 1, com: [0.1, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}") {
  return "name: m\nbodies:\n  - {name: arm, parent: " + parent + ",\n     joint: " + joint +
         ",\n     inertial: " + inertial + "}\n";
}
std::string joint_with(const std::string& more) {
  return model("{name: elbow, type: revolute, axis: [0, 0, 1], " + more + "}");
}
std::string inertial_with(const std::string& inertial) {
  return model("{name: elbow, type: revolute, axis: [0, 0, 1]}", "world", inertial);
}

const std::vector<Broken>& cases() {
  const std::string elbow = "joint \"elbow\"", arm = "link \"arm\"";
  static const std::vector<Broken> list{
      {"not YAML", "name: [a\nbodies: b", 2, "file", {"not well-formed YAML: at column ", "a bracket { or ["}},
      {"tabs", "name: a\nbodies:\n\t- {name: b}\n", 3, "file", {"a tab indents this line"}},
      {"XML", "<robot>\n  <link name=\"a: b: c\"/>\n</robot>", 2, "file", {"is it XML?"}},
      {"decimal comma", inertial_with("{mass: 4,97, inertia: [1, 1, 1, 0, 0, 0]}"), 5, arm, {"Write 4.97"}},
      {"not a map", "- a\n- b\n", 1, "model", {"a list of 2", "map"}},
      {"bodies are missing", "name: m\n", 0, "model", {"no bodies"}},
      {"unknown key", model() + "colour: red\n", 6, "model", {"unknown key \"colour\"", "gravity"}},
      {"duplicate key", model() + "name: again\n", 6, "model", {"\"name\" stands twice"}},
      {"duplicate key in a joint", joint_with("axis: [1, 0, 0]"), 4, elbow, {"\"axis\" stands twice"}},
      {"unknown key in a joint", joint_with("axes: [1, 0, 0]"), 4, elbow, {"unknown key \"axes\"", "axis2"}},
      {"loops", model() + "loops:\n  - {name: closure}\n", 7, "loop \"closure\"", {"no type"}},
      {"couplings", model() + "couplings:\n  - {name: gear}\n", 7, "coupling \"gear\"", {"no terms"}},
      {"five powers",
       model() + "couplings:\n  - {name: gear, terms: {elbow: [1, 2, 3, 4, 5]}}\n",
       7,
       "coupling \"gear\"",
       {"the coefficient of \"elbow\" is a list of 5", "one to four"}},
      {"a power that is no number",
       model() + "couplings:\n  - {name: gear, terms: {elbow: [1, 0, .nan]}}\n",
       7,
       "coupling \"gear\"",
       {"the factor of the third power of joint \"elbow\" is nan", "give finite numbers"}},
      {"powers of a ball's position",
       model("{name: elbow, type: spherical}") + "couplings:\n  - {name: gear, terms: {elbow: [1, 2]}}\n",
       7,
       "coupling \"gear\"",
       {"joint \"elbow\" is spherical with 3 freedoms", "a coupling takes joints of one freedom"}},
      {"no power",
       model() + "couplings:\n  - {name: gear, terms: {elbow: [0, 0]}}\n",
       7,
       "coupling \"gear\"",
       {"coefficient of joint \"elbow\" is 0"}},
      {"armature", joint_with("armature: -0.1"), 4, elbow, {"armature"}},
      {"negative friction", joint_with("friction: -0.1"), 4, elbow, {"friction -0.1 is negative"}},
      {"damping of two", joint_with("damping: [1, 2]"), 4, elbow, {"damping has 2 numbers", "revolute joint takes 1"}},
      {"infinite stiffness", joint_with("stiffness: .inf"), 4, elbow, {"stiffness is inf"}},
      {"limits of a ball",
       model("{name: elbow, type: spherical, limits: {lower: -1}}"),
       4,
       elbow,
       {"limits of positions", "spherical"}},
      {"reference of a ball",
       model("{name: elbow, type: spherical, reference: 0}"),
       4,
       elbow,
       {"reference has 1 numbers", "takes 4"}},
      {"misspelt key in a joint",
       joint_with("dampling: 1"),
       4,
       elbow,
       {"unknown key \"dampling\"; write damping if that is meant; known are name"}},
      {"unknown limit", joint_with("limits: {low: 1}"), 4, elbow, {"unknown key \"low\"", "lower"}},
      {"limits of words", joint_with("limits: {velocity: fast}"), 4, elbow, {"velocity is \"fast\""}},
      {"negative effort",
       joint_with("limits: {effort: -1}"),
       4,
       elbow,
       {"effort limit -1", "left out"},
       Severity::warning},
      {"crossed limits",
       joint_with("limits: {lower: 1, upper: 0}"),
       4,
       elbow,
       {"lower limit 1", "upper limit 0"},
       Severity::warning},
      {"no axis", model("{name: elbow, type: revolute}"), 4, elbow, {"no axis", "revolute"}},
      {"axis of two",
       model("{name: elbow, type: revolute, axis: [0, 1]}"),
       4,
       elbow,
       {"axis is a list of 2", "3 numbers"}},
      {"axis of words", model("{name: elbow, type: revolute, axis: [0, up, 1]}"), 4, elbow, {"axis is \"up\""}},
      {"rpy and quat", joint_with("origin: {rpy: [0, 0, 0], quat: [1, 0, 0, 0]}"), 4, elbow, {"rpy and quat"}},
      {"zero quaternion", joint_with("origin: {quat: [0, 0, 0, 0]}"), 4, elbow, {"quaternion has length zero"}},
      {"long quaternion",
       joint_with("origin: {quat: [2, 0, 0, 0]}"),
       4,
       elbow,
       {"length 2 was normalized"},
       Severity::notice},
      {"no axis2", model("{name: elbow, type: universal, axis: [0, 0, 1]}"), 4, elbow, {"no axis2"}},
      {"parallel axes",
       model("{name: elbow, type: universal, axis: [0, 0, 1], axis2: [0, 0, -1]}"),
       4,
       elbow,
       {"parallel"}},
      {"misplaced axis2", joint_with("axis2: [1, 0, 0]"), 4, elbow, {"axis2", "universal joints only", "revolute"}},
      {"misplaced pitch", joint_with("pitch: 0.1"), 4, elbow, {"pitch", "helical joints only"}},
      {"no type", model("{name: elbow, axis: [0, 0, 1]}"), 4, elbow, {"no type", "revolute"}},
      {"unknown type", model("{name: elbow, type: hinge}"), 4, elbow, {"unknown type \"hinge\""}},
      {"no parent",
       "bodies:\n  - {name: arm, joint: {name: j, type: floating}, inertial: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}\n",
       2,
       arm,
       {"no parent"}},
      {"unknown parent", model("{name: elbow, type: floating}", "nowhere"), 4, elbow, {"\"nowhere\" is no link"}},
      {"own parent", model("{name: elbow, type: floating}", "arm"), 4, elbow, {"cycle", "arm -> arm"}},
      {"infinite mass", inertial_with("{mass: .inf, inertia: [1, 1, 1, 0, 0, 0]}"), 5, arm, {"mass is inf"}},
      {"no mass", inertial_with("{inertia: [1, 1, 1, 0, 0, 0]}"), 5, arm, {"no mass"}},
      {"infinite gravity", "gravity: [0, .nan, 0]\n" + model(), 0, "model", {"gravity (number 2) is nan"}},
  };
  return list;
}

TEST(BrokenYaml, EachFaultIsToldOnceWithItsPlace) {
  for (const Broken& broken : cases())
    expect_finding(broken, "broken.yaml", findings_of(read_yaml_text(broken.text, "broken.yaml")));
}

TEST(BrokenYaml, OrientationsAgree) {
  const auto read = [](const std::string& origin) {
    return read_yaml_text(joint_with("origin: " + origin), "f").description.bodies.at(0).joint.origin.quaternion;
  };
  const auto a = read("{rpy: [0, 0, 1.5707963267948966]}"),
             b = read("{quat: [0.70710678118654752, 0, 0, 0.70710678118654752]}");
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(a[k], b[k], 1e-15);
}

}  // namespace
}  // namespace kinetree::test
