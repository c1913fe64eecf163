// URDF's mimic joints: what they follow is independent, what follows a fixed joint is fixed at its offset, and what is
// said fits URDF.
#include <gtest/gtest.h>

#include <chrono>
#include <kinetree/compose.hpp>
#include <kinetree/load_model.hpp>
#include <kinetree/workspace.hpp>
#include <kinetree/write_model.hpp>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "io/expect_finding.hpp"
#include "model/describe.hpp"

namespace kinetree::test {
namespace mimic_joints {

/// Bodies a, b, ... in a row, each on a revolute joint ja, jb, ...
Description chain(const std::string& names) {
  std::vector<BodyDescription> bodies;
  for (std::size_t k = 0; k < names.size(); ++k)
    bodies.push_back(body(names.substr(k, 1), k == 0 ? "world" : names.substr(k - 1, 1)));
  return mechanism(bodies);
}
MimicDescription& mimics(Description& d, std::size_t body, const std::string& joint, double multiplier, double offset) {
  return d.bodies[body].joint.mimic.emplace(MimicDescription{joint, multiplier, offset});
}

TEST(MimicJoints, WhatTheyFollowIsIndependent) {
  for (const double multiplier : {0.01, 1.0, -1.0, 40.0})
    for (const bool before : {false, true}) {  // the follower before what it follows, or behind
      Description d = chain("abc");
      mimics(d, before ? 0 : 2, before ? "jc" : "ja", multiplier, 0.1);
      const Model model = make_model(d);
      EXPECT_EQ(independent_joints(model),
                (before ? std::vector<std::string>{"jb", "jc"} : std::vector<std::string>{"ja", "jb"}))
          << multiplier;
      // what a file says keeps it
      EXPECT_EQ(independent_joints(make_model(as_loaded(d, {}))), independent_joints(model));
    }
  Description along = chain("abcd");  // c follows b, which follows d
  mimics(along, 1, "jd", 3, 0), mimics(along, 2, "jb", 0.2, 0.3);
  EXPECT_EQ(independent_joints(make_model(along)), (std::vector<std::string>{"ja", "jd"}));
}

/// Where the description names an independent joint, or more than mimic elements tie the joints, that decides.
TEST(MimicJoints, WhatIsNamedOrTiedOtherwiseDecides) {
  Description named = chain("ab");
  mimics(named, 1, "ja", 2, 0);
  named.independent = {"jb"};
  EXPECT_EQ(independent_joints(make_model(named)), (std::vector<std::string>{"jb"}));
  Description tied = chain("abc");
  mimics(tied, 1, "ja", 2, 0);
  tied.couplings = {{"gear", {{"ja", 1}, {"jc", -30}}, 0}};
  EXPECT_FALSE(make_model(tied).data().aggregates[0].chosen_by_user);
  Description loop = read_yaml(std::string(KINETREE_MODELS) + "/four_bar.yaml").description;
  loop.independent.clear();
  const std::string first = loop.bodies[0].joint.name;
  loop.bodies.push_back(body("follower", "world"));
  loop.bodies.back().joint.mimic = {loop.bodies[1].joint.name, 1, 0};
  EXPECT_FALSE(make_model(loop).data().aggregates[0].chosen_by_user);
}

/// position = multiplier * 0 + offset, and what follows that one stands by its own multiplier and offset.
TEST(MimicJoints, FollowersOfAFixedJointStandAtTheirOffset) {
  Description d = chain("abcd");
  d.bodies[0].joint.type = "fixed";
  mimics(d, 1, "ja", 7, 0.3), mimics(d, 2, "jb", -2, 0.1);
  const Model model = make_model(d);
  ASSERT_EQ(model.body_count(), 1);
  EXPECT_TRUE(model.data().aggregates.empty());
  const std::vector<Finding> said(model.findings().begin(), model.findings().end());
  expect_finding(
      {"", "", 0, "joint \"jb\"", {"mimics \"ja\", which is fixed, so it is fixed, at 0.3"}, Severity::notice}, d.file,
      said);
  expect_finding(
      {"", "", 0, "joint \"jc\"", {"mimics \"jb\", which is fixed, so it is fixed, at -0.5"}, Severity::notice}, d.file,
      said);
  // the same with joints locked by hand
  Description by_hand = chain("abcd");
  by_hand.bodies[0].joint.type = "fixed";
  const Model theirs = make_model(by_hand, {.lock = {{"jb", {0.3}}, {"jc", {-0.5}}}});
  for (std::size_t k = 0; k < model.data().link.size(); ++k) {
    const auto &X = model.data().link[k].X_tree, &Y = theirs.data().link[k].X_tree;
    EXPECT_EQ(X.E.xy, Y.E.xy);
    EXPECT_EQ(X.r.x, Y.r.x);
  }
  Description none = chain("ab");
  mimics(none, 1, "ja", 0, 0.2);
  EXPECT_EQ(make_model(none).body_count(), 1);
  EXPECT_EQ(make_model(none, {.ignore_mimic = true}).body_count(), 2);
}

TEST(MimicJoints, WhatIsWrongIsSaidInUrdfsWords) {
  const auto findings = [](const Description& d) { return findings_of({d, {}}); };
  Description d = chain("ab");
  d.bodies[0].joint.type = "floating";
  mimics(d, 1, "ja", 1, 0);
  expect_finding({"leader", "", 0, "joint \"jb\"", {"mimics \"ja\"", "that is floating with 6 freedoms"}}, d.file,
                 findings(d));
  d = chain("ab");
  d.bodies[1].joint.type = "planar";
  mimics(d, 1, "ja", 1, 0);
  expect_finding({"follower", "", 0, "joint \"jb\"", {"mimics \"ja\"", "and is planar with 3 freedoms"}}, d.file,
                 findings(d));
  d = chain("ab");
  mimics(d, 1, "ja", std::nan(""), 0);
  expect_finding({"multiplier", "", 0, "joint \"jb\"", {"mimic's multiplier is nan"}}, d.file, findings(d));
  d = chain("abc");
  mimics(d, 1, "jc", 1, 0), mimics(d, 2, "jb", 1, 0);
  expect_finding(
      {"circle", "", 0, "joint \"jc\"", {"mimics \"jb\", which follows it", "in a circle"}, Severity::warning}, d.file,
      findings(d));
}

/// Twenty thousand joints, each following the one before: no square time.
TEST(MimicJoints, LongRowsOfThemTakeNoSquareTime) {
  Description d;
  d.name = "long";
  constexpr int count = 20'000;
  for (int k = 0; k < count; ++k) {
    BodyDescription& b = d.bodies.emplace_back(body("l" + std::to_string(k), "world"));
    if (k == 0) b.joint.type = "fixed";
    if (k > 0) b.joint.mimic = {"jl" + std::to_string(k - 1), 0.5, 0.1};
  }
  d.bodies.push_back(body("moves", "world"));
  std::swap(d.bodies[1], d.bodies[count - 1]);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(make_model(d).body_count(), 1);
  EXPECT_LE(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 30);
}

}  // namespace mimic_joints
}  // namespace kinetree::test
