// What is wrong with forces between points in YAML, and with drives in a file of states, is a finding each.
#include <gtest/gtest.h>

#include <algorithm>
#include <kinetree/compose.hpp>
#include <kinetree/kinetree.hpp>
#include <kinetree/loops_from.hpp>
#include <kinetree/point_forces.hpp>
#include <kinetree/write_model.hpp>
#include <span>
#include <string>

#include "engine/io/states.hpp"
#include "engine/model/passive_notice.hpp"

namespace kinetree {
namespace {

const std::string bodies = R"(bodies:
  - {name: arm, parent: world, joint: {name: shoulder, type: revolute, axis: [0, 1, 0]}, inertial: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}
  - {name: wrist, parent: arm, joint: {name: ball, type: spherical}, inertial: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}
)";
const std::string good =
    "{name: s, stiffness: 2, between: [{body: arm, xyz: [1, 0, 0]}, {body: world, xyz: [0, 0, 3]}]}";

std::string all_of(std::span<const Finding> findings) {
  std::string text;
  for (const Finding& f : findings) text += to_string(f) + "\n";
  return text;
}

/// Of the reading and of make_model together.
std::string findings_on(const Reading& reading) {
  try {
    return all_of(make_model(reading.description, {}, reading.findings).findings());
  } catch (const InputError& e) {
    return all_of(e.findings());
  }
}

std::string findings_on(const std::string& force) {
  return findings_on(read_yaml_text(bodies + "forces:\n  - " + force + "\n", "m.yaml"));
}

TEST(BrokenForces, InYamlAreFoundWhereTheyStand) {
  const std::string ends = ", between: [{body: arm}, {body: world, xyz: [0, 0, 1]}]}";
  for (const auto& [force, words] : std::vector<std::pair<std::string, std::string>>{
           {"{name: s, stiffness: 1, lenght: 2" + ends, "m.yaml:5: error: force \"s\": unknown key \"lenght\""},
           {"{name: s, stiffness: stiff" + ends, "stiffness is \"stiff\"; give a number"},
           {"{name: s, stiffness: 1}", "has no two ends; give between"},
           {"{name: s, stiffness: 1, between: [{body: arm}]}", "has no two ends"},
           {"{name: s, stiffness: 1, between: [{xyz: [0, 0, 0]}, {body: arm}]}", "an end has no body"},
           {"{name: s, stiffness: 1, between: [{body: arm, rpy: [0, 0, 0]}, {body: world}]}", "unknown key \"rpy\""},
           {"{name: s, stiffness: 1, between: [{body: arm, xyz: [0, 0]}, {body: world}]}", "a list of 3 numbers"},
           {"{name: s, stiffness: 1, between: [{body: amr}, {body: world}]}",
            "\"amr\" is no link of this model; give a link's name, or world (nearest: \"arm\""},
           {"{name: s, stiffness: 1, between: [{body: arm}, {body: arm, xyz: [0, 0, 1]}]}", "both ends are on \"arm\""},
           {"{name: s, stiffness: -1" + ends, "stiffness -1 N/m is negative; give a number >= 0"},
           {"{name: s, stiffness: 1, length: -2" + ends, "length -2 m is negative"},
           {"{name: s, damping: -3" + ends, "damping -3 N s/m is negative"},
           {"{name: s, force: .inf" + ends, "force is inf; give finite numbers"},
           {"{name: s, force: 1, between: [{body: arm, xyz: [0, .nan, 0]}, {body: world}]}", "first point (number 2)"},
           {"{name: s" + ends, "is always zero; give stiffness, damping or force"},
           {"{stiffness: 1" + ends, "has no name; give every force one"},
           {good + "\n  - " + good, "the name is taken by another force"},
           {"3", "is \"3\"; give a map of keys and values"}}) {
    const std::string found = findings_on(force);
    EXPECT_NE(found.find("error: "), std::string::npos) << force;
    EXPECT_NE(found.find(words), std::string::npos) << force << "\n" << found;
  }
  EXPECT_NE(all_of(read_yaml_text(bodies + "forces: 2\n", "m.yaml").findings).find("forces: is not a list"),
            std::string::npos);
  const std::string idle = findings_on("{name: s, damping: 1, length: 2" + ends);
  EXPECT_NE(idle.find("m.yaml:5: warning: force \"s\": length 2 does nothing"), std::string::npos) << idle;
  EXPECT_EQ(idle.find("error"), std::string::npos);
}

TEST(BrokenForces, GoodOnesAreReadAndToldOnce) {
  const Reading reading = read_yaml_text(bodies + "forces:\n  - " + good + "\n", "m.yaml");
  EXPECT_TRUE(reading.findings.empty()) << all_of(reading.findings);
  const Model model = make_model(reading.description);
  ASSERT_EQ(model.findings().size(), 1u);
  EXPECT_EQ(model.findings()[0].message, point_force_notice);
  EXPECT_EQ(model.findings()[0].severity, Severity::notice);
  ASSERT_EQ(model.point_forces().size(), 1u);
  const PointForceDescription& f = model.point_forces()[0];
  EXPECT_EQ(f.name + f.first.body + f.second.body, "sarmworld");
  EXPECT_EQ(f.first.xyz, (Numbers3{1, 0, 0}));
  EXPECT_EQ(f.second.xyz, (Numbers3{0, 0, 3}));
  EXPECT_EQ(f.stiffness, 2);
  EXPECT_EQ(f.line, 5);
  EXPECT_EQ(PointForces(model).count(), 1);
  // what is written is read back, of a model with locked joints too
  Description two = reading.description;
  two.forces.push_back({"d: e", {"wrist", {0.1, 0, 0}}, {"arm", {}}, 0, 0, 1.0 / 3, -1e-9});
  for (const Description& written : {two, locked(two, {{"ball"}})}) {
    const Description again = read_yaml_text(yaml_text(written), "again").description;
    ASSERT_EQ(again.forces.size(), 2u);
    EXPECT_EQ(again.forces[0].name, "s");
    EXPECT_EQ(again.forces[1].name, "d: e");
    EXPECT_EQ(again.forces[1].damping, 1.0 / 3);
    EXPECT_EQ(again.forces[1].force, -1e-9);
    EXPECT_EQ(again.forces[1].first.xyz, (Numbers3{0.1, 0, 0}));
  }
}

TEST(BrokenForces, OfCodeAreFoundTogether) {
  const Model model = make_model(read_yaml_text(bodies, "m.yaml").description);
  try {
    PointForces forces(
        model, {{"a", {"arm", {}}, {"hand", {}}, -1, 0, 0, 0}, {"a", {"arm", {}}, {"world", {}}, 0, 0, 0, 0}}, "mine");
    FAIL();
  } catch (const InputError& e) {
    const std::string text = e.what();
    for (const char* words :
         {"mine: error: force \"a\": \"hand\" is no link", "stiffness -1", "the name is taken", "is always zero"})
      EXPECT_NE(text.find(words), std::string::npos) << words << text;
  }
}

TEST(BrokenForces, BesideAFileStandWithLoops) {
  const auto beside = [](const std::string& text) {
    return findings_on(with_loops_from_text(read_yaml_text(bodies, "m.yaml"), text, "f.yaml"));
  };
  EXPECT_EQ(beside("forces:\n  - " + good + "\n").find("error"), std::string::npos);
  EXPECT_NE(beside("forces:\n  - {name: 1}\n").find("f.yaml:2: error: force \"1\""), std::string::npos);
  EXPECT_NE(beside("forces:\n  - " + good + "\n  - " + good + "\n").find("f.yaml:3: error: force \"s\": the name is"),
            std::string::npos);
}

const std::string states =
    R"({"units": "degrees", "states": [{"q": [90, 0, 0, 0, 1], "tau": [2, 0, 0, 0]}], "drives": )";

States with(const std::string& drives) {
  return read_states_text(states + drives + "}", "s.json", make_model(read_yaml_text(bodies, "m.yaml").description));
}

/// Degrees are of angles: forces stay as they are.
TEST(BrokenDrives, GoodOnesAreRead) {
  const States read = with(R"([{"joint": "shoulder", "times": [0, 1, 1], "tau": [3, 4, [5]], "between": "held"},
                               {"joint": "ball", "times": [2], "tau": [[1, 2, 3]]}])");
  ASSERT_EQ(read.drives.size(), 4u);
  EXPECT_EQ(read.drives[0].times, (std::vector<double>{0, 1, 1}));
  EXPECT_EQ(read.drives[0].forces, (std::vector<double>{3, 4, 5}));
  EXPECT_TRUE(read.drives[0].held && !read.drives[1].held);
  EXPECT_EQ(read.drives[3].velocity, 3);
  EXPECT_EQ(read.drives[3].forces, std::vector<double>{3});
  EXPECT_NEAR(read.q[0][0], 1.5707963267948966, 1e-15);
  ASSERT_EQ(read.findings.size(), 1u);
  EXPECT_EQ(read.findings[0].message, drives_notice);
  EXPECT_TRUE(with("[]").findings.empty());
}

