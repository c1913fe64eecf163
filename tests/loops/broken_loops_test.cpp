// Loops and couplings that can't be: each its own message, with the element and what to do.
#include <gtest/gtest.h>

#include <functional>
#include <kinetree/kinetree.hpp>

#include "loops/regular_mechanisms.hpp"

namespace kinetree::oracle {
namespace {

/// The errors of building, as text.
std::string errors_of(const Description& d) {
  try {
    make_model(d);
  } catch (const InputError& e) {
    std::string text;
    for (const Finding& f : e.findings())
      if (f.severity == Severity::error) text += to_string(f) + "\n";
    return text;
  }
  return "nothing";
}

struct Case {
  const char* name;
  std::function<void(Description&)> breaks;
  std::vector<std::string> words;
};

TEST(BrokenLoops, EachFaultHasItsMessage) {
  const std::vector<Case> cases{
      {"too short to close",
       [](Description& d) {
         d.loops[0].first.frame.xyz = {0.05, 0, 0};
         d.bodies[2].joint.origin.xyz = {2, 0, 0};
       },
       {"loop \"loop1\"", "can't close", "nearest configuration", "check lengths"}},
      {"axis askew, so that nothing moves",
       [](Description& d) {
         d.loops[0].axis = {1, 0, 0};
       },
       {"model", "no freedom"}},
      {"loop to no link",
       [](Description& d) { d.loops[0].second.body = "rod"; },
       {"loop \"loop1\"", "\"rod\" is no link", "world"}},
      {"loop on one link",
       [](Description& d) { d.loops[0].second.body = "coupler1"; },
       {"loop \"loop1\"", "both ends are on \"coupler1\""}},
      {"unknown loop type",
       [](Description& d) { d.loops[0].type = "hinge"; },
       {"loop \"loop1\"", "unknown type \"hinge\"", "point_on_line"}},
      {"two loops of one name", [](Description& d) { d.loops.push_back(d.loops[0]); }, {"loop \"loop1\"", "taken"}},
      {"axis of length zero",
       [](Description& d) {
         d.loops[0].axis = {0, 0, 0};
       },
       {"loop \"loop1\"", "axis", "length zero"}},
      {"loop frame not a number",
       [](Description& d) { d.loops[0].first.frame.xyz[1] = std::nan(""); },
       {"loop \"loop1\"", "first frame", "nan"}},
      {"unknown joint",
       [](Description& d) {
         d.couplings.push_back({"gear", {{"crank1_joint", 1}, {"knee", 2}}, 0});
       },
       {"coupling \"gear\"", "joint \"knee\" is no joint of this model"}},
      {"coefficient zero",
       [](Description& d) {
         d.couplings.push_back({"gear", {{"crank1_joint", 0}}, 0});
       },
       {"coupling \"gear\"", "coefficient", "0"}},
      {"no terms",
       [](Description& d) {
         d.couplings.push_back({"gear", {}, 0});
       },
       {"coupling \"gear\"", "no terms"}},
      {"joint twice",
       [](Description& d) {
         d.couplings.push_back({"gear", {{"crank1_joint", 1}, {"crank1_joint", 2}}, 0});
       },
       {"coupling \"gear\"", "stands in it twice"}},
      {"locked",
       [](Description& d) {
         d.couplings.push_back({"brake", {{"crank1_joint", 1}}, -1.0});
       },
       {"no freedom", "nothing moves"}},
      {"unknown independent",
       [](Description& d) { d.independent = {"knee"}; },
       {"independent", "\"knee\" is no joint"}},
      {"too many independent",
       [](Description& d) {
         d.independent = {"crank1_joint", "rocker1_joint"};
       },
       {"loop \"loop1\"", "1 freedom", "independent"}},
  };
  for (const Case& c : cases) {
    Description d = flat_four_bar();
    c.breaks(d);
    const std::string said = errors_of(d);
    for (const std::string& word : c.words) EXPECT_NE(said.find(word), std::string::npos) << c.name << ": " << said;
  }
}

TEST(BrokenLoops, GearsThatContradict) {
  Description d = geared_chain(3, Rotors::bodies);
  d.couplings.push_back(
      {"second_gear", {{"rotor1_joint", 1}, {"link1_joint", -50}}, 0.25});  // the same ratio, another offset
  const std::string said = errors_of(d);
  for (const char* word : {"gear1", "second_gear", "contradict", "0.125"})
    EXPECT_NE(said.find(word), std::string::npos) << word << ": " << said;
  d.couplings.back().offset = 0;  // said twice is no contradiction
  EXPECT_EQ(errors_of(d), "nothing");
}

TEST(BrokenLoops, CouplingOfAJointOfSeveralFreedoms) {
  Description d = flat_four_bar();
  Random random(1);
  d.bodies.push_back(random_body(random, "ball", "coupler1", JointType::spherical));
  d.bodies.push_back(random_body(random, "plate", "ball", JointType::fixed));
  d.couplings.push_back({"gear", {{"crank1_joint", 1}, {"to_ball", 1}}, 0});
  EXPECT_NE(errors_of(d).find("spherical with 3 freedoms; a coupling takes joints of one freedom"), std::string::npos);
  d.couplings[0].terms[1].joint = "to_plate";
  EXPECT_NE(errors_of(d).find("\"to_plate\""), std::string::npos) << errors_of(d);
}

}  // namespace
}  // namespace kinetree::oracle
