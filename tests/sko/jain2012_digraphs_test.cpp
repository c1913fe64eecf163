// Jain 2012, graph transformations I, Sec. 2.1: digraphs and what they are called; and the diagnosis of Jain 2011,
// Sec. 8.2. The operators are in jain2012_trees_models_test.cpp.
#include <Eigen/Dense>

#include "sko/jain2012_trees.hpp"

namespace kinetree::sko {
namespace {

// ---- Sec. 2.1: digraphs --------------------------------------------------------------------------------------------

TEST(Jain2012Digraphs, TaxonomyIsThatOfTheDefinitions) {
  Random random(1);
  int cyclic = 0, multiple = 0, trees = 0, chains = 0, forests = 0, rooted = 0, polytrees = 0;
  for (int number = 0; number < 4000; ++number) {
    const Digraph digraph = random_digraph(random, 6);
    SCOPED_TRACE(number);
    const int n = digraph.size();
    const Booleans S = edges_of(digraph), paths = paths_of(digraph);
    Booleans around = S || S.transpose();
    for (int via = 0; via < n; ++via)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k) around(j, k) = around(j, k) || (around(j, via) && around(via, k));
    const auto reaches_all = [&](int j) {
      for (int k = 0; k < n; ++k)
        if (k != j && !paths(j, k)) return false;
      return true;
    };
    const auto expect_connected = [&] {
      for (int k = 1; k < n; ++k)
        if (!around(0, k)) return false;
      return true;
    }();
    Nodes roots, path;
    int most_parents = 0, most_children = 0, most_paths = 0;
    for (int k = 0; k < n; ++k) {
      const int parents = static_cast<int>(S.col(k).count());
      if (parents == 0) roots.push_back(k);
      most_parents = std::max(most_parents, parents);
      most_children = std::max(most_children, static_cast<int>(S.row(k).count()));
      for (int j = 0; j < n; ++j) most_paths = std::max(most_paths, simple_paths(digraph, j, k, path));
    }
    const Taxonomy t = taxonomy(digraph);
    EXPECT_EQ(t.acyclic, !paths.diagonal().any());
    EXPECT_EQ(t.connected, expect_connected);
    EXPECT_EQ(t.rooted, roots.size() == 1 && reaches_all(roots[0]));
    EXPECT_EQ(t.multiply_connected, most_paths > 1);
    EXPECT_EQ(t.dag, t.connected && t.acyclic);
    EXPECT_EQ(t.polytree, t.dag && most_paths <= 1);
    EXPECT_EQ(t.tree, t.polytree && most_parents <= 1);
    EXPECT_EQ(t.serial_chain, t.tree && most_children <= 1);
    EXPECT_EQ(t.forest, t.acyclic && most_parents <= 1);
    // what the paper says of the kinds
    if (t.tree) {
      EXPECT_EQ(digraph.roots().size(), 1u);
    }
    if (t.forest) {
      EXPECT_EQ(static_cast<int>(digraph.edges().size() + digraph.roots().size()), n);
    }
    EXPECT_EQ(t.forest, diagnose(digraph).clean());
    cyclic += !t.acyclic, multiple += t.multiply_connected, trees += t.tree, chains += t.serial_chain;
    forests += t.forest && !t.tree, rooted += t.rooted && !t.tree, polytrees += t.polytree && !t.tree;
    if (HasFailure()) return;
  }
  for (const int seen : {cyclic, multiple, trees, chains, forests, rooted, polytrees}) EXPECT_GT(seen, 50);
}

TEST(Jain2012Digraphs, SpanningTreesKeepNodesAndLeaveCutEdges) {
  Random random(2);
  int spanned = 0;
  for (int number = 0; number < 1000; ++number) {
    const Digraph digraph = random_digraph(random, 8);
    if (!taxonomy(digraph).rooted) {
      EXPECT_THROW(spanning_tree(digraph), std::invalid_argument);
      continue;
    }
    const SpanningTree s = spanning_tree(digraph);
    std::vector<std::string> names;
    for (int k = 0; k < digraph.size(); ++k) names.push_back(digraph.name(k));
    EXPECT_TRUE(taxonomy(Digraph(names, s.tree)).tree);
    std::vector<Edge> all = s.tree;
    all.insert(all.end(), s.cut.begin(), s.cut.end());
    EXPECT_EQ(Digraph(names, all), digraph);
    ++spanned;
  }
  EXPECT_GT(spanned, 100);
}

TEST(Jain2012Digraphs, ErrorsNameWhatIsWrong) {
  EXPECT_TRUE(says(message_of<std::invalid_argument>([] { named({"a", "b"}, {{0, 2}}); }), "from node 0 to 2"));
  EXPECT_TRUE(says(message_of<std::invalid_argument>([] {
                     named({"a", "b"}, {{0, 1}, {0, 1}});
                   }),
                   "two edges from a to b"));
  EXPECT_TRUE(says(message_of<std::invalid_argument>([] {
                     spanning_tree(named({"a", "b", "c"}, {{0, 1}}));
                   }),
                   "here are 2: a, c"));
  EXPECT_TRUE(says(message_of<std::invalid_argument>([] {
                     spanning_tree(named({"a", "b", "c"}, {{1, 2}, {2, 1}}));
                   }),
                   "from the root a to b"));
}

// ---- Jain 2011, Sec. 8.2 -------------------------------------------------------------------------------------------

TEST(Jain2012Digraphs, DirectedCyclesAreNamed) {
  const Digraph four = named({"base", "crank", "coupler", "rocker"}, {{0, 1}, {1, 2}, {2, 3}, {3, 1}});
  const Diagnosis d = diagnose(four);
  EXPECT_EQ(d.cycles, (std::vector<Nodes>{{1, 2, 3}}));
  EXPECT_EQ(d.multiply_connected, Nodes{1});
  EXPECT_TRUE(says(message_of<NotATree>([&] { tree_of(four); }), "directed cycle crank -> coupler -> rocker -> crank",
                   "node crank is multiply connected, its parents are base, rocker"));
  // no root leads here, and a node that is its own parent
  EXPECT_EQ(diagnose(named({"a", "b"}, {{0, 1}, {1, 0}})).cycles, (std::vector<Nodes>{{0, 1}}));
  EXPECT_TRUE(says(message_of<NotATree>([] { tree_of(named({"a"}, {{0, 0}})); }), "directed cycle a -> a"));
  EXPECT_FALSE(canonical(named({"a"}, {{0, 0}})));
}

TEST(Jain2012Digraphs, MultiplyConnectedNodesAreNamedWithTheirParents) {
  const Digraph loop = named({"world", "left", "right", "tool"}, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  const Diagnosis d = diagnose(loop);
  EXPECT_TRUE(d.cycles.empty());
  EXPECT_EQ(d.multiply_connected, Nodes{3});
  EXPECT_TRUE(says(message_of<NotATree>([&] { tree_of(loop); }),
                   "node tool is multiply connected, its parents are left, right"));
}

TEST(Jain2012Digraphs, EAIsNilpotentUnlessThereIsACycle) {
  Random random(3);
  for (int number = 0; number < 2000; ++number) {
    const Digraph digraph = random_digraph(random, 7);
    const int n = digraph.size();
    // positive weights: nothing cancels
    Eigen::MatrixXd E = Eigen::MatrixXd::Zero(n, n), power = Eigen::MatrixXd::Identity(n, n);
    for (const Edge e : digraph.edges()) E(e.parent, e.child) = random.uniform(0.5, 1);
    for (int k = 0; k < n; ++k) power = E * power;
    const Diagnosis d = diagnose(digraph);
    EXPECT_EQ(d.cycles.empty(), power.isZero(0)) << number;
    // every finding is one: cycles are closed paths, and without their closing edges there is none
    std::vector<Edge> left = digraph.edges();
    std::vector<std::string> names;
    for (int k = 0; k < n; ++k) names.push_back(digraph.name(k));
    for (const Nodes& cycle : d.cycles) {
      for (std::size_t i = 0; i < cycle.size(); ++i)
        EXPECT_TRUE(digraph.has_edge(cycle[i], cycle[(i + 1) % cycle.size()]));
      std::erase(left, Edge{cycle.back(), cycle.front()});
    }
    EXPECT_TRUE(taxonomy(Digraph(names, left)).acyclic);
    for (int k = 0; k < n; ++k) EXPECT_EQ(has(d.multiply_connected, k), digraph.parents(k).size() > 1);
  }
}

TEST(Jain2012Digraphs, TreesAreRenumberedCanonicallyAndOnlyWhereNeedBe) {
  Random random(4);
  for (int number = 0; number < random_trees; ++number) {
    const Tree tree = random_tree_of(random, 20);
    const Digraph standard = standard_digraph(tree);
    ASSERT_TRUE(taxonomy(standard).tree);
    ASSERT_TRUE(canonical(standard));
    const NumberedTree same = tree_of(standard, tree.size());
    for (int k = 0; k < tree.size(); ++k) {
      ASSERT_EQ(same.number[static_cast<std::size_t>(k)], k);
      ASSERT_EQ(same.tree.parent(k), tree.parent(k));
      ASSERT_EQ(same.tree.name(k), tree.name(k));
    }
    // shuffled
    Nodes place(static_cast<std::size_t>(standard.size()));
    for (int k = 0; k < standard.size(); ++k) {
      place[static_cast<std::size_t>(k)] = k;
      std::swap(place[static_cast<std::size_t>(k)], place[static_cast<std::size_t>(random.below(k + 1))]);
    }
    const auto at = [&](int k) { return place[static_cast<std::size_t>(k)]; };
    std::vector<std::string> names(place.size());
    std::vector<Edge> edges;
    for (int k = 0; k < standard.size(); ++k) names[static_cast<std::size_t>(at(k))] = standard.name(k);
    for (const Edge e : standard.edges()) edges.push_back({at(e.parent), at(e.child)});
    const NumberedTree again = tree_of(Digraph(names, edges), at(tree.size()));
    ASSERT_EQ(again.tree.size(), tree.size());
    EXPECT_EQ(again.number[static_cast<std::size_t>(at(tree.size()))], -1);
    const auto number_of = [&](int k) { return k < 0 ? -1 : again.number[static_cast<std::size_t>(at(k))]; };
    for (int k = 0; k < tree.size(); ++k) {
      ASSERT_EQ(again.tree.parent(number_of(k)), number_of(tree.parent(k)));
      ASSERT_EQ(again.tree.name(number_of(k)), tree.name(k));
    }
  }
  EXPECT_TRUE(says(message_of<NotATree>([] {
                     tree_of(named({"world", "a", "b"}, {{0, 1}}), 0);
                   }),
                   "the inertial node world is not the only node without a parent (these are world, b)"));
}

}  // namespace
}  // namespace kinetree::sko
