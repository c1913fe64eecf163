// What pictures are made of: text that is XML, places of nodes, merged blocks, colours.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "bench/show/colours.hpp"
#include "bench/show/matrix_picture.hpp"
#include "bench/show/mechanism.hpp"
#include "bench/show/svg.hpp"
#include "bench/show/tree_layout.hpp"
#include "engine/model/random.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::bench {
namespace {

TEST(ShowParts, XmlTextIsWellFormedForAnyBytes) {
  EXPECT_EQ(xml_text("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&apos;");
  EXPECT_EQ(xml_text("\xC3\xA9\xE2\x82\xAC\xF0\x9F\xA6\xBE"), "\xC3\xA9\xE2\x82\xAC\xF0\x9F\xA6\xBE");
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_EQ(xml_text("\xFF"), bad);
  EXPECT_EQ(xml_text("\xC3"), bad);
  EXPECT_EQ(xml_text("\xC0\xAF"), bad + bad);            // overlong
  EXPECT_EQ(xml_text("\xED\xA0\x80"), bad + bad + bad);  // a surrogate
  EXPECT_EQ(xml_text(std::string("\0\x1F", 2)), bad + bad);
  EXPECT_EQ(xml_text("\xEF\xBF\xBE"), bad);
  EXPECT_EQ(shortened("abcdefghij", 5), "ab\xE2\x80\xA6ij");
  EXPECT_EQ(shortened("\xC3\xA9\xC3\xA9\xC3\xA9", 3), "\xC3\xA9\xC3\xA9\xC3\xA9");
}

TEST(ShowParts, LeavesSpreadAndParentsStandInTheMiddle) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    const int n = 1 + static_cast<int>(random.uniform(0, 40));
    std::vector<int> parent(at(n), -1);
    for (int k = 0; k + 1 < n; ++k)
      if (random.uniform(0, 1) < 0.95) parent[at(k)] = k + 1 + static_cast<int>(random.uniform(0, n - k - 1));
    const sko::Tree tree(parent);
    const TreeLayout layout = lay_out(tree);
    std::set<double> leaf_rows;
    for (int k = 0; k < n; ++k) {
      const auto children = tree.children(k);
      EXPECT_EQ(layout.layer[at(k)], static_cast<int>(tree.path_up(k, -1).size()));
      if (children.empty()) {
        EXPECT_TRUE(leaf_rows.insert(layout.row[at(k)]).second);
        continue;
      }
      double low = 1e9, high = -1e9;
      for (const int c : children) low = std::min(low, layout.row[at(c)]), high = std::max(high, layout.row[at(c)]);
      EXPECT_EQ(layout.row[at(k)], (low + high) / 2);
    }
    EXPECT_EQ(*leaf_rows.begin(), 0);
    EXPECT_EQ(*leaf_rows.rbegin(), layout.rows - 1);
    EXPECT_EQ(leaf_rows.size(), at(layout.rows));
    // nodes of one layer stand apart
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b)
        if (!tree.related(a, b) && layout.layer[at(a)] == layout.layer[at(b)]) {
          EXPECT_NE(layout.row[at(a)], layout.row[at(b)]);
        }
  }
}

TEST(ShowParts, MergedAreasCoverExactlyTheBlocks) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const int n = static_cast<int>(random.uniform(0, 12));
    std::vector<std::vector<int>> kind(at(n), std::vector<int>(at(n)));
    for (auto& row : kind)
      for (int& k : row) k = static_cast<int>(random.uniform(0, 3)) - 1;
    std::vector<std::vector<int>> drawn(at(n), std::vector<int>(at(n), -1));
    for (const BlockArea& a : merge_blocks(n, [&](int i, int j) { return kind[at(i)][at(j)]; }))
      for (int i = a.row; i < a.row + a.rows; ++i)
        for (int j = a.column; j < a.column + a.columns; ++j) {
          EXPECT_EQ(drawn[at(i)][at(j)], -1);
          drawn[at(i)][at(j)] = a.kind;
        }
    EXPECT_EQ(drawn, kind);
  }
  EXPECT_EQ(merge_blocks(50, [](int, int) { return 0; }).size(), 1u);
}

TEST(ShowParts, NeighbouringGroupsHaveDifferentColours) {
  for (const char* family : {"tree:6x4", "tree:2x7", "star:30x2", "random:300:seed=2"}) {
    const sko::Tree tree = Mechanism(make_model(family)).tree;
    const std::vector<std::size_t> colour = tell_apart(tree);
    const auto expect_apart = [&](std::span<const int> siblings) {
      for (std::size_t s = 1; s < siblings.size(); ++s) EXPECT_NE(colour[at(siblings[s])], colour[at(siblings[s - 1])]);
    };
    expect_apart(tree.roots());
    for (int k = 0; k < tree.size(); ++k) {
      EXPECT_LT(colour[at(k)], palette.size());
      if (tree.parent(k) >= 0) {
        EXPECT_NE(colour[at(k)], colour[at(tree.parent(k))]);
      }
      expect_apart(tree.children(k));
    }
  }
}

}  // namespace
}  // namespace kinetree::bench
