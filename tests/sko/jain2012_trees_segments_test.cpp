// Jain 2012, graph transformations I, Sec. 7, with Jain 2011, Sec. 7: serial-chain segments and what is zero.
#include <kinetree/sko/aggregation.hpp>
#include <kinetree/sko/mass_matrix.hpp>
#include <kinetree/sko/segments.hpp>

#include "sko/dense.hpp"
#include "sko/jain2012_trees.hpp"

namespace kinetree::sko {
namespace {

Pattern pattern(const std::vector<std::string>& rows) {
  Pattern result;
  for (const std::string& row : rows) {
    result.emplace_back();
    for (const char c : row) result.back().push_back(c == 'x');
  }
  return result;
}

/// A rigid-body mechanism in the form of a tree: revolute joints about many axes, places off them.
Model rigid_tree(const Tree& tree) {
  Description d;
  Random random(31);
  for (int k = tree.size() - 1; k >= 0; --k) {
    BodyDescription b;
    b.name = tree.name(k);
    b.parent = tree.parent(k) < 0 ? "world" : tree.name(tree.parent(k));
    b.joint.name = "j" + b.name;
    b.joint.type = "revolute";
    b.joint.axis = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(0.5, 1)};
    b.joint.origin.xyz = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    b.inertial =
        InertialDescription{random.uniform(1, 2), {{0.1, 0.2, 0.3}, {0, 0, 0, 1}}, {0.1, 0.2, 0.25, 0, 0, 0}, 0};
    d.bodies.push_back(std::move(b));
  }
  return make_model(d);
}

RigidBody<double> at_random_state(const Model& model) {
  const oracle::TestState state = oracle::random_state(model, 5);
  return rigid_body(model, state.q.data(), state.v.data());
}

/// Blocks that hold a number other than zero; rows and columns in groups of nodes.
Pattern nonzero(const Explicit<double>& X, const std::vector<Nodes>& groups) {
  Pattern result;
  for (const Nodes& rows : groups) {
    result.emplace_back();
    for (const Nodes& columns : groups) result.back().push_back(!arranged(X, rows, columns).isZero(0));
  }
  return result;
}

std::vector<Nodes> single(int size) {
  std::vector<Nodes> groups;
  for (int k = 0; k < size; ++k) groups.push_back({k});
  return groups;
}

TEST(Jain2012Segments, ThePapersFiveSegmentTree) {  // 2011, Fig. 3 to 6, Eq. 61 to 63; 2012, Fig. 6, 7, Eq. 43, 45
  const Tree tree = five_segment_tree();
  const Segments s = serial_chain_segments(tree);
  EXPECT_EQ(s.nodes, (std::vector<Nodes>{{0, 1, 2}, {3, 4}, {5, 6, 7, 8}, {9, 10}, {11, 12, 13}}));
  EXPECT_EQ(s.parent, (Nodes{3, 3, 4, 4, -1}));
  EXPECT_EQ(s.segment_of, (Nodes{0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 4, 4, 4}));
  const Pattern E = pattern({"x....", ".x...", "..x..", "xx.x.", "..xxx"}),
                A = pattern({"x....", ".x...", "..x..", "xx.x.", "xxxxx"}),
                M = pattern({"x..xx", ".x.xx", "..x.x", "xx.xx", "xxxxx"});
  EXPECT_EQ(adjacency_pattern(s), E);
  EXPECT_EQ(resolvent_pattern(s), A);
  EXPECT_EQ(mass_matrix_pattern(s), M);
  // and of the numbers, at a state where nothing cancels
  const Model mechanism = rigid_tree(tree);
  const RigidBody<double> body = at_random_state(mechanism);
  const Segments of_body = serial_chain_segments(body.model.tree());
  const Tree coarse = segment_tree(body.model.tree(), of_body);
  // the model numbers its bodies depth first: the papers' order by the segments' names
  std::vector<Nodes> groups;
  for (const char* name : {"1a..1c", "2a..2b", "3a..3d", "4a..4b", "5a..5c"})
    for (int i = 0; i < coarse.size(); ++i)
      if (coarse.name(i) == name) groups.push_back(of_body.nodes[static_cast<std::size_t>(i)]);
  ASSERT_EQ(groups.size(), 5u);
  EXPECT_EQ(nonzero(adjacency(body.model.A), groups), E);
  EXPECT_EQ(nonzero(resolvent(body.model.A), groups), A);
  EXPECT_EQ(nonzero(mass_matrix(body.model), groups), M);
  // Eq. 44: the connector's one block, top right
  const MatrixXd connector = arranged(adjacency(body.model.A), groups[3], groups[0]);
  EXPECT_FALSE(connector.topRightCorner(6, 6).isZero(0));
  EXPECT_TRUE(connector.bottomRows(6).isZero(0) && connector.leftCols(12).isZero(0));
  // Fig. 6, right: aggregated, the five are a tree of five nodes
  const AggregatedModel<double> x = aggregate(body.model, body.a, body.b, of_body.nodes);
  ASSERT_EQ(x.model.tree().size(), 5);
  for (int i = 0; i < 5; ++i) {
    const Nodes& members = x.nodes.members[static_cast<std::size_t>(i)];
    const int segment = of_body.segment_of[static_cast<std::size_t>(members[0])];
    EXPECT_EQ(members, of_body.nodes[static_cast<std::size_t>(segment)]);
    const int p = of_body.parent[static_cast<std::size_t>(segment)];
    EXPECT_EQ(x.model.tree().parent(i),
              p < 0 ? -1 : x.nodes.image[static_cast<std::size_t>(of_body.nodes[static_cast<std::size_t>(p)][0])]);
  }
}

TEST(Jain2012Segments, AreTheLongestSerialChains) {
  Random random(32);
  for (int number = 0; number < random_trees; ++number) {
    const Tree tree = random_tree_of(random, 30);
    const Segments s = serial_chain_segments(tree);
    const Tree coarse = segment_tree(tree, s);
    Nodes seen = segment_order(s), all;
    // canonical in its own order
    Nodes place(seen.size());
    for (std::size_t i = 0; i < seen.size(); ++i) place[static_cast<std::size_t>(seen[i])] = static_cast<int>(i);
    std::sort(seen.begin(), seen.end());
    for (int k = 0; k < tree.size(); ++k) all.push_back(k);
    ASSERT_EQ(seen, all);
    for (int k = 0; k < tree.size(); ++k) {
      const int p = tree.parent(k);
      const auto of = [&](int i) { return s.segment_of[static_cast<std::size_t>(i)]; };
      EXPECT_TRUE(has(s.nodes[static_cast<std::size_t>(of(k))], k));
      if (p < 0) continue;
      EXPECT_GT(place[static_cast<std::size_t>(p)], place[static_cast<std::size_t>(k)]);
      EXPECT_EQ(of(p) == of(k), tree.children(p).size() == 1);
      EXPECT_TRUE(of(p) == of(k) || coarse.parent(of(k)) == of(p));
    }
    const Digraph digraph = digraph_of(tree);
    for (const Nodes& nodes : s.nodes) {
      const Subgraph chain = induced(digraph, nodes);
      EXPECT_EQ(path_induced(digraph, chain), chain);
      EXPECT_TRUE(aggregation_condition(tree, nodes).holds());
      for (const int i : nodes)
        for (const int j : nodes) EXPECT_TRUE(tree.related(i, j));
    }
    // a tree whose nodes have no single child: nothing left to join
    for (int i = 0; i < coarse.size(); ++i) EXPECT_NE(coarse.children(i).size(), 1u);
    ASSERT_FALSE(HasFailure()) << number;
  }
}

TEST(Jain2012Segments, PatternsHoldTheNumbersOfEveryModel) {
  on_all_models([](const SkoModel<double>& model) {
    const Tree& tree = model.tree();
    const Segments s = serial_chain_segments(tree);
    const Dense dense(model);
    const auto inside = [](const Pattern& numbers, const Pattern& allowed) {
      for (std::size_t i = 0; i < numbers.size(); ++i)
        for (std::size_t j = 0; j < numbers.size(); ++j)
          if (numbers[i][j] && !allowed[i][j]) return false;
      return true;
    };
    const std::vector<Nodes> nodes = single(tree.size());
    // dense products leave exact zeros as well, where A is the sum of E_A's powers: every term has a factor zero
    MatrixXd powers = dense.I, sum = dense.I;
    for (int k = 0; k < tree.size(); ++k) sum += powers = dense.E * powers;
    const MatrixXd mass = dense.H * sum * dense.M * sum.transpose() * dense.H.transpose();
    const Explicit<double> E{model.space, Kind::node, Kind::node, dense.E}, A{model.space, Kind::node, Kind::node, sum},
        M{model.space, Kind::joint, Kind::joint, mass};
    EXPECT_TRUE(inside(nonzero(resolvent(model.A), nodes), resolvent_pattern(tree)));
    EXPECT_TRUE(inside(nonzero(E, nodes), adjacency_pattern(tree)));
    EXPECT_TRUE(inside(nonzero(A, nodes), resolvent_pattern(tree)));
    EXPECT_TRUE(inside(nonzero(M, nodes), mass_matrix_pattern(tree)));
    EXPECT_TRUE(inside(nonzero(mass_matrix(model), nodes), mass_matrix_pattern(tree)));
    EXPECT_TRUE(inside(nonzero(E, s.nodes), adjacency_pattern(s)));
    EXPECT_TRUE(inside(nonzero(A, s.nodes), resolvent_pattern(s)));
    EXPECT_TRUE(inside(nonzero(M, s.nodes), mass_matrix_pattern(s)));
    // Eq. 44, 45: the same numbers by segments
    Nodes rows;
    for (const int k : segment_order(s))
      for (int r = 0; r < model.space->size(Kind::node, k); ++r) rows.push_back(model.space->offset(Kind::node, k) + r);
    EXPECT_TRUE(same(resolvent_by_segments(model.A, s), dense.A(rows, rows)));
    for (int j = 0; j < s.size(); ++j)
      for (int k = 0; k < j; ++k)
        EXPECT_EQ(segment_connector(model.A, s, j, k),
                  arranged(E, s.nodes[static_cast<std::size_t>(j)], s.nodes[static_cast<std::size_t>(k)]));
  });
}

TEST(Jain2012Segments, RigidBodiesFillThePatterns) {
  // in general position: perpendicular axes make zeros of their own
  for (const char* family : {"random:12:seed=4", "random:25:seed=9", "tree:2x4"}) {
    const RandomTree r{make_description(family), make_model(family), {}, resting_family<double>(family)};
    const SkoModel<double> model = at_random_state(r.model).model;
    const std::vector<Nodes> nodes = single(model.tree().size());
    EXPECT_EQ(nonzero(adjacency(model.A), nodes), adjacency_pattern(model.tree()));
    EXPECT_EQ(nonzero(resolvent(model.A), nodes), resolvent_pattern(model.tree()));
    EXPECT_EQ(nonzero(mass_matrix(model), nodes), mass_matrix_pattern(model.tree())) << family;
    // the same by segments, where a segment of one node has nothing on E_A's diagonal
    const Segments s = serial_chain_segments(model.tree());
    EXPECT_EQ(nonzero(adjacency(model.A), s.nodes), adjacency_pattern(s));
    EXPECT_EQ(nonzero(resolvent(model.A), s.nodes), resolvent_pattern(s));
    EXPECT_EQ(nonzero(mass_matrix(model), s.nodes), mass_matrix_pattern(s));
    // and with rows in another order
    const Nodes order = segment_order(s);
    std::vector<Nodes> ordered;
    for (const int k : order) ordered.push_back({k});
    EXPECT_EQ(nonzero(resolvent(model.A), ordered), resolvent_pattern(model.tree(), order));
    EXPECT_EQ(nonzero(mass_matrix(model), ordered), mass_matrix_pattern(model.tree(), order));
  }
}

}  // namespace
}  // namespace kinetree::sko
