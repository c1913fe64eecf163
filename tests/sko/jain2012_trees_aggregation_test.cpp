// Jain 2012, graph transformations I, Sec. 5.2, 5.3: the aggregation condition and the aggregation subgraph
// (Lemmas 4 to 6).
#include "sko/jain2012_trees.hpp"

namespace kinetree::sko {
namespace {

/// S that satisfies the condition about as often as not.
Nodes drawn(Random& random, const Tree& tree, int draw) {
  return draw % 2 ? random_nodes(random, tree.size()) : random_aggregates(random, tree, 1)[0];
}

TEST(Jain2012Aggregation, ATreeStaysATreeExactlyWhereTheConditionHolds) {  // Lemmas 4, 5
  Random random(11);
  int kept = 0, lost = 0, cyclic = 0, multiple = 0;
  for (int number = 0; number < random_trees; ++number) {
    const Tree tree = random_tree_of(random, 20);
    const Digraph standard = standard_digraph(tree);
    const Booleans paths = paths_of(standard);
    for (int draw = 0; draw < 10; ++draw) {
      const Nodes nodes = drawn(random, tree, draw);
      SCOPED_TRACE(std::to_string(number) + ": " + standard.names(nodes));
      const AggregationCondition on_digraph = aggregation_condition(standard, induced(standard, nodes));
      const AggregationCondition on_tree = aggregation_condition(tree, nodes);
      // by definition: the parents outside S are one, and S has all edges between its nodes
      EXPECT_EQ(on_digraph.holds(), parents_of(standard, nodes).size() == 1);
      EXPECT_EQ(on_tree.holds(), on_digraph.holds());
      EXPECT_EQ(on_tree.parents.size(), on_digraph.parents.size());
      const Taxonomy t = taxonomy(contract(standard, {nodes}).digraph);
      EXPECT_EQ(t.tree, on_tree.holds());
      if (on_tree.holds()) {
        EXPECT_TRUE(is_path_induced(paths, nodes));
        // the one parent is an ancestor of all
        for (const int k : nodes) EXPECT_TRUE(paths(on_digraph.parents[0], k));
        EXPECT_NO_THROW(contract(tree, {nodes}));
      } else {
        EXPECT_THROW(contract(tree, {nodes}), std::invalid_argument);
      }
      on_tree.holds() ? ++kept : ++lost;
      cyclic += !t.acyclic, multiple += t.acyclic && t.multiply_connected;
      if (HasFailure()) return;
    }
  }
  for (const int seen : {kept, lost, cyclic, multiple}) EXPECT_GT(seen, 500);
}

TEST(Jain2012Aggregation, WithTheRootInSATreeStaysWhereSHasNoParent) {  // what Lemma 5 passes over
  Random random(12);
  int kept = 0, lost = 0;
  for (int number = 0; number < random_trees; ++number) {
    const Digraph standard = standard_digraph(random_tree_of(random, 8));
    Nodes nodes = random_nodes(random, standard.size());
    if (!has(nodes, standard.size() - 1)) nodes.push_back(standard.size() - 1);
    const AggregationCondition c = aggregation_condition(standard, induced(standard, nodes));
    EXPECT_FALSE(c.holds());
    EXPECT_EQ(taxonomy(contract(standard, {nodes}).digraph).tree, c.parents.empty()) << number;
    c.parents.empty() ? ++kept : ++lost;
  }
  EXPECT_GT(kept, 100);
  EXPECT_GT(lost, 100);
}

TEST(Jain2012Aggregation, ReasonsNameTheSetAndWhatBreaksTheRule) {
  // base carries arm and leg; arm carries hand, leg carries foot
  const Tree tree({2, 3, 4, 4, -1}, {"hand", "foot", "arm", "leg", "base"});
  EXPECT_TRUE(says(aggregation_condition(tree, {0, 1}).reason, "{hand, foot} has 2 parents, arm, leg"));
  EXPECT_TRUE(says(aggregation_condition(tree, {0, 4}).reason, "2 parents, the inertial node, arm"));
  EXPECT_TRUE(aggregation_condition(tree, {2, 3}).holds());
  EXPECT_EQ(aggregation_condition(tree, {4}).parents, Nodes{-1});
  const Digraph standard = standard_digraph(tree);
  const AggregationCondition open = aggregation_condition(standard, subgraph(standard, {2, 4}));
  EXPECT_TRUE(says(open.reason, "not induced", "from base to arm"));
  EXPECT_TRUE(says(aggregation_condition(standard, induced(standard, Nodes{4, 5})).reason,
                   "{base, world} holds the root world"));
  EXPECT_TRUE(says(message_of<NotATree>([&] {
                     aggregation_condition(contract(standard, {{0, 1}}).digraph, {{0}, {}});
                   }),
                   "node {hand, foot} is multiply connected, its parents are arm, leg"));
  EXPECT_TRUE(says(message_of<std::invalid_argument>([&] { aggregation_condition(tree, {0, 0}); }), "hand"));
  EXPECT_TRUE(says(message_of<std::invalid_argument>([&] {
                     contract(tree, {{0, 1}, {0, 4}});
                   }),
                   "{hand, foot}", "{hand, base}"));
}

TEST(Jain2012Aggregation, PathInducedIsNotEnough) {  // the converse of Lemma 4
  const Tree tree({2, 3, 4, 4, -1}, {"hand", "foot", "arm", "leg", "base"});
  const Digraph standard = standard_digraph(tree);
  const Subgraph ends = induced(standard, Nodes{0, 1});
  EXPECT_EQ(path_induced(standard, ends), ends);
  EXPECT_FALSE(aggregation_condition(standard, ends).holds());
  const Taxonomy t = taxonomy(contract(standard, {ends.nodes}).digraph);
  EXPECT_TRUE(t.dag && t.multiply_connected && !t.tree);
}

TEST(Jain2012Aggregation, ExamplesThatAlwaysSatisfyIt) {  // a node, a serial chain, a subtree
  Random random(13);
  for (int number = 0; number < 200; ++number) {
    const Tree tree = random_tree_of(random, 20);
    const int k = random.below(tree.size());
    EXPECT_TRUE(aggregation_condition(tree, {k}).holds());
    Nodes chain = tree.path_up(k, -1), subtree;
    chain.insert(chain.begin(), k);
    chain.resize(1 + static_cast<std::size_t>(random.below(static_cast<int>(chain.size()))));
    EXPECT_TRUE(aggregation_condition(tree, chain).holds());
    for (int i = 0; i < tree.size(); ++i)
      if (tree.at_or_above(k, i)) subtree.push_back(i);
    EXPECT_TRUE(aggregation_condition(tree, subtree).holds());
  }
}

TEST(Jain2012Aggregation, TheAggregationSubgraphIsTheSmallest) {  // Lemma 6, Eq. 28
  Random random(14);
  int root_inside = 0, root_outside = 0;
  for (int number = 0; number < random_trees; ++number) {
    const Tree tree = random_tree_of(random, 11);
    const Nodes nodes = random_nodes(random, tree.size());
    SCOPED_TRACE(number);
    const Digraph standard = standard_digraph(tree);
    const Subgraph s = subgraph(standard, nodes), s_p = path_induced(standard, s);
    const Subgraph s_a = induced(standard, aggregation_nodes(tree, nodes));
    EXPECT_TRUE(aggregation_condition(standard, s_a).holds());
    EXPECT_EQ(path_induced(standard, s_a), s_a);
    EXPECT_TRUE(contains(induced(standard, s), s) && contains(s_p, induced(standard, s)) && contains(s_a, s_p));
    // every set of nodes that contains S and satisfies the condition contains S_A
    for (unsigned bits = 0; bits < 1u << tree.size(); ++bits) {
      Nodes other;
      for (int k = 0; k < tree.size(); ++k)
        if (bits >> k & 1u) other.push_back(k);
      if (!std::includes(other.begin(), other.end(), nodes.begin(), nodes.end())) continue;
      if (parents_of(standard, other).size() != 1) continue;
      EXPECT_TRUE(std::includes(other.begin(), other.end(), s_a.nodes.begin(), s_a.nodes.end()));
    }
    // with its parent it is a subtree, which is the smallest with S unless the root of that is in S (the lemma's third
    // part does not say so)
    const Nodes root = parents_of(standard, s_a.nodes);
    Nodes with_root = s_a.nodes;
    with_root.insert(std::upper_bound(with_root.begin(), with_root.end(), root[0]), root[0]);
    const Subgraph smallest = induced(standard, with_root);
    EXPECT_EQ(smallest.edges.size() + 1, smallest.nodes.size());
    const Nodes& below = standard.children(root[0]);
    const int branches =
        static_cast<int>(std::count_if(below.begin(), below.end(), [&](int c) { return has(s_a.nodes, c); }));
    const bool in_s = branches == 1 && has(nodes, s_a.nodes.back());
    EXPECT_TRUE(in_s || branches > 1);
    in_s ? ++root_inside : ++root_outside;
    if (HasFailure()) return;
  }
  EXPECT_GT(root_inside, 100);
  EXPECT_GT(root_outside, 100);
}

TEST(Jain2012Aggregation, DisjointSetsAtOnceAreThoseOneAfterTheOther) {
  Random random(15);
  int several = 0;
  for (int number = 0; number < random_trees; ++number) {
    const Tree tree = random_tree_of(random, 24);
    const std::vector<Nodes> sets = random_aggregates(random, tree, 5);
    const AggregatedTree at_once = contract(tree, sets);
    // one after the other
    Tree one = tree;
    Nodes image(static_cast<std::size_t>(tree.size()));
    for (int k = 0; k < tree.size(); ++k) image[static_cast<std::size_t>(k)] = k;
    for (const Nodes& set : sets) {
      Nodes now;
      for (const int k : set) now.push_back(image[static_cast<std::size_t>(k)]);
      const AggregatedTree next = contract(one, {now});
      for (int& k : image) k = next.image[static_cast<std::size_t>(k)];
      one = next.tree;
    }
    ASSERT_EQ(one.size(), at_once.tree.size());
    for (int k = 0; k < tree.size(); ++k)
      for (int j = 0; j < tree.size(); ++j) {
        const auto a = [&](int i) { return image[static_cast<std::size_t>(i)]; };
        const auto b = [&](int i) { return at_once.image[static_cast<std::size_t>(i)]; };
        ASSERT_EQ(a(j) == a(k), b(j) == b(k)) << number;
        ASSERT_EQ(one.parent(a(k)) == a(j), at_once.tree.parent(b(k)) == b(j)) << number;
      }
    several += sets.size() > 1;
  }
  EXPECT_GT(several, 300);
}

}  // namespace
}  // namespace kinetree::sko
