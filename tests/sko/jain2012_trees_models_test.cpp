// Jain 2012, graph transformations I: partitioned and aggregated SKO models (Sec. 4, 6; Lemmas 2, 7 to 9, Cor. 4.1,
// 6.1), against dense matrices and against the library's own inverse dynamics of the mechanism.
#include <kinetree/sko/aggregation.hpp>
#include <kinetree/sko/dynamics.hpp>
#include <kinetree/sko/mass_matrix.hpp>
#include <kinetree/sko/products.hpp>

#include "engine/model/model_data.hpp"
#include "engine/scalar/worst.hpp"
#include "sko/dense.hpp"
#include "sko/jain2012_trees.hpp"

namespace kinetree::sko {
namespace {

using Eigen::VectorXd;

/// Rigid trees with their velocities, other kinds of models with random a and b.
struct Given {
  SkoModel<double> model;
  Stacked<double> a, b;
};

template <class Check>
void on_given_models(Check&& check) {
  for (int number = 0; number < random_tree_count; ++number) {
    SCOPED_TRACE("random tree " + std::to_string(number));
    const RandomTree tree = random_tree(number);
    check(Given{tree.body.model, tree.body.a, tree.body.b});
    if (::testing::Test::HasFailure()) return;
  }
  std::uint64_t seed = 500;
  for (const SkoModel<double>& model : unusual_models()) {
    SCOPED_TRACE("unusual model " + model.space->name() + " " + std::to_string(seed));
    const auto random = [&] { return random_stacked(model.space, Kind::node, ++seed); };
    check(Given{model, random(), random()});
    if (::testing::Test::HasFailure()) return;
  }
}

/// Rows of a stacked vector of a space, node by node in an order.
Nodes rows_of(const Space& space, Kind kind, const Nodes& order) {
  Nodes rows;
  for (const int k : order)
    for (int r = 0; r < space.size(kind, k); ++r) rows.push_back(space.offset(kind, k) + r);
  return rows;
}

Nodes concatenated(const std::vector<Nodes>& lists) {
  Nodes all;
  for (const Nodes& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

// ---- Sec. 4 --------------------------------------------------------------------------------------------------------

void expect_partitioned(const SkoModel<double>& model, const PartitionedModel<double>& p, const Nodes& order) {
  const Dense dense(model);
  const Nodes v = rows_of(*model.space, Kind::node, order), j = rows_of(*model.space, Kind::joint, order);
  EXPECT_TRUE(same(adjacency(p), dense.E(v, v)));
  EXPECT_TRUE(same(resolvent(p), dense.A(v, v)));
  EXPECT_TRUE(same(joint_map(p), dense.H(j, v)));
  EXPECT_TRUE(same(inertia(p), dense.M(v, v)));
  EXPECT_TRUE(same(one(dense.A.rows()) - adjacency(p), inverse(dense.A)(v, v)));  // Eq. 23
  EXPECT_EQ(arranged(adjacency(model.A), order), dense.E(v, v));
  // the parts are SKO models: what is a block of A is the resolvent of the block of E_A
  for (const Component<double>* part : {&p.child, &p.inner, &p.parent}) {
    const Nodes w = rows_of(*model.space, Kind::node, part->nodes);
    EXPECT_TRUE(same(resolvent(part->model.A).matrix, dense.A(w, w)));
    EXPECT_TRUE(same(inverse(one(static_cast<Eigen::Index>(w.size())) - dense.E(w, w)), dense.A(w, w)));
  }
}

TEST(Jain2012Partition, OperatorsInBlocks) {  // Lemma 2, Eq. 22 to 25
  Random random(21);
  int seen = 0;
  on_given_models([&](const Given& given) {
    const Tree& tree = given.model.tree();
    const Nodes inner =
        path_induced(digraph_of(tree), induced(digraph_of(tree), random_nodes(random, tree.size()))).nodes;
    const PartitionedModel<double> p = partitioned(given.model, inner);
    expect_partitioned(given.model, p, partition(tree, inner).order());
    seen += !p.child.nodes.empty() && !p.inner.nodes.empty() && !p.parent.nodes.empty();
    // with empty parts
    expect_partitioned(given.model, partitioned(given.model, Nodes{}), partition(tree, Nodes{}).order());
    Nodes all;
    for (int k = 0; k < tree.size(); ++k) all.push_back(k);
    expect_partitioned(given.model, partitioned(given.model, all), all);
    // a part again, numbered as in the whole
    for (const Component<double>* part : {&p.child, &p.inner, &p.parent}) {
      if (part->nodes.empty()) continue;
      const Nodes one{part->nodes[static_cast<std::size_t>(random.below(static_cast<int>(part->nodes.size())))]};
      const PartitionedModel<double> finer = partitioned(*part, one);
      Nodes places = concatenated({finer.child.nodes, finer.inner.nodes, finer.parent.nodes});
      EXPECT_EQ(finer.inner.nodes, one);
      EXPECT_TRUE(same(resolvent(finer), arranged(resolvent(given.model.A), places)));
      EXPECT_TRUE(same(adjacency(finer), arranged(adjacency(given.model.A), places)));
    }
  });
  EXPECT_GT(seen, 30);
}

TEST(Jain2012Partition, AInBlocksOnManyTrees) {  // Lemma 2; A is the sum of E_A's powers
  Random random(20);
  int seen = 0;
  for (int number = 0; number < random_trees; ++number) {
    const Tree tree = random_tree_of(random, 14);
    std::vector<int> sizes;
    for (int k = 0; k < tree.size(); ++k) sizes.push_back(1 + random.below(3));
    const auto space = std::make_shared<const Space>("weights", tree, sizes, sizes);
    const SkoModel<double> model{space, random_weights(space, random.next()),
                                 random_blocks(space, Kind::joint, Kind::node, random.next()),
                                 random_blocks(space, Kind::node, Kind::node, random.next())};
    const MatrixXd E = placed(model.A);
    MatrixXd power = one(E.rows()), A = power;
    for (int k = 0; k < tree.size(); ++k) A += power = E * power;
    const Digraph digraph = digraph_of(tree);
    for (int draw = 0; draw < 3; ++draw) {
      const Nodes inner = path_induced(digraph, induced(digraph, random_nodes(random, tree.size()))).nodes;
      const PartitionedModel<double> p = partitioned(model, inner);
      const Nodes v = rows_of(*space, Kind::node, partition(tree, inner).order());
      EXPECT_TRUE(same(resolvent(p), A(v, v))) << number;
      EXPECT_EQ(adjacency(p), E(v, v));
      seen += !p.child.nodes.empty() && !p.parent.nodes.empty();
    }
  }
  EXPECT_GT(seen, 500);
}

TEST(Jain2012Partition, OnlyPathInducedPartsAreBlocksOfA) {
  const Given chain{resting_family<double>("chain:3").model, {}, {}};
  EXPECT_TRUE(says(message_of<std::invalid_argument>([&] { partitioned(chain.model, Nodes{0, 2}); }), "passes body2"));
  const Component<double> ends = component(chain.model, {0, 2});
  EXPECT_FALSE(same(resolvent(ends.model.A).matrix, arranged(resolvent(chain.model.A), {0, 2})));
  // and operators of a part do not mix with those of the whole
  EXPECT_THROW(resolvent(ends.model.A) * resolvent(chain.model.A), IncompatibleOperators);
  const PartitionedModel<double> p = partitioned(chain.model, Nodes{1});
  EXPECT_TRUE(says(message_of<std::invalid_argument>([&] { partitioned(p.child, Nodes{2}); }), "node 2 of the whole"));
  EXPECT_TRUE(says(message_of<std::invalid_argument>([&] { outer_inner_mass_matrix(p); }), "body3 hangs outboard"));
}

/// Some nodes and all below them.
Nodes random_outer_system(Random& random, const Tree& tree) {
  Nodes outer;
  const int a = random.below(tree.size()), b = random.below(tree.size());
  for (int k = 0; k < tree.size(); ++k)
    if (tree.at_or_above(a, k) || tree.at_or_above(b, k)) outer.push_back(k);
  return outer;
}

TEST(Jain2012Partition, MassMatrixOfAnOuterSystemOnAnInnerOne) {  // Cor. 4.1, Eq. 26, 27
  Random random(22);
  on_given_models([&](const Given& given) {
    const Nodes outer = random_outer_system(random, given.model.tree());
    const PartitionedModel<double> p = partitioned(given.model, outer);
    const OuterInnerMassMatrix<double> m = outer_inner_mass_matrix(p);
    const Dense dense(given.model);
    const Nodes s = rows_of(*given.model.space, Kind::joint, outer);
    const Nodes i = rows_of(*given.model.space, Kind::joint, p.parent.nodes), all = concatenated({s, i});
    EXPECT_TRUE(same(m.whole(), dense.mass(all, all)));
    EXPECT_TRUE(same(m.M_S, dense.mass(s, s)));
    // M_P is the mass matrix of the inner system alone, Y what carrying the outer one adds
    const Dense inner(component(given.model, p.parent.nodes).model);
    EXPECT_TRUE(same(m.M_P, inner.mass));
    EXPECT_TRUE(same(m.Y, dense.mass(i, i) - inner.mass, dense.mass.size() ? largest_of(dense.mass) : 0));
  });
}

/// The description with everything changed that stands inboard: of all bodies that `outer` does not hold.
Description changed_inboard(Description d, const Model& model, const Nodes& outer, Random& random) {
  const auto body_of = [&](const std::string& name) -> BodyDescription* {
    const auto found =
        std::find_if(d.bodies.begin(), d.bodies.end(), [&](const BodyDescription& b) { return b.name == name; });
    return found == d.bodies.end() ? nullptr : &*found;
  };
  const auto is_outer = [&](BodyDescription* b) {
    while (b && b->joint.type == "fixed") b = body_of(b->parent);  // a fixed link is part of what it is fixed to
    if (!b) return false;
    for (int i = 0; i < model.body_count(); ++i)
      if (model.body_name(i) == b->name) return has(outer, node_of_body(model, i));
    ADD_FAILURE() << b->name << " is no body of the model";
    return false;
  };
  for (double& g : d.gravity) g = random.uniform(-20, 20);
  for (BodyDescription& b : d.bodies) {
    BodyDescription* carrier = body_of(b.parent);
    // the place of an outer body on an inner one is inboard of it as well
    if (!is_outer(carrier) && b.joint.type != "fixed") b.joint.origin.xyz = {random.uniform(-1, 1), 0.3, -0.2};
    if (is_outer(&b) || !b.inertial) continue;
    const double scale = random.uniform(0.1, 10);
    b.inertial->mass *= scale;
    for (double& x : b.inertial->inertia) x *= scale;
    b.inertial->frame.xyz[1] += 0.1;
  }
  return d;
}

TEST(Jain2012Partition, OuterMassMatrixIsBitwiseThatOfTheOuterSystem) {  // Cor. 4.1
  Random random(23);
  int compared = 0;
  for (int number = 0; number < random_tree_count; ++number) {
    SCOPED_TRACE("random tree " + std::to_string(number));
    const RandomTree tree = random_tree(number);
    const SkoModel<double>& model = tree.body.model;
    const Nodes outer = random_outer_system(random, model.tree());
    const MatrixXd block = arranged(mass_matrix(model), outer);
    EXPECT_EQ(block, outer_inner_mass_matrix(partitioned(model, outer)).M_S);
    // other inboard parameters, coordinates and velocities; other external forces everywhere
    const Model other = make_model(changed_inboard(tree.description, tree.model, outer, random));
    ASSERT_EQ(other.body_count(), tree.model.body_count());
    oracle::TestState state = oracle::random_state(other, static_cast<std::uint64_t>(number) + 7000);
    MatrixXd H(tree.model.nv(), tree.model.nv()), H_other(tree.model.nv(), tree.model.nv());
    Nodes v_rows;
    for (const int k : outer) {
      const int i = node_of_body(tree.model, k);
      const auto own = [&](const auto& index, int total) {
        const auto u = static_cast<std::size_t>(i);
        return std::pair<int, int>{index[u], (u + 1 < index.size() ? index[u + 1] : total) - index[u]};
      };
      const auto [q_row, q_rows] = own(tree.model.data().q_index, tree.model.nq());
      const auto [v_row, v_count] = own(tree.model.data().v_index, tree.model.nv());
      state.q.segment(q_row, q_rows) = tree.state.q.segment(q_row, q_rows);
      for (int r = 0; r < v_count; ++r) v_rows.push_back(v_row + r);
    }
    const RigidBody<double> changed = rigid_body(other, state.q.data(), state.v.data(), state.f_ext.data());
    const Explicit<double> changed_mass = mass_matrix(changed.model);
    EXPECT_EQ(arranged(changed_mass, outer), block);
    if (static_cast<int>(outer.size()) < model.tree().size()) {
      EXPECT_NE(changed_mass.matrix, mass_matrix(model).matrix);
      ++compared;
    }
    // the same of the mass matrix that users get, but for rounding: its forces stand in the root's axes
    Workspace workspace(tree.model), other_workspace(other);
    EXPECT_TRUE(mass_matrix(tree.model, workspace, tree.state.q, H).ok());
    EXPECT_TRUE(mass_matrix(other, other_workspace, state.q, H_other).ok());
    const MatrixXd own = H(v_rows, v_rows), own_other = H_other(v_rows, v_rows);
    EXPECT_LE((own - own_other).norm(), 1e-14 * own.norm());
    if (HasFailure()) return;
  }
  EXPECT_GT(compared, 100);
}

// ---- Sec. 6 --------------------------------------------------------------------------------------------------------

TEST(Jain2012AggregatedModel, OperatorsOfOneSet) {  // Lemmas 7, 8, 9
  Random random(24);
  int several = 0;
  on_given_models([&](const Given& given) {
    const Tree& tree = given.model.tree();
    const Nodes set = random_aggregates(random, tree, 1)[0];
    const PartitionedModel<double> p = partitioned(given.model, set);
    const Nodes order = partition(tree, set).order();
    const Dense dense(given.model);
    const Nodes v = rows_of(*given.model.space, Kind::node, order), j = rows_of(*given.model.space, Kind::joint, order);
    MatrixXd J = one(dense.A.rows());
    const auto c = static_cast<Eigen::Index>(rows_of(*given.model.space, Kind::node, p.child.nodes).size());
    const Nodes s = rows_of(*given.model.space, Kind::node, set);
    const auto m_s = static_cast<Eigen::Index>(s.size());
    const MatrixXd A_S_inverse = one(m_s) - dense.E(s, s);
    J.block(c, c, m_s, m_s) = A_S_inverse;
    EXPECT_TRUE(same(aggregated_resolvent(p), J * dense.A(v, v)));
    EXPECT_TRUE(same(aggregated_joint_map(p), dense.H(j, v) * inverse(J)));
    EXPECT_TRUE(same(aggregated_adjacency(p), one(J.rows()) - inverse(J * dense.A(v, v))));
    // the aggregated model's own operators are these
    const AggregatedModel<double> x = aggregate(given.model, given.a, given.b, {set});
    Nodes images;
    for (const int k : order)
      if (const int image = x.nodes.image[static_cast<std::size_t>(k)]; !has(images, image)) images.push_back(image);
    EXPECT_TRUE(same(arranged(adjacency(x.model.A), images), aggregated_adjacency(p)));
    EXPECT_TRUE(same(arranged(resolvent(x.model.A), images), aggregated_resolvent(p)));
    EXPECT_TRUE(same(arranged(explicit_form(x.model.H), images), aggregated_joint_map(p)));
    EXPECT_TRUE(same(arranged(explicit_form(x.model.M), images), dense.M(v, v)));
    EXPECT_TRUE(same(x.a(x.nodes.image[static_cast<std::size_t>(set[0])]),
                     inverse(A_S_inverse).transpose() * given.a.value(s)));
    // Lemma 7, 1: each column of E_A_a has one block at most, but that block is in the row of S's parent. So it is an
    // SKO operator of the nodes of T with S's nodes all hung from that parent, not of T itself as printed
    const int parent = aggregation_condition(tree, set).parents[0];
    Nodes flat(tree.parents().begin(), tree.parents().end());
    for (const int k : set) flat[static_cast<std::size_t>(k)] = parent;
    const Tree hung(flat);
    Nodes place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) place[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
    Nodes first{0};
    for (const int k : order) first.push_back(first.back() + given.model.space->size(Kind::node, k));
    const MatrixXd E_a = aggregated_adjacency(p);
    for (int l = 0; l < tree.size(); ++l)
      for (int k = 0; k < tree.size(); ++k) {
        const auto row = static_cast<std::size_t>(place[static_cast<std::size_t>(l)]),
                   column = static_cast<std::size_t>(place[static_cast<std::size_t>(k)]);
        const bool zero =
            E_a.block(first[row], first[column], first[row + 1] - first[row], first[column + 1] - first[column])
                .isZero(0);
        EXPECT_TRUE(zero || hung.parent(k) == l);
      }
    several += set.size() > 1;
  });
  EXPECT_GT(several, 50);
}

TEST(Jain2012AggregatedModel, MassMatrixAndBiasAreTheOriginals) {  // Cor. 6.1, several sets at once
  Random random(25);
  int several = 0;
  on_given_models([&](const Given& given) {
    const std::vector<Nodes> sets = random_aggregates(random, given.model.tree(), 4);
    const AggregatedModel<double> x = aggregate(given.model, given.a, given.b, sets);
    const Nodes order = concatenated(x.nodes.members);
    const Dense dense(given.model);
    const Nodes j = rows_of(*given.model.space, Kind::joint, order);
    EXPECT_TRUE(same(mass_matrix(x.model).matrix, dense.mass(j, j)));
    EXPECT_TRUE(same(Dense(x.model).mass, dense.mass(j, j)));
    const VectorXd bias = dense.H * dense.A * (dense.M * dense.A.transpose() * given.a.value + given.b.value);
    const auto rest = Stacked<double>::zero(x.model.space, Kind::joint);
    EXPECT_TRUE(same(in_original_order(x, inverse_dynamics(x.model, rest, x.a, x.b)), bias));
    EXPECT_TRUE(same(inverse_dynamics(x.model, rest, x.a, x.b), bias(j)));
    // velocities are the original's, node by node (Eq. 38)
    const auto theta_dot = random_stacked(given.model.space, Kind::joint, random.next());
    const auto V = transpose_times(x.model.A, transpose_times(x.model.H, regrouped(x, theta_dot)));
    EXPECT_TRUE(same(in_original_order(x, V), dense.A.transpose() * dense.H.transpose() * theta_dot.value));
    several += x.nodes.tree.size() + 1 < given.model.tree().size();
  });
  EXPECT_GT(several, 80);
}

TEST(Jain2012AggregatedModel, DynamicsAreThoseOfTheMechanism) {  // Lemma 9, against the Model's own inverse dynamics
  Random random(26);
  for (int number = 0; number < random_tree_count; ++number) {
    SCOPED_TRACE("random tree " + std::to_string(number));
    const RandomTree tree = random_tree(number);
    const std::vector<Nodes> sets = random_aggregates(random, tree.body.model.tree(), 3);
    const AggregatedModel<double> x = aggregate(tree.body.model, tree.body.a, tree.body.b, sets);
    const auto T = regrouped(x, joint_rows(tree.body, tree.model, tree.state.tau.data()));
    const auto theta_ddot = forward_dynamics(x.model, riccati(x.model), T, x.a, x.b);
    const std::vector<double> a = model_order(tree.model, in_original_order(x, theta_ddot));
    Workspace workspace(tree.model);
    VectorXd tau(tree.model.nv());
    EXPECT_TRUE(inverse_dynamics(tree.model, workspace, tree.state.q, tree.state.v,
                                 Eigen::Map<const VectorXd>(a.data(), tree.model.nv()), tree.state.f_ext, tau)
                    .ok());
    EXPECT_TRUE(same_within(1e-10, MatrixXd(tau), tree.state.tau, largest_of(tau)));
    if (HasFailure()) return;
  }
}

TEST(Jain2012AggregatedModel, NothingIsLostButRounding) {  // Cor. 6.1 in 60 digits
  for (const char* family : {"chain:6", "tree:2x4", "random:14:seed=3"}) {
    const RigidBody<Reference> body = resting_family<Reference>(family);
    Random random(27);
    const AggregatedModel<Reference> x =
        aggregate(body.model, body.a, body.b, random_aggregates(random, body.model.tree(), 4));
    ASSERT_LT(x.nodes.tree.size(), body.model.tree().size());
    const Matrix<Reference> M = mass_matrix(x.model).matrix,
                            M_0 = arranged(mass_matrix(body.model), concatenated(x.nodes.members));
    const auto rest = Stacked<Reference>::zero(body.model.space, Kind::joint);
    const Stacked<Reference> C = inverse_dynamics(x.model, regrouped(x, rest), x.a, x.b),
                             C_0 = inverse_dynamics(body.model, rest, body.a, body.b);
    const auto worst = [](const auto& X) { return to_double(largest_of(X)); };
    EXPECT_LT(worst((M - M_0).eval()), 1e-59 * worst(M_0)) << family;
    EXPECT_LT(worst((in_original_order(x, C).value - C_0.value).eval()), 1e-59 * worst(C_0.value)) << family;
  }
}

TEST(Jain2012AggregatedModel, WhatCannotBeAggregatedIsRefused) {
  const RigidBody<double> body = resting_family<double>("tree:2x3"), other = resting_family<double>("tree:2x3");
  const Tree& tree = body.model.tree();
  Nodes tips;
  for (int k = 0; k < tree.size(); ++k)
    if (tree.children(k).empty()) tips.push_back(k);
  EXPECT_TRUE(says(message_of<std::invalid_argument>([&] {
                     aggregate(body.model, body.a, body.b, {{tips.front(), tips.back()}});
                   }),
                   "has 2 parents", "wants one"));
  EXPECT_THROW(aggregate(body.model, other.a, body.b, {{0}}), IncompatibleOperators);
  EXPECT_THROW(aggregate(body.model, body.a, other.b, {{0}}), IncompatibleOperators);
  EXPECT_THROW(regrouped(aggregate(body.model, body.a, body.b, {{0}}), other.a), IncompatibleOperators);
}

}  // namespace
}  // namespace kinetree::sko