TEST(BrokenDrives, AreFound) {
  for (const auto& [drives, words] : std::vector<std::pair<std::string, std::string>>{
           {"3", "s.json: error: drives: is 3; give a list of drives"},
           {"[3]", "drive 0: is 3; give an object"},
           {R"([{"joint": "shoulder", "times": [0]}])", "drive 0: has no tau"},
           {R"([{"joint": "shoulder", "times": [0], "tau": [1], "betwen": "held"}])",
            "unknown key \"betwen\"; write between if that is meant"},
           {R"([{"joint": "elbow", "times": [0], "tau": [1]}])", "\"elbow\" is no moving joint"},
           {R"([{"joint": "arm", "times": [0], "tau": [1]}])", "\"arm\" is a link and no moving joint"},
           {R"([{"joint": "shoulder", "times": [0], "tau": [1]}, {"joint": "shoulder", "times": [0], "tau": [1]}])",
            "drive 1: joint \"shoulder\" has a drive already"},
           {R"([{"joint": "shoulder", "times": [], "tau": []}])", "times is a list of 0; give a list of times in s"},
           {R"([{"joint": "shoulder", "times": [0, "1"], "tau": [1, 2]}])", "times (number 2) is \"1\""},
           {R"([{"joint": "shoulder", "times": [0, 2, 1], "tau": [1, 2, 3]}])", "times (number 3) is 1, after 2"},
           {R"([{"joint": "shoulder", "times": [1, 1, 1], "tau": [1, 2, 3]}])", "for the third time"},
           {R"([{"joint": "shoulder", "times": [0, 1], "tau": [1]}])", "where a list of 2 belongs, one for each time"},
           {R"([{"joint": "shoulder", "times": [0], "tau": [null]}])", "tau (number 1) is null; give a finite number"},
           {R"([{"joint": "ball", "times": [0], "tau": [1]}])", "tau (number 1) is 1; give 3 finite numbers"},
           {R"([{"joint": "ball", "times": [0], "tau": [[1, 2]]}])", "give 3 finite numbers"},
           {R"([{"joint": "shoulder", "times": [0], "tau": [1], "between": "cubic"}])",
            "between is \"cubic\"; give \"linear\" or \"held\""}}) {
    try {
      (void)with(drives);
      ADD_FAILURE() << drives;
    } catch (const InputError& e) {
      EXPECT_NE(std::string(e.what()).find(words), std::string::npos) << drives << "\n" << e.what();
    }
  }
}

}  // namespace
}  // namespace kinetree
