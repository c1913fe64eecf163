// The picture of a run's tasks, held against what the serial modules take and against every way through the tree.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bench/pictures.hpp"
#include "bench/show/task_picture.hpp"
#include "parallel/prices.hpp"

namespace kinetree::bench {
namespace {

using namespace pictures;

struct Tasked {
  const char* model;
  int grain, threads;
  bool floating = false;
};

Method dial(int grain) {
  Method method;
  method.algorithm = Algorithm::modular, method.modules.grain = grain, method.refinements = 1;
  return method;
}

TEST(ShowTasks, WorkAndCriticalPathAreThoseOfTheTree) {
  for (const Tasked& c : {Tasked{"chain:256", 16, 4}, Tasked{"chain:2000", 5, 8}, Tasked{"tree:2x8", 4, 2},
                          Tasked{"random:200:seed=3", 3, 2}, Tasked{"comb:64", 1, 2}, Tasked{"fourbars:20", 3, 2},
                          Tasked{"star:8x16", 4, 2, true}, Tasked{"chain:3", 1, 2}}) {
    const Model model = make_model(c.model, {.floating_base = c.floating});
    const TaskGraph g = task_graph(model, dial(c.grain), c.threads);
    EXPECT_NEAR(g.work, operations(model, dial(c.grain)), 0.02 * g.work) << c.model;  // tasks split uncut parts
    EXPECT_EQ(g.serial, operations(model, Method{}));
    double deepest = 0, critical = 0;
    std::vector<int> on_level(g.tasks.levels.size());
    for (int t = 0; t < g.tasks.count(); ++t) {
      double way = 0;
      bool is = g.critical[at(t)];
      for (int s = t; s >= 0; s = g.tasks.parent[at(s)]) {
        way += g.in_order[at(s)];
        EXPECT_TRUE(!is || g.critical[at(s)]) << "the path goes on to the ground";
      }
      deepest = std::max(deepest, way);
      if (is) critical += g.in_order[at(t)];
      EXPECT_LE(g.operations[at(t)], g.in_order[at(t)] + g.at_once);
    }
    EXPECT_NEAR(g.depth, deepest + g.at_once, 1e-9 * g.depth) << c.model;
    EXPECT_NEAR(g.depth, critical + g.at_once, 1e-9 * g.depth) << c.model;
    EXPECT_LE(g.depth, g.level_depth * (1 + 1e-12));
    EXPECT_LE(g.level_depth, g.work * (1 + 1e-12));
    for (std::size_t level = 0; level < g.tasks.levels.size(); ++level)
      for (const int t : g.tasks.levels[level]) on_level[level] += g.critical[at(t)];
    EXPECT_LE(*std::max_element(on_level.begin(), on_level.end()), 1);
  }
}

TEST(ShowTasks, ThePictureHasEveryTaskAndThePath) {
  const Folder folder;
  ASSERT_EQ(run({"show", "chain:256", "--grain", "16", "--threads", "4", "--out", folder.path()}).status, 0);
  const TaskGraph g = task_graph(make_model("chain:256"), dial(16), 4);
  Picture picture(folder / "tasks.svg");
  const std::size_t count = at(g.tasks.count());
  EXPECT_EQ(picture.title(), "chain:256: 21 tasks on 4 threads, grain 16, cuts paths");
  EXPECT_EQ(picture["body"].size(), count);
  EXPECT_EQ(picture["arrow"].size(), count) << "each to its parent or the ground";
  EXPECT_EQ(picture["edge critical"].size(), g.tasks.levels.size());
  EXPECT_EQ(picture["edge"].size(), count - g.tasks.levels.size());
  double sum = 0;
  for (const auto* body : picture["body"]) {
    std::string digits = tooltip(*body);
    digits = digits.substr(digits.find(": ") + 2);
    digits.erase(std::remove(digits.begin(), digits.end(), ','), digits.end());
    sum += std::stod(digits);
  }
  EXPECT_NEAR(sum, g.work, double(count));
  ASSERT_EQ(run({"show", "chain:1", "--out", folder.path()}).status, 0);
  EXPECT_EQ(Picture(folder / "tasks.svg")["edge critical"].size(), 0u) << "one task has no path";
}

}  // namespace
}  // namespace kinetree::bench
