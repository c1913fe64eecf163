// What `kinetree info` says of loops: who is tied, why together, and which way is taken.
#include "bench/info_loops.hpp"

#include <gtest/gtest.h>

#include "library/option_words.hpp"
#include "library/planner.hpp"

namespace kinetree::bench {
namespace {

BodyDescription link(const std::string& name, const std::string& parent, const Numbers3& origin) {
  BodyDescription b;
  b.name = name, b.parent = parent;
  b.joint.name = "j_" + name, b.joint.type = "revolute", b.joint.axis = {0, 1, 0};
  b.joint.origin.xyz = origin;
  b.inertial = InertialDescription{1, {{0.1, 0, 0.1}}, {0.02, 0.03, 0.02, 0, 0, 0}};
  return b;
}

/// A four-bar with a wheel geared to its crank, and two wheels apart geared to each other.
Model mechanism() {
  Description d;
  d.name = "mechanism";
  d.bodies = {link("crank", "world", {0.1, 0, 0}),  link("coupler", "crank", {0.05, 0, 0.2}),
              link("rocker", "world", {0.6, 0, 0}), link("wheel", "world", {0, 0.2, 0}),
              link("left", "world", {0, 1, 0}),     link("right", "world", {0, 2, 0})};
  LoopDescription l;
  l.name = "closure", l.type = "revolute", l.axis = {0, 1, 0};
  l.first.body = "coupler", l.first.frame.xyz = {0.4, 0, 0.1};
  l.second.body = "rocker", l.second.frame.xyz = {-0.05, 0, 0.3};
  d.loops.push_back(l);
  d.couplings.push_back({"gear", {{"j_crank", 1}, {"j_wheel", -3}}, 0});
  d.couplings.push_back({"apart", {{"j_left", 1}, {"j_right", 2}}, 0});
  return make_model(d);
}

TEST(InfoLoops, SaysWhoIsTiedAndWhy) {
  const Model model = mechanism();
  const auto json = aggregates_json(model, make_plan(model, {}).plan);
  ASSERT_EQ(json.size(), 2u);
  const auto& bar = json[0];
  EXPECT_EQ(bar["bodies"], nlohmann::ordered_json({"crank", "coupler", "rocker", "wheel"}));
  EXPECT_EQ(bar["parent"], "world");
  ASSERT_EQ(bar["constraints"].size(), 2u);
  EXPECT_EQ(bar["constraints"][0]["kind"], "revolute loop");
  EXPECT_EQ(bar["constraints"][1]["ties"], nlohmann::ordered_json({"crank", "wheel"}));
  ASSERT_EQ(bar["merged_because"].size(), 1u);
  EXPECT_EQ(bar["merged_because"][0]["constraints"], nlohmann::ordered_json({"closure", "gear"}));
  EXPECT_EQ(bar["merged_because"][0]["share"], nlohmann::ordered_json({"crank"}));
  EXPECT_EQ(bar["velocities"], 4);
  EXPECT_EQ(bar["freedoms"], 1);
  EXPECT_EQ(bar["constant"], false);
  EXPECT_EQ(json[1]["constant"], true);
  EXPECT_TRUE(json[1]["merged_because"].empty());
}

TEST(InfoLoops, SaysWhichWayIsTaken) {
  const Model model = mechanism();
  for (const Loops loops : {Loops::embed, Loops::multipliers, Loops::automatic}) {
    const auto json = aggregates_json(
        model, make_plan(model, {.algorithm = Algorithm::ab, .executor = ExecutorKind::serial, .loops = loops}).plan);
    for (const auto& a : json) {
      const auto& cost = a["predicted_operations"];
      const bool cheaper = cost["multipliers"].get<double>() < cost["embed"].get<double>();
      EXPECT_EQ(a["cheaper"], cheaper ? "multipliers" : "embed");
      EXPECT_EQ(a["choice"], loops == Loops::automatic ? a["cheaper"] : nlohmann::ordered_json(to_word(loops)));
    }
  }
}

TEST(InfoLoops, WaysHaveWords) {
  EXPECT_EQ(from_word<Loops>("multipliers"), Loops::multipliers);
  EXPECT_EQ(to_word(Loops::automatic), "automatic");
  EXPECT_EQ(to_word(Loops::embed), "embed");
}

}  // namespace
}  // namespace kinetree::bench
