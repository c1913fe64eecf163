// Jain 2012, graph transformations I: digraphs, subgraphs, contraction (Sec. 2, 3, 5; Lemmas 1, 3 to 6), and the
// diagnosis of Jain 2011, Sec. 8.2. The operators are in jain2012_trees_models_test.cpp.
#include "sko/jain2012_trees.hpp"

#include <Eigen/Dense>
#include <kinetree/sko/partition.hpp>

namespace kinetree::sko {
namespace {

Digraph named(std::vector<std::string> names, std::vector<Edge> edges) {
  return Digraph(std::move(names), std::move(edges));
}

// ---- Sec. 2.1: digraphs --------------------------------------------------------------------------------------------

/// Simple directed paths from j to k, counted one by one.
int simple_paths(const Digraph& digraph, int j, int k, Nodes& path) {
  if (j == k) return 1;
  path.push_back(j);
  int count = 0;
  for (const int c : digraph.children(j))
    if (!has(path, c)) count += simple_paths(digraph, c, k, path);
  path.pop_back();
  return count;
}

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

// ---- Sec. 3: subgraphs ---------------------------------------------------------------------------------------------

/// S with each edge between its nodes kept or left at random.
Subgraph random_subgraph(Random& random, const Digraph& digraph) {
  Subgraph s = induced(digraph, random_nodes(random, digraph.size()));
  const double keep = random.uniform(0, 1.5);
  std::erase_if(s.edges, [&](Edge) { return random.uniform(0, 1) > keep; });
  return s;
}

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

// ---- Sec. 5.1: contraction -----------------------------------------------------------------------------------------

/// Which node's members, and which pairs of such, so that two contractions can be compared whatever their order.
using Shape = std::pair<std::vector<Nodes>, std::vector<std::pair<Nodes, Nodes>>>;
Shape shape_of(const Digraph& coarse, std::vector<Nodes> members) {
  Shape s;
  for (const Edge e : coarse.edges())
    s.second.emplace_back(members[static_cast<std::size_t>(e.parent)], members[static_cast<std::size_t>(e.child)]);
  std::sort(s.second.begin(), s.second.end());
  std::sort(members.begin(), members.end());
  s.first = std::move(members);
  return s;
}

/// A set made one node pair by pair: what aggregation is by definition.
Shape pair_by_pair(Digraph digraph, const Nodes& nodes) {
  std::vector<Nodes> members;
  for (int k = 0; k < digraph.size(); ++k) members.push_back({k});
  Nodes image(members.size());
  for (std::size_t k = 0; k < image.size(); ++k) image[k] = static_cast<int>(k);
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    const Contraction c =
        contract_nodes(digraph, image[static_cast<std::size_t>(nodes[0])], image[static_cast<std::size_t>(nodes[i])]);
    std::vector<Nodes> merged(c.members.size());
    for (std::size_t k = 0; k < members.size(); ++k) {
      Nodes& into = merged[static_cast<std::size_t>(c.image[k])];
      into.insert(into.end(), members[k].begin(), members[k].end());
      std::sort(into.begin(), into.end());
    }
    for (int& k : image) k = c.image[static_cast<std::size_t>(k)];
    members = std::move(merged);
    digraph = c.digraph;
  }
  return shape_of(digraph, std::move(members));
}

TEST(Jain2012Contraction, ASubgraphAndItsInducedOneGiveTheSame) {  // Lemma 3
  Random random(8);
  for (int number = 0; number < 2 * random_trees; ++number) {  // half of them trees
    const Digraph digraph = number % 2 ? random_digraph(random, 8) : standard_digraph(random_tree_of(random, 12));
    const Subgraph s = random_subgraph(random, digraph), s_i = induced(digraph, s);
    const Contraction t_s = contract(digraph, {s.nodes});
    EXPECT_EQ(shape_of(t_s.digraph, t_s.members), pair_by_pair(digraph, s.nodes)) << number;
    EXPECT_EQ(shape_of(t_s.digraph, t_s.members), pair_by_pair(digraph, Nodes(s.nodes.rbegin(), s.nodes.rend())));
    // what goes is S_I, whether S has the edges or not; neighbours of S are neighbours of the node
    const int node = t_s.image[static_cast<std::size_t>(s.nodes[0])];
    const auto to_new = [&](const Nodes& nodes) {
      Nodes images;
      for (const int k : nodes) images.push_back(t_s.image[static_cast<std::size_t>(k)]);
      std::sort(images.begin(), images.end());
      return images;
    };
    Nodes parents = t_s.digraph.parents(node), children = t_s.digraph.children(node);
    if (s.nodes.size() == 1) std::erase(parents, node), std::erase(children, node);
    EXPECT_EQ(parents, to_new(parents_of(digraph, s.nodes)));
    EXPECT_EQ(children, to_new(children_of(digraph, s.nodes)));
    std::vector<Edge> expected;
    for (const Edge e : digraph.edges())
      if (std::find(s_i.edges.begin(), s_i.edges.end(), e) == s_i.edges.end())
        expected.push_back(
            {t_s.image[static_cast<std::size_t>(e.parent)], t_s.image[static_cast<std::size_t>(e.child)]});
    if (s.nodes.size() > 1) {
      std::sort(expected.begin(), expected.end());
      expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
      EXPECT_EQ(t_s.digraph.edges(), expected);
    }
    if (HasFailure()) return;
  }
}

TEST(Jain2012Contraction, EdgesOfATreeLeaveATreeOtherPairsNeedNot) {
  Random random(9);
  int kept = 0, lost = 0;
  for (int number = 0; number < random_trees; ++number) {
    const Digraph tree = standard_digraph(random_tree_of(random, 16));
    const Edge edge = tree.edges()[static_cast<std::size_t>(random.below(static_cast<int>(tree.edges().size())))];
    const Digraph less = contract_edge(tree, edge).digraph;
    EXPECT_TRUE(taxonomy(less).tree);
    EXPECT_EQ(less.size(), tree.size() - 1);
    const int i = random.below(tree.size()), j = random.below(tree.size());
    if (i == j) continue;
    const bool adjacent = tree.has_edge(i, j) || tree.has_edge(j, i);
    const bool siblings = tree.parents(i) == tree.parents(j);
    EXPECT_EQ(taxonomy(contract_nodes(tree, i, j).digraph).tree, adjacent || siblings) << number;
    adjacent || siblings ? ++kept : ++lost;
  }
  EXPECT_GT(kept, 100);
  EXPECT_GT(lost, 100);
  const Digraph pair = named({"a", "b", "c"}, {{0, 1}, {1, 2}});
  EXPECT_EQ(contract_edge(pair, {0, 1}).digraph, named({"{a, b}", "c"}, {{0, 1}}));
  EXPECT_TRUE(says(message_of<std::invalid_argument>([&] {
                     contract_edge(pair, {0, 2});
                   }),
                   "no edge from node 0 to 2"));
  EXPECT_TRUE(says(message_of<std::invalid_argument>([&] {
                     contract(pair, {{0, 1}, {1, 2}});
                   }),
                   "node b is given twice"));
}

}  // namespace
}  // namespace kinetree::sko
