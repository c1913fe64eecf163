// Jain 2012, graph transformations II, on any SKO model: random maps X on random aggregates of rigid trees, bodies with
// modes and abstract models, against dense matrices of the tree.
#include "sko/jain2012_embedding.hpp"

#include <kinetree/sko/partition.hpp>

#include "engine/scalar/index.hpp"
#include "engine/scalar/worst.hpp"
#include "sko/jain2012_trees.hpp"

namespace kinetree::sko {
namespace {

MatrixXd random_matrix(Random& random, Eigen::Index rows, Eigen::Index columns) {
  return MatrixXd::NullaryExpr(rows, columns, [&](Eigen::Index, Eigen::Index) { return random.uniform(-1, 1); });
}

/// Up to four sets of nodes, in any order, their joints tied down to a random number of freedoms.
std::vector<ConstraintMap<double>> random_maps(Random& random, const SkoModel<double>& model) {
  std::vector<ConstraintMap<double>> maps;
  for (Nodes set : random_aggregates(random, model.tree(), 4)) {
    for (std::size_t k = set.size(); k > 1; --k)
      std::swap(set[k - 1], set[static_cast<std::size_t>(random.below(static_cast<int>(k)))]);
    int rows = 0;
    for (const int k : set) rows += model.space->size(Kind::joint, k);
    const int columns = random.below(rows + 1);
    maps.push_back({set, random_matrix(random, rows, columns), random_matrix(random, rows, 1)});
  }
  return maps;
}

struct Embedded {
  SkoModel<double> tree;
  Stacked<double> a, b;
  std::vector<ConstraintMap<double>> maps;
  EmbeddedModel<double> embedded;
};

template <class Check>
void on_embedded_models(Check&& check) {
  Random random(81);
  std::uint64_t seed = 900;
  on_all_models([&](const SkoModel<double>& model) {
    const auto a = random_stacked(model.space, Kind::node, ++seed), b = random_stacked(model.space, Kind::node, ++seed);
    const auto maps = random_maps(random, model);
    check(Embedded{model, a, b, maps, embed_constraints(model, a, b, maps)});
  });
}

/// X by its definition: each map's rows at the nodes' joints, units elsewhere; columns node by node of the new tree.
MatrixXd placed_map(const Embedded& x) {
  const Space &tree = *x.tree.space, &now = *x.embedded.model.space;
  MatrixXd X = MatrixXd::Zero(tree.total(Kind::joint), now.total(Kind::joint));
  for (int s = 0; s < now.nodes(); ++s) {
    const Nodes& members = x.embedded.aggregated.nodes.members[at(s)];
    const ConstraintMap<double>* own = nullptr;
    for (const auto& map : x.maps)
      if (has(map.nodes, members.front())) own = &map;
    if (own == nullptr) {
      X.block(tree.offset(Kind::joint, members[0]), now.offset(Kind::joint, s), now.size(Kind::joint, s),
              now.size(Kind::joint, s))
          .setIdentity();
      continue;
    }
    int row = 0;
    for (const int k : own->nodes) {
      const int n = tree.size(Kind::joint, k);
      X.block(tree.offset(Kind::joint, k), now.offset(Kind::joint, s), n, own->X.cols()) = own->X.middleRows(row, n);
      row += n;
    }
  }
  return X;
}
VectorXd placed_drift(const Embedded& x) {
  VectorXd g = VectorXd::Zero(x.tree.space->total(Kind::joint));
  for (const auto& map : x.maps) {
    int row = 0;
    for (const int k : map.nodes) {
      const int n = x.tree.space->size(Kind::joint, k);
      g.segment(x.tree.space->offset(Kind::joint, k), n) = map.g.segment(row, n);
      row += n;
    }
  }
  return g;
}

TEST(Jain2012Embedding, Lemma5VelocitiesOnAnyModel) {  // Eq. 25 to 29
  std::uint64_t seed = 100;
  on_embedded_models([&](const Embedded& x) {
    const auto& e = x.embedded;
    const MatrixXd X = placed_map(x);
    EXPECT_EQ(spanning_map(e), X);
    const auto rates = random_stacked(e.model.space, Kind::joint, ++seed);
    const auto spanning = spanning_velocities(e, rates);
    EXPECT_TRUE(same(spanning, X * rates.value));
    const Dense tree(x.tree), aggregated(e.aggregated.model), embedded(e.model);
    const VectorXd V = tree.A.transpose() * tree.H.transpose() * spanning.value;
    const VectorXd V_a = aggregated.A.transpose() * aggregated.H.transpose() * regrouped(e.aggregated, spanning).value;
    const VectorXd V_R = embedded.A.transpose() * embedded.H.transpose() * rates.value;
    const SpaceRef& space = e.aggregated.model.space;
    EXPECT_TRUE(same(in_original_order(e.aggregated, Stacked<double>{space, Kind::node, V_a}), V));
    EXPECT_TRUE(same(in_original_order(e.aggregated, Stacked<double>{space, Kind::node, V_R}), V));
  });
}

TEST(Jain2012Embedding, Lemma6EquationsOfMotionOnAnyModel) {  // Eq. 30 to 36
  std::uint64_t seed = 200;
  on_embedded_models([&](const Embedded& x) {
    const auto& e = x.embedded;
    const MatrixXd X = placed_map(x);
    const VectorXd g = placed_drift(x);
    const Dense o(x.tree);
    const MatrixXd mass = X.transpose() * o.mass * X;
    EXPECT_TRUE(same(newton_euler_product(e.model).matrix, mass, largest_of(o.mass)));
    const auto accelerations = random_stacked(e.model.space, Kind::joint, ++seed);
    EXPECT_TRUE(same(spanning_accelerations(e, accelerations), X * accelerations.value + g));
    // alpha, f and J of the tree at X theta_ddot_R + g
    const VectorXd alpha = o.A.transpose() * (o.H.transpose() * (X * accelerations.value + g) + x.a.value);
    const VectorXd f = o.A * (o.M * alpha + x.b.value), J = o.H * f;
    const Stacked<double> alpha_R = transpose_times(e.model.A, transpose_times(e.model.H, accelerations) + e.a);
    const Stacked<double> in_tree = in_original_order(e.aggregated, moved(e.aggregated.model.space, alpha_R));
    EXPECT_TRUE(same(in_tree, alpha));  // Eq. 35
    const double scale = largest_of(f) + largest_of(J);
    EXPECT_TRUE(same(inverse_dynamics(e.model, accelerations, e.a, e.b), X.transpose() * J, scale));
    EXPECT_TRUE(same(independent_forces(e, Stacked<double>{x.tree.space, Kind::joint, J}), X.transpose() * J, scale));
    const Stacked<double> back =
        forward_dynamics(e.model, riccati(e.model), inverse_dynamics(e.model, accelerations, e.a, e.b), e.a, e.b);
    const double size = std::max(1.0, largest_of(accelerations.value));
    const double condition = mass.size() == 0 ? 1 : mass.norm() * inverse(mass).norm();
    EXPECT_LE(largest_of(back.value - accelerations.value), 1e-13 * size * condition);
  });
}

/// Whether the mass matrix is regular enough for 1e-10.
bool well_conditioned(const MatrixXd& mass) { return mass.size() == 0 || mass.norm() * inverse(mass).norm() < 1e4; }

TEST(Jain2012Embedding, RiccatiAndInnovationsOnAnyModel) {  // Lemmas 7 to 9, Eq. 40 to 48, 52
  int seen = 0;
  on_embedded_models([&](const Embedded& x) {
    const auto& model = x.embedded.model;
    const MatrixXd X = placed_map(x), mass = X.transpose() * Dense(x.tree).mass * X;
    if (!well_conditioned(mass)) return;
    ++seen;
    const Dense o(model, riccati(model));
    EXPECT_TRUE(same_within(1e-11, o.M, o.P - o.E_psi * o.P * o.E.transpose()));  // Eq. 40
    EXPECT_TRUE(same(o.M, o.P - o.E_psi * o.P * o.E_psi.transpose()));            // Eq. 45
    EXPECT_TRUE(same_within(1e-12, placed(riccati(model).psi), o.E_psi));         // Eq. 43, 44
    expect_factorized(model, mass);
  });
  EXPECT_GT(seen, 60);
}

// ---- what the steps look like at an aggregated node
// ------------------------------------------------------------------

/// E_S of Eq. 12: from the members of a node to those of its parent, without what is inside either.
MatrixXd connector(const Embedded& x, int node) {
  const auto& nodes = x.embedded.aggregated.nodes;
  const Space& tree = *x.tree.space;
  const int parent = nodes.tree.parent(node);
  const Space& now = *x.embedded.model.space;
  MatrixXd E = MatrixXd::Zero(now.size(Kind::node, parent), now.size(Kind::node, node));
  int column = 0;
  for (const int i : nodes.members[at(node)]) {
    int row = 0;
    for (const int j : nodes.members[at(parent)]) {
      if (tree.tree().parent(i) == j)
        E.block(row, column, tree.size(Kind::node, j), tree.size(Kind::node, i)) = x.tree.A(i);
      row += tree.size(Kind::node, j);
    }
    column += tree.size(Kind::node, i);
  }
  return E;
}

TEST(Jain2012Embedding, StepsAtAnAggregatedNodeAreTheMembersOwn) {  // Eq. 11 to 24, 50, 51, 54 to 57
  std::uint64_t seed = 300;
  int seen = 0;
  on_embedded_models([&](const Embedded& x) {
    const auto& e = x.embedded;
    const Tree& tree = e.model.tree();
    const auto T = random_stacked(x.tree.space, Kind::joint, ++seed);
    if (!well_conditioned(placed_map(x).transpose() * Dense(x.tree).mass * placed_map(x))) return;
    ++seen;
    const Riccati<double> r = riccati(e.model);
    // P, z of the members' subgraph: own and what children hand to member bodies; nothing is pushed through A_S yet
    const auto n = at(tree.size());
    std::vector<MatrixXd> P(n), A_S(n), H_S(n), U(n), D(n), E(n);
    std::vector<VectorXd> z(n), epsilon(n), alpha(n), rates(n), a(n), g(n);
    for (int k = 0; k < tree.size(); ++k) {
      const auto members = component(x.tree, e.aggregated.nodes.members[at(k)]).model;
      const Dense inside(members);
      const MatrixXd& X = e.X[at(k)];
      A_S[at(k)] = inside.A, H_S[at(k)] = inside.H;
      a[at(k)] = VectorXd(A_S[at(k)].transpose() * (regrouped(e.aggregated, x.a)(k) + H_S[at(k)].transpose() * e.g(k)));
      P[at(k)] = inside.M;
      z[at(k)] = regrouped(e.aggregated, x.b)(k);
      for (const int c : tree.children(k)) {  // Eq. 54: to the members that carry c
        const MatrixXd B = E[at(c)] * A_S[at(c)], G = U[at(c)] * inverse(D[at(c)]);
        P[at(k)] += B * (P[at(c)] - G * U[at(c)].transpose()) * B.transpose();
        z[at(k)] += B * (z[at(c)] + P[at(c)] * a[at(c)] + G * epsilon[at(c)]);
      }
      const MatrixXd J = A_S[at(k)].transpose() * H_S[at(k)].transpose() * X;
      U[at(k)] = P[at(k)] * J;
      D[at(k)] =
          X.transpose() * (H_S[at(k)] * A_S[at(k)] * P[at(k)] * A_S[at(k)].transpose() * H_S[at(k)].transpose()) * X;
      EXPECT_TRUE(same_within(1e-12, r.P(k), P[at(k)])) << k;                        // Eq. 50
      EXPECT_TRUE(same_within(1e-12, r.D(k), D[at(k)], largest_of(P[at(k)]))) << k;  // Eq. 51
      epsilon[at(k)] = X.transpose() * regrouped(e.aggregated, T)(k) - J.transpose() * (z[at(k)] + P[at(k)] * a[at(k)]);
      if (tree.parent(k) >= 0) {
        E[at(k)] = connector(x, k);
        EXPECT_TRUE(same(e.model.A(k), E[at(k)] * A_S[at(k)])) << k;  // Eq. 14, 16
      }
    }
    const auto found = forward_dynamics(e.model, r, independent_forces(e, T), e.a, e.b);
    for (int k = tree.size() - 1; k >= 0; --k) {  // Eq. 56, 57
      const int p = tree.parent(k);
      VectorXd plus = VectorXd::Zero(P[at(k)].rows());
      if (p >= 0) plus = A_S[at(k)].transpose() * E[at(k)].transpose() * alpha[at(p)];
      rates[at(k)] = inverse(D[at(k)]) * (epsilon[at(k)] - U[at(k)].transpose() * plus);
      alpha[at(k)] = plus + a[at(k)] + A_S[at(k)].transpose() * H_S[at(k)].transpose() * (e.X[at(k)] * rates[at(k)]);
      EXPECT_LE(largest_of(VectorXd(found(k)) - rates[at(k)]), 1e-11 * std::max(1.0, largest_of(found.value))) << k;
    }
  });
  EXPECT_GT(seen, 60);
}

TEST(Jain2012Embedding, ALargerAggregateChangesNothing) {  // Fig. 2
  Random random(82);
  std::uint64_t seed = 400;
  int larger = 0;
  on_embedded_models([&](const Embedded& x) {
    if (x.maps.empty()) return;
    // the first set and some more nodes, whose joints stay free
    const ConstraintMap<double>& small = x.maps.front();
    Nodes more = small.nodes;
    if (const int extra = random.below(x.tree.space->nodes()); !has(more, extra)) more.push_back(extra);
    ConstraintMap<double> large{aggregation_nodes(x.tree.tree(), more), {}, {}};
    larger += large.nodes.size() > small.nodes.size();
    int rows = 0, extra = 0;
    for (const int k : large.nodes) rows += x.tree.space->size(Kind::joint, k);
    extra = rows - static_cast<int>(small.X.rows());
    large.X = MatrixXd::Zero(rows, small.X.cols() + extra), large.g = VectorXd::Zero(rows);
    int row = 0, column = static_cast<int>(small.X.cols());
    for (const int k : large.nodes) {
      const int n = x.tree.space->size(Kind::joint, k);
      if (has(small.nodes, k)) {
        int from = 0;
        for (const int j : small.nodes) {
          if (j == k) break;
          from += x.tree.space->size(Kind::joint, j);
        }
        large.X.block(row, 0, n, small.X.cols()) = small.X.middleRows(from, n);
        large.g.segment(row, n) = small.g.segment(from, n);
      } else {
        large.X.block(row, column, n, n).setIdentity();
        column += n;
      }
      row += n;
    }
    const auto one_set = embed_constraints(x.tree, x.a, x.b, {small}),
               wide = embed_constraints(x.tree, x.a, x.b, {large});
    const auto T = random_stacked(x.tree.space, Kind::joint, ++seed);
    const auto accelerations = [&](const EmbeddedModel<double>& e) {
      return spanning_accelerations(e, forward_dynamics(e.model, riccati(e.model), independent_forces(e, T), e.a, e.b))
          .value;
    };
    if (!well_conditioned(newton_euler_product(one_set.model).matrix)) return;
    const VectorXd expected = accelerations(one_set);
    EXPECT_LE(largest_of(accelerations(wide) - expected), 1e-12 * std::max(1.0, largest_of(expected)));
  });
  EXPECT_GT(larger, 100);
}

TEST(Jain2012Embedding, RefusesMapsThatDoNotFit) {
  const RigidBody<double> body = resting_family<double>("chain:4");
  const auto message = [&](ConstraintMap<double> map) {
    return message_of<std::invalid_argument>([&] { embed_constraints(body.model, body.a, body.b, {map}); });
  };
  const MatrixXd X = MatrixXd::Ones(2, 1);
  const std::string name = body.model.tree().name(1);
  EXPECT_TRUE(says(message({{1, 2}, MatrixXd::Ones(3, 1), VectorXd::Zero(2)}), name, "2 joint rows", "X has 3"));
  EXPECT_TRUE(says(message({{1, 2}, X, VectorXd::Zero(1)}), name, "2 joint rows", "g 1"));
  EXPECT_TRUE(says(message({{1, 2}, MatrixXd::Ones(2, 2), VectorXd::Zero(2)}), name, "2 columns and rank 1", "Sec. 9"));
  EXPECT_TRUE(says(message({{1, 3}, X, VectorXd::Zero(2)}), "has 2 parents"));
  EXPECT_EQ(message({{1, 2}, X, VectorXd::Zero(2)}), "nothing was thrown");
}

}  // namespace
}  // namespace kinetree::sko
