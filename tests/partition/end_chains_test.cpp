// Modules of chains side by side: the accelerations of the sweep over bodies one by one, whatever the chain hangs from.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/scalar/worst.hpp"
#include "model/every_joint_type.hpp"
#include "oracle/instruction_sets.hpp"
#include "oracle/mechanisms.hpp"

namespace kinetree::oracle {
namespace {

Method refined(int refinements) {
  Method method;
  method.algorithm = Algorithm::modular;
  method.refinements = refinements;
  return method;
}

struct Seen {
  double worst[3] = {};  ///< relative difference from bodies one by one, over refinements
  int chains = 0, packs = 0;
};

void compare(const Model& model, LaneSolver<double>& expected_by, LaneSolver<double>& solver, std::uint64_t seed,
             double& worst) {
  for (const bool forced : {false, true, false}) {
    const TestState s = random_state(model, ++seed);
    const Eigen::VectorXd expected = solve(expected_by, s, forced);
    const double error = (solve(solver, s, forced) - expected).norm() / expected.norm();
    EXPECT_TRUE(std::isfinite(error));
    keep_worst(worst, error);
  }
}

/// Over sets, widths, grains, and f_ext or none.
void compare(const Model& model, std::uint64_t seed, Seen& seen) {
  const auto expected_by = one_by_one(model);
  for (const InstructionSet set : sets())
    for (const int width : limb_widths(set))
      for (const int grain : {0, 2, 5}) {
        const EndChains chains = find_end_chains(model.data(), width, grain);
        if (chains.all.empty()) continue;
        seen.chains = std::max(seen.chains, static_cast<int>(chains.all.size()));
        for (const EndChain& chain : chains.all) seen.packs = std::max(seen.packs, chain.packs);
        for (const int refinements : {0, 1, 2}) {
          const auto solver = make_parts_solver<double>(set, model, refined(refinements), {{}, chains});
          compare(model, *expected_by, *solver, seed += 3, seen.worst[refinements]);
        }
      }
}

/// A trunk that branchs, from which chains of a repeated pattern of joints hang, of other numbers; and their stumps.
Model octopus(std::uint64_t seed, const std::vector<JointType>& types) {
  Random random(seed);
  Description d;
  d.name = "octopus";
  d.gravity = {1, -4, 8};
  const auto add = [&](const std::string& parent, JointType type) {
    d.bodies.push_back(random_body(random, "b" + std::to_string(d.bodies.size()), parent, type));
    return d.bodies.back().name;
  };
  const auto any = [&] { return types[static_cast<std::size_t>(random.below(static_cast<int>(types.size())))]; };
  std::string on = "world";
  if (seed % 3 > 0) on = add(on, JointType::floating), on = add(on, any());
  for (int arm = 0; arm < 1 + random.below(3); ++arm) {
    const JointType first = any(), second = seed % 2 ? first : any();
    std::string tip = on;
    const int bodies = 17 + random.below(40);
    for (int i = 0; i < bodies; ++i) tip = add(tip, (bodies - i) % 2 ? first : second);
  }
  return make_model(d);
}

TEST(EndChains, EqualBodiesOneByOne) {
  if (sets().empty()) GTEST_SKIP() << "this build has no packs";
  const std::vector<JointType> turns{JointType::revolute, JointType::continuous, JointType::prismatic};
  std::vector<JointType> all = moving_types();
  std::erase(all, JointType::floating);  // a chain has none
  Seen most;
  int with_end_chains = 0;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    Seen seen;
    compare(octopus(seed, seed % 2 ? turns : all), 100 * seed, seen);
    EXPECT_LE(seen.worst[0], 1e-10) << "seed " << seed;
    EXPECT_LE(seen.worst[1], 1e-12) << "seed " << seed;
    EXPECT_LE(seen.worst[2], 1e-12) << "seed " << seed;
    with_end_chains += seen.chains > 0;
    most.chains = std::max(most.chains, seen.chains);
    most.packs = std::max(most.packs, seen.packs);
  }
  EXPECT_GE(with_end_chains, 20);
  EXPECT_GE(most.chains, 2);
  EXPECT_GE(most.packs, 3);
}

TEST(EndChains, EqualBodiesOneByOneInFamilies) {
  if (sets().empty()) GTEST_SKIP() << "this build has no packs";
  for (const char* family :
       {"chain:64", "chain:131", "star:3x40", "rope:30", "rope:40:joints=spherical:payload=5", "chain:40:ratio=100"}) {
    Seen seen;
    compare(make_model(family), 4, seen);
    EXPECT_GT(seen.chains, 0) << family;
    EXPECT_LE(seen.worst[0], 1e-11) << family;
    EXPECT_LE(seen.worst[1], 1e-12) << family;
  }
}

std::string shown(const EndChains& chains) {
  std::string text;
  for (const EndChain& chain : chains.all)
    text += (text.empty() ? "" : " ") + std::to_string(chain.body.front()) + (chain.welds ? "w" : "+") +
            std::to_string(chain.packs) + "x" + std::to_string(chain.length());
  return text;
}

TEST(EndChains, AreWhatEndsInATip) {
  const auto of = [](const char* family, int width, int grain, double once = 0) {
    const auto pays = [&](const EndChain& chain) { return width * chain.length() > once; };
    return shown(find_end_chains(make_model(family).data(), width, grain, pays));
  };
  EXPECT_EQ(of("chain:100", 8, 0), "4+1x12") << "what does not come out even stays with the ground";
  EXPECT_EQ(of("chain:100", 4, 0), "0+1x25");
  EXPECT_EQ(of("chain:100", 4, 5), "0+5x5");
  EXPECT_EQ(of("chain:100", 4, 12), "4+2x12") << "the number of packs that comes nearest";
  EXPECT_EQ(of("chain:15", 8, 0), "") << "fewer than two bodies per module";
  EXPECT_EQ(of("chain:100", 8, 0, 8 * 11.9), "4+1x12") << "what modules save";
  EXPECT_EQ(of("chain:100", 8, 0, 8 * 12), "");
  EXPECT_EQ(of("star:2x20", 4, 0), "0+1x5 20+1x5");
  EXPECT_EQ(of("tree:2x6", 4, 0), "") << "nothing but short limbs";
  EXPECT_EQ(of("geared:40", 4, 0), "4w1x18") << "units with rotors; of the first no body inboard can be split";
  EXPECT_EQ(of("geared:41", 4, 3), "13w7x2") << "whole units";
  EXPECT_EQ(of("fourbars:17", 4, 0), "2w1x12");
  EXPECT_EQ(of("chain:33:armature=0.1", 8, 0), "1w1x4");
  EXPECT_EQ(of("chain:100:joints=prismatic", 4, 0), "") << "bodies that only slide";
  EXPECT_EQ(of("chain:100:joints=helical", 4, 0), "0+1x25");
  EXPECT_EQ(of("random:60:seed=2:branching=1:joints=mixed", 4, 0), "") << "modules differ in their joints";
  const EndChains chains = find_end_chains(make_model("chain:100").data(), 8, 0);
  EXPECT_EQ(std::count(chains.taken.begin(), chains.taken.end(), true), 96);
  EXPECT_EQ(chains.grain(), 12);
}

TEST(EndChains, LeaveOutWhatMayNotBeCut) {
  Description d = make_description("chain:64");
  d.bodies[20].joint.armature = 0.1;
  EXPECT_EQ(shown(find_end_chains(make_model(d).data(), 4, 0)), "0+1x16");
  d.bodies[32].joint.armature = 0.1;  // the base of a module
  EXPECT_EQ(shown(find_end_chains(make_model(d).data(), 4, 0)), "");
}

TEST(EndChains, AreTakenWhereTheyPayAndSayWhatFailed) {
  if (sets().empty()) GTEST_SKIP() << "this build has no packs";
  const int width = lane_width(instruction_set());
  const Model model = make_model("chain:1024");
  if (width < 4) {  // two modules with their columns take longer than two without
    const Options two{.algorithm = Algorithm::modular, .limbs = width};
    EXPECT_EQ(ForwardDynamics(model, two).plan().end_chains, 1);
    EXPECT_EQ(ForwardDynamics(model).plan().algorithm, Algorithm::ab);
    return;
  }
  ForwardDynamics named(model, {.algorithm = Algorithm::modular, .limbs = width});
  EXPECT_EQ(named.plan().end_chains, width);
  EXPECT_EQ(named.plan().grain, 1024 / width);
  EXPECT_EQ(named.plan().refinements, 1);
  ForwardDynamics again(model, named.plan());
  const TestState s = random_state(model, 3);
  Eigen::VectorXd a(model.nv()), b(model.nv());
  ASSERT_TRUE(named.solve(s.q, s.v, s.tau, a).ok());
  ASSERT_TRUE(again.solve(s.q, s.v, s.tau, b).ok());
  EXPECT_EQ(a, b) << "the plan that was told";
  EXPECT_LE((a - solve(*one_by_one(model), s, false)).norm(), 1e-12 * a.norm());
  const Plan automatic = ForwardDynamics(model).plan();
  if (width >= 8) {
    EXPECT_EQ(automatic.algorithm, Algorithm::modular);
    EXPECT_EQ(automatic.end_chains, width) << "the most, in a long chain";
    EXPECT_EQ(automatic.refinements, 1) << "no rule on the model's numbers tells where none would do";
    EXPECT_EQ(ForwardDynamics(make_model("chain:20000")).plan().algorithm, Algorithm::modular);
  } else {
    EXPECT_EQ(automatic.algorithm, Algorithm::ab) << "in four lanes modules take as long";
  }
  EXPECT_EQ(ForwardDynamics(model, {.refinements = 0}).plan().refinements, 0) << "but a caller may";
  EXPECT_EQ(ForwardDynamics(make_model("chain:4096:joints=prismatic")).plan().algorithm, Algorithm::ab);
  EXPECT_EQ(ForwardDynamics(model, {.limbs = 1}).plan().algorithm, Algorithm::ab);
  EXPECT_EQ(ForwardDynamics(make_model("chain:20")).plan().algorithm, Algorithm::ab);
  EXPECT_EQ(ForwardDynamics(make_model("chain:40000")).plan().algorithm, Algorithm::ab)
      << "memory is what it waits for";
  const Options short_chain{.algorithm = Algorithm::modular, .limbs = width};
  EXPECT_EQ(ForwardDynamics(make_model("chain:20"), short_chain).plan().end_chains, 1);

  TestState bad = s;
  bad.v[700] = std::nan("");
  const Status status = named.solve(bad.q, bad.v, bad.tau, b);
  EXPECT_EQ(status.code, StatusCode::not_finite);
  EXPECT_EQ(status.body, 700);
  EXPECT_TRUE(b.array().isNaN().all());
  ASSERT_TRUE(named.solve(s.q, s.v, s.tau, b).ok());
  EXPECT_EQ(a, b) << "bit by bit";

  const auto refused = [&](const Options& o) -> std::string {
    try {
      ForwardDynamics(model, o);
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(refused({.algorithm = Algorithm::modular, .limbs = 3}).find("limbs is 3"), std::string::npos);
  EXPECT_NE(refused({.algorithm = Algorithm::modular, .limbs = width, .formulation = Formulation::literal})
                .find("formulation literal"),
            std::string::npos);
}

}  // namespace
}  // namespace kinetree::oracle
