// `assembled`, where loops are about to close: read, checked, and the start of Newton's method.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/model/model_data.hpp"
#include "io/expect_finding.hpp"

namespace kinetree::test {
namespace {

/// Lines 1 and 2 are `name` and `bodies`, line 6 is `assembled`, the first joint in it on line 7.
std::string model(const std::string& assembled) {
  const std::string heavy = "inertial: {mass: 1, com: [0.1, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}}\n";
  return "name: m\nbodies:\n"
         "  - {name: arm, parent: world, joint: {name: elbow, type: revolute, axis: [0, 1, 0]}, " +
         heavy + "  - {name: ball, parent: arm, joint: {name: wrist, type: spherical}, " + heavy +
         "  - {name: pin, parent: arm, joint: {name: glue, type: fixed}, " + heavy + "assembled:\n" + assembled;
}

const std::vector<Broken>& cases() {
  static const std::vector<Broken> list{
      {"unknown joint", model("  elbo: 1\n"), 7, "assembled", {"\"elbo\"", "no joint of this model"}},
      {"fixed joint", model("  glue: 1\n"), 7, "assembled", {"\"glue\"", "fixed", "leave it out"}},
      {"too many", model("  elbow: [1, 2]\n"), 7, "assembled", {"\"elbow\"", "revolute", "takes a number", "has 2"}},
      {"too few", model("  elbow: 1\n  wrist: [0, 0, 1]\n"), 8, "assembled", {"\"wrist\"", "list of 4", "has 3"}},
      {"no number", model("  elbow: .nan\n"), 7, "assembled", {"\"elbow\"", "is nan", "finite"}},
      {"infinite", model("  wrist: [0, 0, .inf, 1]\n"), 7, "assembled", {"\"wrist\"", "number 3", "finite"}},
      {"no unit", model("  wrist: [0, 0, 0.00201, 1]\n"), 7, "assembled", {"quaternion", "1.00000202", "length 1"}},
      {"twice", model("  elbow: 1\n  elbow: 1\n"), 8, "assembled", {"\"elbow\"", "twice"}},
      {"a word", model("  elbow: up\n"), 7, "assembled", {"\"elbow\"", "\"up\"", "a number"}},
      {"an empty list", model("  elbow: []\n"), 7, "assembled", {"\"elbow\"", "at least one value"}},
      {"no map", model("  - elbow\n"), 7, "assembled", {"a list of 1", "joint: position"}},
  };
  return list;
}

TEST(Assembled, BrokenHintsHaveEachTheirFinding) {
  for (const Broken& b : cases()) expect_finding(b, "m.yaml", findings_of(read_yaml_text(b.text, "m.yaml")));
}

TEST(Assembled, StandsWhereItIsSaid) {
  const Model m = make_model(read_yaml_text(model("  elbow: 0.3\n  wrist: [0, 0, 0.6, 0.8]\n"), "m.yaml").description);
  EXPECT_EQ(m.data().assembled, (std::vector<double>{0.3, 0, 0, 0.6, 0.8}));
  const Model half = make_model(read_yaml_text(model("  elbow: [0.3]\n"), "m.yaml").description);
  EXPECT_EQ(half.data().assembled, (std::vector<double>{0.3, 0, 0, 0, 1}));
  // rounded quaternions become units
  const Model round = make_model(read_yaml_text(model("  wrist: [0, 0, 0.7071068, 0.7071068]\n"), "m").description);
  EXPECT_NEAR(round.data().assembled[4], std::sqrt(0.5), 1e-15);
}

/// The same joint of the floating base that --floating makes.
TEST(Assembled, NamesTheFloatingBase) {
  Description d = make_description("chain:2");
  for (BodyDescription& b : d.bodies)
    if (b.parent == "world") b.joint.type = "fixed";
  d.assembled.push_back({"floating_base", {1, 2, 3, 0, 0, 1, 0}});
  EXPECT_EQ(make_model(d, {.floating_base = true}).data().assembled[2], 3);
  EXPECT_THROW(make_model(d), InputError);
}

TEST(Assembled, LoopsThatCantCloseNameIt) {
  const std::string loop =
      "loops:\n  - {name: far, type: spherical, between: [{body: world, xyz: [9, 0, 0]}, {body: ball}]}\n";
  const Reading without = read_yaml_text(model("  {}\n") + loop, "m.yaml");
  EXPECT_NE(all(findings_of(without)).find("or say under `assembled` where joints stand"), std::string::npos)
      << all(findings_of(without));
  const Reading with = read_yaml_text(model("  elbow: 1\n") + loop, "m.yaml");
  EXPECT_NE(all(findings_of(with)).find("no place near a closed one"), std::string::npos) << all(findings_of(with));
}

}  // namespace
}  // namespace kinetree::test
