// The modules that a ForwardDynamics shows are those it solves in.
#include <gtest/gtest.h>

#include <set>

#include "engine/algorithm/lanes/instruction_set.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/make_modules.hpp"
#include "library/planner.hpp"
#include "oracle/plans.hpp"

namespace kinetree::oracle {
namespace {

std::vector<int> bodies_of(const Modules& modules, const Module& module) {
  std::vector<int> bodies;
  for (int r = module.first_range; r < module.last_range; ++r)
    for (int i = modules.ranges[static_cast<std::size_t>(r)].begin; i < modules.ranges[static_cast<std::size_t>(r)].end;
         ++i)
      bodies.push_back(i);
  return bodies;
}

/// Every body is in one module, which hangs together; a module's base is its only cut joint.
void expect_partition(const ModelData& whole, const Modules& modules) {
  const ModelData& m = modules.parts_of(whole);
  std::set<int> seen, cut;
  for (const CutJoint& c : modules.cuts) cut.insert(c.body);
  EXPECT_EQ(cut.size(), modules.cuts.size());
  for (std::size_t k = 0; k < modules.modules.size(); ++k) {
    const Module& module = modules.modules[k];
    for (const int i : bodies_of(modules, module)) {
      EXPECT_TRUE(seen.insert(i).second) << "body " << i << " twice";
      EXPECT_EQ(modules.module_of[static_cast<std::size_t>(i)], static_cast<int>(k));
      if (i == module.base) continue;
      EXPECT_EQ(cut.count(i), 0u);
      if (m.parent[static_cast<std::size_t>(i)] < 0) continue;  // another root of an aggregate
      EXPECT_EQ(modules.module_of[static_cast<std::size_t>(m.parent[static_cast<std::size_t>(i)])],
                static_cast<int>(k));
    }
    EXPECT_EQ(module.cut >= 0, cut.count(module.base) > 0);
  }
  EXPECT_EQ(seen.size(), m.parent.size());
}

TEST(Modules, OfChainsThatGoSideBySideAreShown) {
  for (const int width : limb_widths(instruction_set())) {
    if (width < 4) continue;  // two modules do not pay
    const Options o{.algorithm = Algorithm::modular, .limbs = width};
    const ForwardDynamics chain(make_model("chain:512"), o);
    ASSERT_EQ(chain.plan().end_chains, width);
    EXPECT_EQ(chain.modules()->modules.size(), static_cast<std::size_t>(width));
    EXPECT_EQ(chain.modules()->cuts.size(), static_cast<std::size_t>(width));
    for (const char* family : {"chain:512", "chain:1003", "star:3x333", "comb:40", "random:300:seed=2", "tree:2x4"}) {
      const Model model = make_model(family);
      const ForwardDynamics dynamics(model, o);
      ASSERT_NE(dynamics.modules(), nullptr);
      const Modules& modules = *dynamics.modules();
      expect_partition(model.data(), modules);
      const EndChains chains = replay(model, dynamics.plan()).parts.end_chains;
      if (chains.all.empty()) continue;
      std::set<int> expected, shown;
      for (const EndChain& chain : chains.all)
        for (int k = 0; k < chain.packs * width; ++k) expected.insert(chain.body_of(k, 0));
      for (const CutJoint& c : modules.cuts) shown.insert(c.body);
      EXPECT_EQ(shown, expected) << family;
    }
  }
  const Model long_star = make_model("star:3x333");
  const ForwardDynamics automatic(long_star);
  if (automatic.plan().algorithm == Algorithm::modular) {
    EXPECT_EQ(automatic.modules()->cuts.size(), 3u * static_cast<std::size_t>(automatic.plan().end_chains));
  }
}

/// How schedulers split them does not show, and two modules are merged over every joint whose force one carries.
TEST(Modules, OfTheDialAreShownAsTheyAreCut) {
  for (const char* family : {"chain:64", "chain:67", "tree:2x7", "comb:30", "random:200:seed=5:floating=1", "geared:20",
                             "fourbars:9", "fourbars:4:comb=1", "chain:40:armature=1"}) {
    const Model model = make_model(family);
    for (const Cuts cuts : {Cuts::paths, Cuts::main})
      for (const int grain : {1, 3, 8}) {
        const Modules expected = make_modules(model.data(), {.grain = grain, .cuts = cuts});
        for (const int threads : {1, 2}) {
          const ForwardDynamics dynamics(
              model, {.algorithm = Algorithm::modular, .threads = threads, .grain = grain, .cuts = cuts});
          const Modules& modules = *dynamics.modules();
          expect_partition(model.data(), modules);
          EXPECT_EQ(modules.modules.size(), expected.modules.size()) << family << ", grain " << grain;
          EXPECT_EQ(modules.cuts.size(), expected.cuts.size());
          std::size_t carried = 0;
          for (const CutJoint& c : modules.cuts) carried += c.carried;
          EXPECT_EQ(carried, modules.steps.size() - modules.modules.size());
        }
      }
  }
  const ForwardDynamics in_tasks(make_model("tree:2x8"), {.algorithm = Algorithm::ab, .threads = 2});
  EXPECT_EQ(in_tasks.modules()->modules.size(), 1u);
}

}  // namespace
}  // namespace kinetree::oracle
