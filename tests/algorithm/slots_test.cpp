// Slots of contributions: none is overwritten before the parent has read it.
#include "engine/algorithm/slots.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "engine/algorithm/aggregate_node.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/make_modules.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/modules.hpp"
#include "oracle/mechanisms.hpp"

namespace kinetree::oracle {
namespace {

/// Plays a gather over the steps; returns the number of slots.
int play(const ModelData& m, const Modules& modules) {
  const SlotIndex slots(m, &modules);
  std::vector<int> holds(at(slots.count), -1);  // over slots: the body that wrote it
  const auto carried = [&](int i) {
    const int cut = modules.any_cut() ? modules.cut_of[at(i)] : -1;
    return cut >= 0 && modules.cuts[at(cut)].carried;
  };
  std::set<int> begun;  // aggregates of which a member has contributed
  for (const Step& step : modules.steps) {
    if (step.module < 0) continue;
    inwards(modules, modules.modules[at(step.module)], [&](int i) {
      for (const int node : m.nodes_of(i)) {
        EXPECT_EQ(holds[at(slots.of_body[node])], carried(node) ? -1 : node);
      }
      const int aggregate = aggregate_of(m, i);
      const int as = aggregate < 0 ? i : m.aggregates[at(aggregate)].bodies.front();
      const int slot = slots.of_body[as];
      EXPECT_EQ(slot == 0, carried(i)) << "the slot that stays zero";
      if (carried(i)) return;
      if (aggregate >= 0 && !begun.insert(aggregate).second) {
        EXPECT_EQ(holds[at(slot)], as) << "a sum that goes on";
      }
      holds[at(slot)] = as;
    });
  }
  return slots.count;
}

TEST(SlotIndex, NothingIsLost) {
  for (const char* family : {"chain:40", "tree:3x4", "comb:20", "star:6x5", "geared:12", "fourbars:5"})
    for (const int grain : {0, 1, 3, 8}) {
      const Model model = make_model(family);
      play(model.data(), make_modules(model.data(), {.grain = grain}));
    }
  for (int seed = 1; seed <= 40; ++seed) {
    const Model model = make_model("random:60:seed=" + std::to_string(seed));
    for (const int grain : {0, 1, 4, 15}) play(model.data(), make_modules(model.data(), {.grain = grain}));
  }
}

TEST(SlotIndex, APathTakesOne) {
  const Model chain = make_model("chain:1000"), star = make_model("star:7x30");
  EXPECT_EQ(play(chain.data(), make_modules(chain.data(), {})), 2) << "one beside that which stays zero";
  EXPECT_EQ(play(star.data(), make_modules(star.data(), {})), 8);
}

}  // namespace
}  // namespace kinetree::oracle
