// Jain 2012, graph transformations I, Sec. 5.1: contraction of node sets and of edges (Lemma 3).
#include "sko/jain2012_trees.hpp"

namespace kinetree::sko {
namespace {

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
    EXPECT_TRUE(std::ranges::is_sorted(t_s.members, {}, [](const Nodes& m) { return m.back(); })) << number;
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
