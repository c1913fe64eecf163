// Jain 2012, graph transformations I, Sec. 3: subgraphs and the parts that they leave (Eq. 21, Cor. 3.1, Lemma 1).
#include <kinetree/sko/partition.hpp>

#include "sko/jain2012_trees.hpp"

namespace kinetree::sko {
namespace {

TEST(Jain2012Subgraphs, InducedAndPathInducedAreTheSmallest) {  // Eq. 21
  Random random(5);
  for (int number = 0; number < random_trees; ++number) {
    const Digraph digraph = random_digraph(random, 8);
    const Subgraph s = random_subgraph(random, digraph);
    const Booleans paths = paths_of(digraph);
    const Subgraph s_i = induced(digraph, s), s_p = path_induced(digraph, s);
    EXPECT_TRUE(contains(s_i, s) && contains(s_p, s_i)) << number;
    EXPECT_EQ(s_i.nodes, s.nodes);
    for (const Edge e : digraph.edges()) {
      const auto between = [&](const Nodes& nodes) { return has(nodes, e.parent) && has(nodes, e.child); };
      const auto in = [&](const Subgraph& g) { return std::binary_search(g.edges.begin(), g.edges.end(), e); };
      EXPECT_EQ(in(s_i), between(s.nodes));
      EXPECT_EQ(in(s_p), between(s_p.nodes));
    }
    EXPECT_TRUE(is_path_induced(paths, s_p.nodes));
    // the smallest: without any node added it is not
    for (const int k : s_p.nodes) {
      Nodes less = s_p.nodes;
      std::erase(less, k);
      EXPECT_TRUE(has(s.nodes, k) || !is_path_induced(paths, less));
    }
    EXPECT_EQ(path_induced(digraph, s_p), s_p);
  }
}

TEST(Jain2012Subgraphs, PathInducedOnesHoldWholeLoops) {  // Cor. 3.1
  Random random(6);
  int cycles = 0, pairs = 0;
  for (int number = 0; number < random_trees; ++number) {
    const Digraph digraph = random_digraph(random, 7);
    const Subgraph s = path_induced(digraph, random_subgraph(random, digraph));
    const Booleans paths = paths_of(digraph);
    // 1. cycles through an edge of S: every node on a way from its child back to its parent
    for (const Edge e : s.edges)
      for (int x = 0; x < digraph.size(); ++x)
        if ((paths(e.child, x) || e.child == x) && (paths(x, e.parent) || e.parent == x)) {
          EXPECT_TRUE(has(s.nodes, x)) << number;
          ++cycles;
        }
    // 2. all paths between two multiply-connected nodes of S
    Nodes path;
    for (const int j : s.nodes)
      for (const int k : s.nodes) {
        if (simple_paths(digraph, j, k, path) < 2) continue;
        for (int x = 0; x < digraph.size(); ++x)
          EXPECT_TRUE(has(s.nodes, x) || !(paths(j, x) && paths(x, k))) << number;
        ++pairs;
      }
  }
  EXPECT_GT(cycles, 1000);
  EXPECT_GT(pairs, 1000);
}

void expect_partition(const Partition& p, const Booleans& paths, const Nodes& inner) {
  EXPECT_EQ(p.inner, inner);
  for (int k = 0; k < paths.rows(); ++k) {
    const bool below = std::any_of(inner.begin(), inner.end(), [&](int s) { return paths(s, k); });
    EXPECT_EQ(has(p.child, k), below && !has(inner, k));
    EXPECT_EQ(has(p.parent, k), !below && !has(inner, k));
  }
  EXPECT_TRUE(is_path_induced(paths, p.child));
  EXPECT_TRUE(is_path_induced(paths, p.parent));
}

TEST(Jain2012Subgraphs, ChildAndParentPartsArePathInduced) {  // Lemma 1
  Random random(7);
  int refused = 0, no_child = 0, no_parent = 0;
  for (int number = 0; number < random_trees; ++number) {
    const Tree tree = random_tree_of(random, 24);
    const Digraph standard = standard_digraph(tree), any = random_digraph(random, 8);
    const Booleans tree_paths = paths_of(standard), any_paths = paths_of(any);
    for (int draw = 0; draw < 5; ++draw) {
      SCOPED_TRACE(number);
      const Nodes nodes = random_nodes(random, tree.size());
      if (is_path_induced(tree_paths, nodes)) {
        const Partition p = partition(standard, nodes);
        expect_partition(p, tree_paths, nodes);
        // without the inertial node, by a scatter
        Partition q = partition(tree, nodes);
        q.parent.push_back(tree.size());
        EXPECT_EQ(q.order(), p.order());
        no_child += p.child.empty(), no_parent += p.parent.size() == 1;
        // parts again, with empty ones
        for (const Nodes& part : {p.child, p.parent, Nodes{}})
          expect_partition(partition(standard, part), tree_paths, part);
      } else {
        EXPECT_THROW(partition(tree, nodes), std::invalid_argument);
        EXPECT_THROW(partition(standard, nodes), std::invalid_argument);
        ++refused;
      }
      const Nodes inner = path_induced(any, induced(any, random_nodes(random, any.size()))).nodes;
      expect_partition(partition(any, inner), any_paths, inner);
      if (HasFailure()) return;
    }
  }
  for (const int seen : {refused, no_child, no_parent}) EXPECT_GT(seen, 100);
  const Tree chain({1, 2, -1}, {"tip", "middle", "base"});
  EXPECT_TRUE(says(message_of<std::invalid_argument>([&] { partition(chain, {0, 2}); }), "passes middle"));
}

}  // namespace
}  // namespace kinetree::sko
