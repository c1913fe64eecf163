#include <gtest/gtest.h>

#include <algorithm>
#include <kinetree/kinetree.hpp>
#include <set>

#include "engine/model/closure.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/mobility.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/random.hpp"
#include "model/describe.hpp"

namespace kinetree::test {
namespace {

TEST(Families, Sizes) {
  EXPECT_EQ(make_model("chain:7").body_count(), 7);
  EXPECT_EQ(make_model("tree:2x5").body_count(), 31);
  EXPECT_EQ(make_model("tree:1x4").body_count(), 4);
  EXPECT_EQ(make_model("star:5x3").body_count(), 15);
  EXPECT_EQ(make_model("comb:8").body_count(), 8 * (1 + 3));
  EXPECT_EQ(make_model("comb:9").body_count(), 9 * (1 + 4));
  EXPECT_EQ(make_model("comb:1").body_count(), 1);
  for (int n : {1, 2, 17, 100})
    EXPECT_EQ(make_model("random:" + std::to_string(n) + ":seed=3:special=1").body_count(), n);
}

TEST(Families, Shapes) {
  const auto children = [](const char* family, std::size_t body) {
    const Model model = make_model(family);
    return model.data().children_begin[body + 1] - model.data().children_begin[body];
  };
  EXPECT_EQ(children("tree:3x3", 0), 3);
  EXPECT_EQ(make_model("tree:3x3").data().roots.size(), 1u);
  EXPECT_EQ(make_model("star:3x2").data().roots.size(), 3u);
  EXPECT_EQ(children("comb:4", 0), 2);
  EXPECT_EQ(children("chain:4", 0), 1);
  const Model narrow = make_model("random:100:seed=1:branching=1:floating=1");
  for (std::size_t i = 0; i + 1 < 100; ++i) EXPECT_EQ(narrow.data().parent[i + 1], static_cast<int>(i));
}

TEST(Families, Ropes) {
  const Model rope = make_model("rope:4:dummy=1e-6:payload=5");
  ASSERT_EQ(rope.body_count(), 12);
  EXPECT_EQ(rope.body_name(0), "x1");
  EXPECT_EQ(rope.body_name(11), "segment4");
  EXPECT_EQ(rope.data().link[0].I.mass, 1e-6);
  EXPECT_EQ(rope.data().link[2].I.mass, 1);
  EXPECT_EQ(rope.data().link[11].I.mass, 6) << "the payload is fixed to the last segment";
  EXPECT_EQ(make_model("rope:4").data().link[1].I.mass, 1e-3);
  EXPECT_EQ(make_model("rope:4:dummy=0").data().link[1].I.mass, 0);
  const Model balls = make_model("rope:4:joints=spherical");
  EXPECT_EQ(balls.body_count(), 4);
  EXPECT_EQ(balls.nv(), 12);
  LoadOptions floating;
  floating.floating_base = true;
  EXPECT_EQ(make_model("rope:4", floating).body_count(), 10) << "the first segment has no dummy links";

  // at zero it hangs straight, 0.3 m per segment, and without torques stays so
  ForwardDynamics dynamics(rope);
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(12);
  Eigen::VectorXd a = Eigen::VectorXd::Constant(12, 7);
  ASSERT_TRUE(dynamics.solve(none, none, none, a).ok());
  EXPECT_LE(a.norm(), 1e-12);
}

TEST(Families, FloatingBase) {
  LoadOptions options;
  options.floating_base = true;
  for (const char* family : {"chain:4", "tree:2x3", "star:3x2", "comb:4", "rope:3", "random:9:seed=2"}) {
    const Model model = make_model(family, options);
    EXPECT_EQ(model.joint_name(0), "floating_base") << family;
    EXPECT_EQ(model.data().joint_type[0], JointType::floating) << family;
    EXPECT_EQ(model.data().roots.size(), 1u) << family;
  }
  EXPECT_EQ(make_model("star:3x2", options).body_count(), 7);  // the hub floats
}

TEST(Families, Parameters) {
  const Model heavy = make_model("chain:4:ratio=1000");
  EXPECT_EQ(heavy.data().link[0].I.mass, 1);
  EXPECT_EQ(heavy.data().link[1].I.mass, 1000);
  for (std::string_view type : joint_type_names)
    if (type != "fixed") {
      EXPECT_EQ(make_model("tree:2x3:joints=" + std::string(type)).data().joint_type[3], joint_type_named(type));
      EXPECT_EQ(make_model("random:5:seed=1:joints=" + std::string(type)).data().joint_type[3], joint_type_named(type));
    }
  const Model spread = make_model("random:500:seed=4:ratio=1e6:joints=revolute");
  for (const Link<double>& link : spread.data().link) {
    EXPECT_GE(link.I.mass, 1);
    EXPECT_LE(link.I.mass, 1e6);
  }
}

TEST(Families, GearsAndFourBars) {
  for (const char* text : {"geared:5", "geared:5:rotors=bodies"}) {
    const Model model = make_model(text);
    const ModelData& m = model.data();
    EXPECT_EQ(m.parent.size(), 10u) << text;
    ASSERT_EQ(m.aggregates.size(), 5u) << text;
    for (const Aggregate& a : m.aggregates) EXPECT_EQ(a.freedoms, 1) << text;
    EXPECT_EQ(m.couplings[3].terms[0].second, 1);
    EXPECT_EQ(m.couplings[3].terms[1].second, -50);
  }
  for (const char* text : {"geared:5:rotors=none", "geared:5:rotors=armature"}) {
    const Model model = make_model(text);
    const ModelData& m = model.data();
    EXPECT_EQ(m.parent.size(), 5u) << text;
    EXPECT_TRUE(m.aggregates.empty()) << text;
  }
  EXPECT_EQ(make_model("geared:5:rotors=armature").data().armature[4], 0.25);  // 50² times the rotor's
  const Model bars = make_model("fourbars:7");
  EXPECT_EQ(bars.body_count(), 21);
  ASSERT_EQ(bars.data().aggregates.size(), 7u);
  for (const Aggregate& a : bars.data().aggregates) EXPECT_EQ(a.freedoms, 1);
  const Model ring = make_model("ring:9");
  ASSERT_EQ(ring.data().aggregates.size(), 1u);
  EXPECT_EQ(ring.data().aggregates[0].freedoms, 7);
  Closure closure(ring.data());
  for (const double e : closure.errors(ring.data().aggregates[0], std::vector<double>(9, 0).data()))
    EXPECT_NEAR(e, 0, 1e-14);
  LoadOptions floating;
  floating.floating_base = true;
  EXPECT_EQ(make_model("ring:3", floating).body_count(), 4);
  EXPECT_EQ(make_model("geared:2", floating).body_count(), 5);
  EXPECT_EQ(make_model("fourbars:2", floating).body_count(), 7);
  EXPECT_EQ(make_model("fourbars:2", floating).joint_name(0), "floating_base");
}

/// Zero is closed, and from there the crank turns fully, upright again after a turn, without a singular configuration.
TEST(Families, FourBarsTurnFully) {
  const Model model = make_model("fourbars:2");
  const ModelData& m = model.data();
  Closure closure(m);
  std::vector<double> q(6, 0);
  for (const Aggregate& a : m.aggregates) {
    for (const double e : closure.errors(a, q.data())) EXPECT_NEAR(e, 0, 1e-15);
    double crank = 0, least = 1;
    for (int step = 0; step < 400; ++step) {
      std::vector<double> v(6, 0);
      v[static_cast<std::size_t>(m.v_index[static_cast<std::size_t>(a.bodies[0])])] = 1;
      closure.project_velocity(a, q.data(), v.data());
      const double rate = v[static_cast<std::size_t>(m.v_index[static_cast<std::size_t>(a.bodies[0])])];
      for (std::size_t k = 0; k < 6; ++k) q[k] += 0.02 * v[k] / rate;
      EXPECT_LE(closure.project(a, q.data()), 1e-14);
      EXPECT_EQ(rank_at(m, closure, a, q.data()).rank, 2);
      crank += 0.02, least = std::min(least, rate);
    }
    EXPECT_GT(crank, 6.3);
    EXPECT_GT(least, 0.1) << "the crank stands still";
  }
}

TEST(Families, RandomNumbersAreTheSameEverywhere) {
  // the first outputs of SplitMix64 from 0, as its authors' program prints them
  Random random(0);
  EXPECT_EQ(random.next(), 0xe220a8397b1dcdafULL);
  EXPECT_EQ(random.next(), 0x6e789e6aa1b965f4ULL);
  const Description a = make_description("random:40:seed=7"), b = make_description("random:40:seed=7"),
                    c = make_description("random:40:seed=8");
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  for (std::size_t k = 0; k < a.bodies.size(); ++k) {
    EXPECT_EQ(a.bodies[k].parent, b.bodies[k].parent);
    EXPECT_EQ(a.bodies[k].joint.origin.xyz, b.bodies[k].joint.origin.xyz);
  }
  EXPECT_NE(a.bodies[1].joint.origin.xyz, c.bodies[1].joint.origin.xyz);
}

TEST(Families, RandomTreesHoldEveryKindOfBodyAndAllAreValid) {
  std::set<JointType> types;
  int merged = 0, rods = 0, massless = 0, inner_floating = 0, grounds = 0;
  for (int seed = 0; seed < 300; ++seed) {
    const std::string text =
        "random:" + std::to_string(1 + seed % 90) + ":special=1:ratio=1000:seed=" + std::to_string(seed);
    const Model model = make_model(text);
    EXPECT_TRUE(model.findings().empty()) << text << ": " << to_string(model.findings().front());
    const ModelData& m = model.data();
    merged += static_cast<int>(m.frames.size() - m.parent.size());
    grounds += m.roots.size() > 1;
    for (std::size_t i = 0; i < m.parent.size(); ++i) {
      types.insert(m.joint_type[i]);
      massless += m.link[i].I.mass == 0;
      rods += m.link[i].I.mass > 0 && !m.may_cut[i];
      inner_floating += m.joint_type[i] == JointType::floating && m.parent[i] >= 0;
    }
  }
  EXPECT_EQ(types.size(), 9u);
  for (int count : {merged, rods, massless, inner_floating, grounds}) EXPECT_GT(count, 20);
}

TEST(Families, BadTextsAreToldWhatIsExpected) {
  struct Case {
    std::string text;
    std::vector<std::string> words;
  };
  const std::vector<Case> cases{
      {"chain:0", {"size \"0\"", "whole number >= 1", "expected chain:N"}},
      {"chain:", {"size \"\"", "expected chain:N"}},
      {"chain:3x", {"size \"3x\"", "expected chain:N"}},
      {"tree:2", {"size \"2\"", "expected tree:BxD"}},
      {"tree:2x3x4", {"size \"2x3x4\"", "expected tree:BxD"}},
      {"tree:10x20", {"20 million"}},
      {"chain:100000000000", {"makes 1e+11 bodies, which take 1.2e+05 GB of memory", "20 million", "24 GB"}},
      {"chain:99999999999999999999", {"makes more than 1e+15 bodies, which take more than 1.2e+09 GB of memory"}},
      {"tree:1x30000000", {"makes 30000000 bodies, which take 36 GB"}},
      {"star:4000000000x4000000000", {"more than 1e+15 bodies"}},
      {"chain:1e3", {"size \"1e3\"", "whole number"}},
      {"chain:-3", {"whole number"}},
      {"random:10:sed=3", {"\"sed=3\" is unknown", "seed=K"}},
      {"random:10", {"no seed"}},
      {"chain:5:ratio=0.5", {"ratio takes a number >= 1"}},
      {"chain:5:ratio=nan", {"ratio takes a number >= 1"}},
      {"chain:5:joints=hinge", {"joints takes the name of a movable joint type"}},
      {"chain:5:joints=fixed", {"movable"}},
      {"chain:5:ratio=2:ratio=3", {"\"ratio\" is given twice"}},
      {"random:5:seed=1:floating=yes", {"floating takes 0 or 1"}},
      {"geared:5:rotors=heavy", {"rotors takes bodies, armature or none", "expected geared:N"}},
      {"geared:5:rotors", {"rotors takes bodies"}},
      {"geared:5:ratio=3", {"\"ratio=3\" is unknown", "expected geared:N"}},
      {"geared:0", {"size \"0\"", "whole number >= 1"}},
      {"geared:12000000", {"20 million"}},
      {"fourbars:2x3", {"size \"2x3\"", "expected fourbars:N"}},
      {"fourbars:3:rotors=none", {"\"rotors=none\" is unknown", "expected fourbars:N"}},
      {"fourbars:3:joints=prismatic", {"\"joints=prismatic\" is unknown"}},
      {"fourbars:7000000", {"20 million"}},
      {"ring:2", {"has 2 links beside the ground; fewer than 3 can't move", "expected ring:N"}},
      {"ring:5:comb=1", {"\"comb=1\" is unknown", "expected ring:N"}},
      {"chain:3:rotors=none", {"\"rotors=none\" is unknown"}},
      {"rope:3:dummy=-1", {"dummy takes a mass >= 0", "expected rope:N"}},
      {"rope:3:payload=nan", {"payload takes a mass >= 0"}},
      {"rope:3:joints=revolute", {"joints takes spherical"}},
      {"rope:3:joints=spherical:dummy=1", {"dummy has no use with ball joints"}},
      {"rope:3:ratio=2", {"\"ratio=2\" is unknown"}},
      {"rope:8000000", {"20 million"}},
      {"chain:3:payload=2", {"\"payload=2\" is unknown"}},
      {"wheel:5", {"names no family", "chain:N"}},
      {"", {"names no family"}},
      {"chian:5", {"names no family; write chain if that is meant"}},
  };
  for (const Case& c : cases) {
    try {
      make_model(c.text);
      ADD_FAILURE() << c.text << " was not refused";
    } catch (const InputError& e) {
      const std::string said = e.what();
      for (const std::string& word : c.words) EXPECT_NE(said.find(word), std::string::npos) << said;
      EXPECT_EQ(e.findings()[0].element, "family \"" + c.text + "\"");
    }
  }
}

TEST(Families, Names) {
  EXPECT_TRUE(names_family("chain:1024"));
  EXPECT_TRUE(names_family("random:bad"));
  EXPECT_FALSE(names_family("chain"));
  EXPECT_FALSE(names_family("robot.urdf"));
  EXPECT_FALSE(names_family("C:\\robot.urdf"));
}

}  // namespace
}  // namespace kinetree::test
