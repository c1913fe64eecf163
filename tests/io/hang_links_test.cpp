// Links hung into trees: random graphs against a count of what is connected.
#include "engine/io/hang_links.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "engine/model/random.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
namespace {

TEST(HangLinks, EachLinkHangsFromTheWorldWhereItIsConnectedWithIt) {
  Random random(1);
  int turned = 0, loops = 0, floating = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const auto below = [&](int n) { return static_cast<int>(random.uniform(0, 1) * n) % n; };
    const int links = 1 + below(8), count = below(11);
    std::vector<LinkEdge> edges;
    while (static_cast<int>(edges.size()) < count) {
      const LinkEdge edge{below(links + 1) - 1, below(links)};
      if (edge.parent != edge.child) edges.push_back(edge);
    }
    const std::vector<LinkEdge> given = edges;
    const std::vector<int> held_by = hang_links(edges, links);
    // what is connected, the world being the last
    std::vector<int> group(at(links + 1));
    std::iota(group.begin(), group.end(), 0);
    const auto find = [&](int k) {
      while (group[at(k)] != k) k = group[at(k)];
      return k;
    };
    const auto place = [&](int link) { return link < 0 ? links : link; };
    for (const LinkEdge& e : given) group[at(find(place(e.parent)))] = find(place(e.child));
    int groups = 0;
    for (int k = 0; k <= links; ++k) groups += find(k) == k;
    EXPECT_EQ(std::ranges::count(held_by, -1), groups - 1) << "one link floats in each group but the world's";
    for (int k = 0; k < links; ++k) {
      int top = k, steps = 0;
      for (; top >= 0 && held_by[at(top)] >= 0 && steps <= links; ++steps) {
        EXPECT_EQ(edges[at(held_by[at(top)])].child, top);
        top = edges[at(held_by[at(top)])].parent;
      }
      EXPECT_LE(steps, links) << "a cycle";
      EXPECT_EQ(top < 0, find(k) == find(links));
    }
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const bool same = edges[e].parent == given[e].parent && edges[e].child == given[e].child;
      EXPECT_EQ(edges[e].turned, !same);
      EXPECT_EQ(edges[e].in_tree, std::ranges::count(held_by, static_cast<int>(e)) == 1);
      turned += edges[e].turned, loops += !edges[e].in_tree;
    }
    floating += static_cast<int>(std::ranges::count(held_by, -1));
  }
  EXPECT_GT(turned, 500);
  EXPECT_GT(loops, 500);
  EXPECT_GT(floating, 500);
}

/// Where each link has one parent nothing is turned.
TEST(HangLinks, TreesStayAsTheyAre) {
  std::vector<LinkEdge> edges{{2, 1}, {-1, 2}, {1, 0}};
  EXPECT_EQ(hang_links(edges, 3), (std::vector<int>{2, 0, 1}));
  for (const LinkEdge& e : edges) EXPECT_TRUE(e.in_tree && !e.turned);
}

}  // namespace
}  // namespace kinetree::inline inner
