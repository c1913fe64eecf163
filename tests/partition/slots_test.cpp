// Slots of contributions: none is overwritten before the parent has read it.
#include <gtest/gtest.h>

#include <iterator>
#include <set>
#include <vector>

#include "engine/algorithm/context.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/make_modules.hpp"
#include "engine/partition/nodes.hpp"
#include "oracle/mechanisms.hpp"

namespace kinetree::oracle {
namespace {

/// Plays a gather over the steps; returns the number of slots.
int play(const ModelData& whole, const Modules& modules, const NodeOptions& options = {}) {
  const ModelData& m = modules.parts_of(whole);
  const NodeTable table = find_nodes(m, modules, options);
  std::vector<int> holds(at(table.slots), -1);  // over slots: the body that wrote it
  const auto carried = [&](int i) {
    const int cut = modules.any_cut() ? modules.cut_of[at(i)] : -1;
    return cut >= 0 && modules.cuts[at(cut)].carried;
  };
  // the contributions to body i, found by the tree alone: all children's, and of an embedded aggregate one.
  const auto gathers = [&](int i) {
    std::vector<int> expected;
    for (const int child : m.children_of(i)) {
      const int a = m.aggregates.empty() ? -1 : m.aggregate_of[at(child)];
      const bool embedded = a >= 0 && (options.multipliers.empty() || !options.multipliers[at(a)]);
      if (!embedded || m.aggregates[at(a)].bodies.front() == child) expected.push_back(child);
    }
    std::size_t k = 0;
    EXPECT_EQ(table.contributions_to(i).size(), expected.size());
    for (const int slot : table.contributions_to(i)) {
      const int child = expected.at(k++);
      EXPECT_EQ(slot, table.slot[at(child)]);
      EXPECT_EQ(holds[at(slot)], carried(child) ? -1 : child) << "body " << i;
    }
  };
  std::vector<bool> swept(m.parent.size(), false);
  const auto sweep = [&](int i) {
    EXPECT_FALSE(swept[at(i)]);
    for (const int child : m.children_of(i)) EXPECT_TRUE(swept[at(child)] || carried(child)) << "children first";
    swept[at(i)] = true;
  };
  for (std::size_t step = 0; step < modules.steps.size(); ++step) {
    const std::span<const Node> nodes = table.nodes_of(static_cast<int>(step));
    EXPECT_EQ(nodes.empty(), modules.steps[step].module < 0) << "a merge has no nodes";
    for (std::size_t n = nodes.size(); n-- > 0;) {
      const Node& node = nodes[n];
      const std::span<const Segment> segments = table.segments_of(node);
      const bool embedded = node.kind == Node::Kind::embedded;
      for (std::size_t s = segments.size(); s-- > 0;)
        for (int i = segments[s].last(); i >= segments[s].begin; --i) {
          sweep(i);
          gathers(i);
          const int slot = table.slot[at(i)], first = node.segment.begin;
          if (embedded) {
            holds[at(table.slot[at(first)])] = first;
            EXPECT_EQ(slot == 0, i != first);
            continue;
          }
          EXPECT_EQ(slot == 0, carried(i)) << "the slot that stays zero";
          if (!carried(i)) holds[at(slot)] = i;
        }
    }
  }
  for (std::size_t i = 0; i < swept.size(); ++i) EXPECT_TRUE(swept[i]) << "each body is in a node";
  return table.slots;
}

/// Two threads that write to one line of the cache at each body wait for each other.
TEST(Slots, LongModulesShareNoLine) {
  const Model model = make_model("chain:256");
  constexpr int line = 64;  // bytes
  const Modules modules = make_modules(model.data(), {.grain = 64});
  const NodeTable table = find_nodes(model.data(), modules, {});
  std::set<int> slots(table.slot.begin(), table.slot.end());
  slots.erase(0);
  ASSERT_EQ(slots.size(), 4u);
  for (auto next = std::next(slots.begin()); next != slots.end(); ++next)
    EXPECT_GE((*next - *std::prev(next) - 1) * 6 * 8, line) << "biases, of six numbers";
  std::set<int> columns;
  for (const Module& m : modules.modules)
    if (m.columns > 0) columns.insert(m.lambda);
  ASSERT_EQ(columns.size(), 3u);
  for (auto next = std::next(columns.begin()); next != columns.end(); ++next)
    EXPECT_GE((*next - *std::prev(next) - 5) * 8, line) << "five numbers each";
  EXPECT_EQ(find_nodes(make_model("tree:2x6").data(), make_modules(make_model("tree:2x6").data(), {}), {}).slots, 33)
      << "short paths stand together";
}

TEST(Slots, NothingIsLost) {
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

TEST(Slots, NothingIsLostByMultipliers) {
  for (const char* family : {"geared:6", "fourbars:6"}) {
    const Model model = make_model(family);
    const std::size_t aggregates = model.data().aggregates.size();
    for (const std::vector<bool>& some : {std::vector<bool>(aggregates, true), [&] {
                                            std::vector<bool> others(aggregates, false);
                                            for (std::size_t a = 0; a < aggregates; a += 2) others[a] = true;
                                            return others;
                                          }()})
      for (const int grain : {0, 1})
        play(model.data(), make_modules(model.data(), {.grain = grain}), {.multipliers = some});
  }
}

TEST(Slots, APathTakesOne) {
  const Model chain = make_model("chain:1000"), star = make_model("star:7x30");
  EXPECT_EQ(play(chain.data(), make_modules(chain.data(), {})), 2) << "one beside that which stays zero";
  EXPECT_EQ(play(star.data(), make_modules(star.data(), {})), 8);
}

}  // namespace
}  // namespace kinetree::oracle
