// Where bodies hand on what they have gathered: nobody's is overwritten before its parent has read it.
#include "engine/algorithm/handed.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "engine/algorithm/aggregate_node.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/modules.hpp"
#include "oracle/mechanisms.hpp"

namespace kinetree::oracle {
namespace {

/// Plays a gather over the steps; returns the number of places.
int play(const ModelData& m, const Modules& modules) {
  const HandingPlaces places(m, &modules);
  std::vector<int> holds(at(places.count), -1);  // over places: whose it is
  const auto carried = [&](int i) {
    const int cut = modules.any_cut() ? modules.cut_of[at(i)] : -1;
    return cut >= 0 && modules.cuts[at(cut)].carried;
  };
  std::set<int> begun;  // aggregates of which a member has handed on
  for (const Step& step : modules.steps) {
    if (step.module < 0) continue;
    inwards(modules, modules.modules[at(step.module)], [&](int i) {
      for (const int node : m.nodes_of(i)) {
        EXPECT_EQ(holds[at(places.of_body[node])], carried(node) ? -1 : node);
      }
      const int aggregate = aggregate_of(m, i);
      const int as = aggregate < 0 ? i : m.aggregates[at(aggregate)].bodies.front();
      const int place = places.of_body[as];
      EXPECT_EQ(place == 0, carried(i)) << "the place that stays zero";
      if (carried(i)) return;
      if (aggregate >= 0 && !begun.insert(aggregate).second) {
        EXPECT_EQ(holds[at(place)], as) << "a sum that goes on";
      }
      holds[at(place)] = as;
    });
  }
  return places.count;
}

TEST(HandingPlaces, NothingIsLost) {
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

TEST(HandingPlaces, APathNeedsOne) {
  const Model chain = make_model("chain:1000"), star = make_model("star:7x30");
  EXPECT_EQ(play(chain.data(), make_modules(chain.data(), {})), 2) << "one beside that which stays zero";
  EXPECT_EQ(play(star.data(), make_modules(star.data(), {})), 8);
}

}  // namespace
}  // namespace kinetree::oracle
