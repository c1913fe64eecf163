// Parts of a mechanism: against those written by hand, and put together again.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <kinetree/compose.hpp>
#include <kinetree/load_model.hpp>
#include <kinetree/write_model.hpp>

#include "io/expect_finding.hpp"
#include "model/describe.hpp"
#include "oracle/random_state.hpp"

namespace kinetree::test {
namespace parts {

Description with_everything() {
  Description d = mechanism({body("a", "world"), body("b", "a"), body("c", "b"), body("e", "b"), body("f", "a")});
  d.name = "whole";
  d.loops = {{"inside", "spherical", {0, 0, 1}, {}, {"c", {}}, {"e", {}}},
             {"to carrier", "spherical", {0, 0, 1}, {}, {"a", {{1, 0, 0}, {0, 0, 0, 1}}}, {"c", {}}},
             {"outside", "spherical", {0, 0, 1}, {}, {"f", {}}, {"world", {}}}};
  d.couplings = {{"in", {{"jb", 1}, {"jc", 2}}, 0.1}, {"out", {{"ja", 1}, {"jf", 2}}, 0.2}};
  d.bodies[3].joint.mimic = {"jc", 2, 0.5};
  d.sensors = {{"of a", "imu", "a", {}}, {"of c", "imu", "c", {}}, {"of world", "imu", "world", {}}};
  d.forces = {{"between", {"c", {}}, {"e", {}}, 1, 0, 0, 0},
              {"of carrier", {"a", {1, 0, 0}}, {"c", {0, 2, 0}}, 1, 0, 0, 0},
              {"beyond", {"f", {}}, {"world", {}}, 1, 0, 0, 0}};
  d.independent = {"ja", "jb"};
  d.assembled = {{"jc", {0.1}}, {"jf", {0.2}}};
  return d;
}

TEST(SubModel, HasWhatHangsFromTheLink) {
  const Description d = with_everything(), part = sub_model(d, "b"), rest = without(d, "b");
  EXPECT_EQ(part.name, "b");
  EXPECT_EQ(rest.name, "whole");
  const auto names = [](const auto& list) {
    std::string text;
    for (const auto& one : list) text += one.name + ";";
    return text;
  };
  EXPECT_EQ(names(part.bodies), "b;c;e;");
  EXPECT_EQ(names(rest.bodies), "a;f;");
  EXPECT_EQ(part.bodies[0].parent, "world");
  EXPECT_EQ(part.bodies[0].joint.name, "jb");
  EXPECT_EQ(part.bodies[0].joint.origin, d.bodies[1].joint.origin);
  EXPECT_EQ(part.bodies[2].joint.mimic->joint, "jc");
  EXPECT_EQ(names(part.loops), "inside;to carrier;");
  EXPECT_EQ(part.loops[1].first.body, "world");
  EXPECT_EQ(part.loops[1].first.frame, d.loops[1].first.frame);
  EXPECT_EQ(names(rest.loops), "outside;");
  EXPECT_EQ(names(part.couplings), "in;");
  EXPECT_EQ(names(rest.couplings), "out;");
  EXPECT_EQ(names(part.forces), "between;of carrier;");
  EXPECT_EQ(part.forces[1].first.body + part.forces[1].second.body, "worldc");
  EXPECT_EQ(part.forces[1].first.xyz, (Numbers3{1, 0, 0}));
  EXPECT_EQ(names(rest.forces), "beyond;");
  EXPECT_EQ(names(part.sensors), "of c;");
  EXPECT_EQ(names(rest.sensors), "of a;of world;");
  EXPECT_EQ(part.independent, std::vector<std::string>{"jb"});
  EXPECT_EQ(rest.independent, std::vector<std::string>{"ja"});
  ASSERT_EQ(part.assembled.size(), 1u);
  EXPECT_EQ(part.assembled[0].joint, "jc");
  ASSERT_EQ(rest.assembled.size(), 1u);
  EXPECT_EQ(rest.assembled[0].joint, "jf");
}

/// A leg of the humanoid is the model that its own lines of the file make.
TEST(SubModel, IsTheMechanismOfTheFilesOwnLines) {
  const Description whole = read_yaml(std::string(KINETREE_MODELS) + "/humanoid.yaml").description;
  const Description arm = sub_model(whole, "left_shoulder_1");
  Description by_hand = whole;
  by_hand.name = "left_shoulder_1";
  std::erase_if(by_hand.bodies, [](const BodyDescription& b) {
    return b.name.rfind("left_", 0) != 0 || b.name.find("thigh") != std::string::npos ||
           b.name.find("shank") != std::string::npos || b.name.find("foot") != std::string::npos ||
           b.name.find("hip") != std::string::npos || b.name.find("ankle") != std::string::npos;
  });
  by_hand.bodies[0].parent = "world";
  EXPECT_EQ(yaml_text(arm), yaml_text(by_hand));
}

/// Cut apart and attached again, robots move as before; in another order of bodies.
TEST(SubModel, AttachedWhereItWasMovesAsBefore) {
  for (const auto& [name, link, parent] : {std::tuple{"humanoid.yaml", "left_shoulder_1", "upper_trunk"},
                                           {"humanoid_with_hands.yaml", "left_hand", "left_wrist"}}) {
    const Description whole = read_yaml(std::string(KINETREE_MODELS) + "/" + name).description;
    const Description again = attached(without(whole, link), sub_model(whole, link), {.link = parent});
    const Model before = make_model(whole), after = make_model(again);
    ASSERT_EQ(after.nv(), before.nv());
    oracle::TestState s = oracle::random_state(before, 6);
    ASSERT_TRUE(kinetree::random_state(before, 6, s.q, s.v).ok());  // couplings closed
    Eigen::VectorXd q(after.nq()), v(after.nv()), tau(after.nv()), a(after.nv()), b(after.nv());
    for (int i = 0; i < after.body_count(); ++i) {  // joints of one freedom
      const int k = before.v_index(after.joint_name(i));
      q[after.q_index(i)] = s.q[k], v[after.v_index(i)] = s.v[k], tau[after.v_index(i)] = s.tau[k];
    }
    ASSERT_TRUE(ForwardDynamics(after, {.algorithm = Algorithm::ab}).solve(q, v, tau, a).ok());
    ASSERT_TRUE(ForwardDynamics(before, {.algorithm = Algorithm::ab}).solve(s.q, s.v, s.tau, b).ok());
    for (int i = 0; i < after.body_count(); ++i)
      EXPECT_NEAR(a[after.v_index(i)], b[before.v_index(after.joint_name(i))], 1e-12 * b.norm()) << name;
  }
}

std::vector<Finding> told(const Description& d, const char* link, bool own) {
  try {
    (void)(own ? sub_model(d, link) : without(d, link));
    return {};
  } catch (const InputError& e) {
    return e.findings();
  }
}

TEST(SubModel, RefusesToTearConstraints) {
  Description d = with_everything();
  d.file = "whole.yaml";
  for (const bool own : {true, false}) {
    expect_finding({"link", "", 0, "part", {"\"nowhere\" is no link of this model; give a link's name"}}, d.file,
                   told(d, "nowhere", own));
    Description torn = d;
    torn.loops.push_back({"torn", "spherical", {0, 0, 1}, {}, {"c", {}}, {"f", {}}, 5});
    expect_finding({"loop", "", 5, "loop \"torn\"", {"ties \"c\" to \"f\"", "on the other side of the cut; cut where"}},
                   d.file, told(torn, "b", own));
    torn = d;
    torn.forces.push_back({"torn", {"world", {}}, {"c", {}}, 1, 0, 0, 0, 7});
    expect_finding({"force", "", 7, "force \"torn\"", {"ties \"world\" to \"c\""}}, d.file, told(torn, "b", own));
    torn = d;
    torn.couplings.push_back({"torn", {{"ja", 1}, {"jb", 1}}, 0, 6});
    expect_finding({"coupling", "", 6, "coupling \"torn\"", {"ties \"ja\" to \"jb\""}}, d.file, told(torn, "b", own));
    torn = d;
    torn.bodies[2].joint.mimic = {"jf", 1, 0};
    expect_finding({"mimic", "", 0, "joint \"jc\"", {"ties \"jc\" to \"jf\""}}, d.file, told(torn, "b", own));
    torn = d;
    torn.bodies[4].parent = "nobody";
    expect_finding({"broken", "", 0, "joint \"jf\"", {"is no link of this model"}}, d.file, told(torn, "b", own));
  }
  EXPECT_TRUE(told(d, "a", true).empty()) << "the whole";
}

}  // namespace parts
}  // namespace kinetree::test
