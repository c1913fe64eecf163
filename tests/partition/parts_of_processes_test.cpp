// Limbs in lanes where several processes share out a tree.
#include <gtest/gtest.h>

#include <algorithm>
#include <kinetree/model.hpp>
#include <set>
#include <string>

#include "engine/algorithm/context.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/end_chains.hpp"
#include "engine/partition/limbs.hpp"
#include "engine/partition/part_modules.hpp"
#include "engine/partition/processes.hpp"
#include "engine/scalar/index.hpp"
#include "parallel/weighed_operations.hpp"

namespace kinetree {
namespace {

PartModules parts_over(const ModelData& model, int processes) {
  const int bodies = static_cast<int>(model.parent.size());
  const ModuleOptions options{.task_bodies = part_bodies(bodies, processes), .processes = processes};
  Parts parts;
  parts.limbs = limbs_that_pay(model, 8, {}, 0, processes_of_bodies(model, options));
  return modules_of_parts(model, parts, options);
}

/// Steps whose parent is another process's.
int crossings(const Modules& m) {
  return static_cast<int>(std::count_if(m.steps.begin(), m.steps.end(), [&](const Step& step) {
    return step.parent >= 0 && m.process_of(step) != m.process_of(m.steps[at(step.parent)]);
  }));
}

class PartsOfProcesses : public testing::TestWithParam<const char*> {};

TEST_P(PartsOfProcesses, HaveEveryBodyOnceAndGroupsBesideWhatTheyHangFrom) {
  const Model model = make_model(GetParam());
  const ModelData& m = model.data();
  for (const int processes : {2, 3, 4}) {
    const PartModules made = parts_over(m, processes);
    const Modules& modules = made.modules;
    std::vector<int> times(m.parent.size(), 0);
    const auto step_of = [&](int module) -> const Step& { return modules.steps[at(modules.modules[at(module)].step)]; };
    for (int k = 0; k < static_cast<int>(modules.modules.size()); ++k)
      outwards(modules, modules.modules[at(k)], [&](int i) {
        ++times[at(i)];
        EXPECT_EQ(modules.module_of[at(i)], k);
        const int p = m.parent[at(i)];
        if (p < 0 || modules.module_of[at(p)] == k) return;
        EXPECT_EQ(step_of(k).parent, modules.modules[at(modules.module_of[at(p)])].step) << "body " << i;
      });
    EXPECT_TRUE(std::all_of(times.begin(), times.end(), [](int count) { return count == 1; }));
    ASSERT_LE(made.limbs.size(), modules.modules.size());
    for (std::size_t k = 0; k < made.limbs.size(); ++k) {
      const Step& step = step_of(static_cast<int>(k));
      for (const std::vector<int>& place : made.limbs[k].body)
        for (const int i : place)
          EXPECT_TRUE(i < 0 || modules.process_of(step) == modules.process[at(modules.module_of[at(i)])]);
      EXPECT_GE(made.limbs[k].body.front().front(), 0) << "the first lane has a body everywhere";
      for (const std::vector<int>& place : made.limbs[k].body) EXPECT_GE(place.front(), 0);
    }
    for (std::size_t s = 0; s < modules.steps.size(); ++s)
      EXPECT_TRUE(modules.steps[s].parent < 0 || at(modules.steps[s].parent) > s) << "children come first";
  }
}

INSTANTIATE_TEST_SUITE_P(Families, PartsOfProcesses,
                         testing::Values("tree:2x8", "tree:4x4", "star:64x3", "star:16x5", "comb:32",
                                         "random:200:seed=3", "chain:20", "geared:16"));

/// Packs of an end chain, which are modules between cut joints.
TEST(PartsOfProcesses, SharePacksOfAChainOutInRounds) {
  const Model chain = make_model("chain:1003");
  for (const int processes : {1, 2, 3, 4, 8}) {
    Parts parts;
    parts.end_chains = find_end_chains(chain.data(), 8, 1000 / (8 * 2 * processes));
    ASSERT_EQ(parts.end_chains.all.size(), 1u);
    const EndChain& packs = parts.end_chains.all.front();
    const PartModules made = modules_of_parts(chain.data(), parts, {.processes = processes});
    const Modules& m = made.modules;
    ASSERT_EQ(m.modules.size(), at(packs.packs + 1)) << "and the bodies that are left over";
    ASSERT_EQ(m.cuts.size(), at(packs.packs));
    ASSERT_EQ(made.nodes.packs.size(), at(packs.packs));
    for (int k = 0; k < packs.packs; ++k) {
      const Module& own = m.modules[at(k)];
      EXPECT_EQ(own.base, packs.body_of(8 * k, 0));
      EXPECT_EQ(m.cuts[at(own.cut)].body, own.base);
      EXPECT_EQ(m.cuts[at(own.cut)].carried, k > 0);
      EXPECT_EQ(own.columns, k + 1 < packs.packs ? 5 : 0);
      EXPECT_EQ(m.steps[at(own.step)].size, own.columns + 5);
    }
    EXPECT_EQ(std::count_if(m.steps.begin(), m.steps.end(), [](const Step& s) { return s.module < 0; }),
              packs.packs - 1);
    if (processes == 1) continue;
    std::vector<int> own(at(processes), 0);
    for (const int process : m.process) ++own[at(process)];
    EXPECT_GE(*std::min_element(own.begin(), own.end()), 1);
    EXPECT_EQ(m.process.back(), 0) << "the rest";
    EXPECT_TRUE(std::is_sorted(m.process.begin(), m.process.end() - 1));
    EXPECT_EQ(crossings(m), processes - 1) << "each but the first hands over once";
  }
}

TEST(PartsOfProcesses, MeetAtFewSteps) {
  const Model tree = make_model("tree:2x12");
  const PartModules two = parts_over(tree.data(), 2);
  EXPECT_LE(crossings(two.modules), 8) << "about a subtree on each";
  const std::set<int> all(two.modules.process.begin(), two.modules.process.end());
  EXPECT_EQ(all, (std::set<int>{0, 1}));
  std::set<int> in_lanes;
  for (std::size_t k = 0; k < two.limbs.size(); ++k) in_lanes.insert(two.modules.process[k]);
  EXPECT_EQ(in_lanes, all) << "both have limbs in lanes";
}

}  // namespace
}  // namespace kinetree
