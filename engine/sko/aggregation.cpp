#include <kinetree/sko/aggregation.hpp>
#include <numeric>

#include "engine/scalar/index.hpp"

namespace kinetree::sko {

namespace {

/// Sums of the members' rows, and each member's first row within its new node.
struct Rows {
  Rows(const Space& original, const AggregatedTree& nodes, Kind kind) : first(nodes.image.size()) {
    for (const auto& members : nodes.members) {
      int rows = 0;
      for (const int k : members) {
        first[at(k)] = rows;
        rows += original.size(kind, k);
      }
      total.push_back(rows);
    }
  }
  std::vector<int> total, first;
};

template <class S, class Move>
void for_each_member(const AggregatedModel<S>& x, Kind kind, const Move& move) {
  const Rows rows(*x.original, x.nodes, kind);
  for (int k = 0; k < x.original->nodes(); ++k)
    move(k, x.model.space->offset(kind, x.nodes.image[at(k)]) + rows.first[at(k)], x.original->size(kind, k));
}

/// J_a⁻* x for a velocity-like x: within each set, A_S* x_S, by a scatter that stops at the sets' borders.
template <class S>
Stacked<S> accumulated(const SkoModel<S>& model, const std::vector<int>& image, const Stacked<S>& x) {
  Stacked<S> y = x;
  scatter(model.tree(), [&](int k) {
    const int p = model.tree().parent(k);
    if (p >= 0 && image[at(p)] == image[at(k)]) y(k) += model.A(k).transpose() * y(p);
  });
  return y;
}

}  // namespace

template <class S>
AggregatedModel<S> aggregate(const SkoModel<S>& model, const Stacked<S>& a, const Stacked<S>& b,
                             const std::vector<std::vector<int>>& sets) {
  expect_same(model.space, a.space, "aggregation, a");
  expect_same(model.space, b.space, "aggregation, b");
  expect_same(a.kind, Kind::node, "aggregation, a");
  expect_same(b.kind, Kind::node, "aggregation, b");
  const Tree& tree = model.tree();
  AggregatedTree nodes = contract(tree, sets);
  const Rows m(*model.space, nodes, Kind::node), n(*model.space, nodes, Kind::joint);
  const auto space = std::make_shared<const Space>(model.space->name() + ", aggregated", nodes.tree, m.total, n.total);
  AggregatedModel<S> x{{space,
                        {space, {}},
                        BlockDiagonal<S>::zero(space, Kind::joint, Kind::node),
                        BlockDiagonal<S>::zero(space, Kind::node, Kind::node)},
                       Stacked<S>::zero(space, Kind::node),
                       Stacked<S>::zero(space, Kind::node),
                       std::move(nodes),
                       model.space};
  for (int s = 0; s < space->nodes(); ++s) {
    const int p = x.model.tree().parent(s);
    x.model.A.weight.push_back(p < 0 ? Matrix<S>() : Matrix<S>(Matrix<S>::Zero(m.total[at(p)], m.total[at(s)])));
    const auto& members = x.nodes.members[at(s)];
    // the set's one parent, where its paths up end
    const int above = tree.parent(members.back());
    for (const int i : members) {
      const int size = model.space->size(Kind::node, i), column = m.first[at(i)];
      x.model.M(s).block(column, column, size, size) = model.M(i);
      // A(k, i) for every k from i up to the parent: columns of H_S A_S, then of E_S A_S
      Matrix<S> A_ki = Matrix<S>::Identity(size, size);
      x.model.H(s).block(n.first[at(i)], column, model.H(i).rows(), size) = model.H(i);
      int below = i;
      for (const int k : tree.path_up(i, above)) {
        A_ki = (model.A(below) * A_ki).eval();
        if (k == above)
          x.model.A(s).block(m.first[at(k)], column, A_ki.rows(), size) = A_ki;
        else
          x.model.H(s).block(n.first[at(k)], column, model.H(k).rows(), size) = model.H(k) * A_ki;
        below = k;
      }
    }
  }
  x.a = regrouped(x, accumulated(model, x.nodes.image, a));
  x.b = regrouped(x, b);
  return x;
}

template <class S>
Stacked<S> regrouped(const AggregatedModel<S>& aggregated, const Stacked<S>& original) {
  expect_same(aggregated.original, original.space, "regrouping");
  auto result = Stacked<S>::zero(aggregated.model.space, original.kind);
  for_each_member(aggregated, original.kind,
                  [&](int k, int row, int rows) { result.value.segment(row, rows) = original(k); });
  return result;
}

template <class S>
Stacked<S> in_original_order(const AggregatedModel<S>& aggregated, const Stacked<S>& rows) {
  expect_same(aggregated.model.space, rows.space, "original order");
  auto result = Stacked<S>::zero(aggregated.original, rows.kind);
  for_each_member(aggregated, rows.kind, [&](int k, int row, int size) { result(k) = rows.value.segment(row, size); });
  return result;
}

template <class S>
Matrix<S> aggregated_adjacency(const PartitionedModel<S>& p) {
  PartitionedModel<S> q = p;
  q.E_S = p.E_S * resolvent(p.inner.model.A).matrix;
  for (Matrix<S>& weight : q.inner.model.A.weight) weight.setZero();
  return adjacency(q);
}

template <class S>
Matrix<S> aggregated_resolvent(const PartitionedModel<S>& p) {
  const Eigen::Index c = p.B_S.cols(), s = p.B_S.rows();
  Matrix<S> A_a = resolvent(p);
  // J_a = diag(1, A_S⁻¹, 1) turns the middle rows A_S [B_S A_C, 1, 0] into [B_S A_C, 1, 0]
  A_a.block(c, 0, s, c) = p.B_S * resolvent(p.child.model.A).matrix;
  A_a.block(c, c, s, s).setIdentity();
  return A_a;
}

template <class S>
Matrix<S> aggregated_joint_map(const PartitionedModel<S>& p) {
  const Eigen::Index c = p.B_S.cols(), s = p.B_S.rows();
  Matrix<S> H_a = joint_map(p);
  const auto HA_S = explicit_form(p.inner.model.H) * resolvent(p.inner.model.A);
  H_a.block(p.child.model.freedoms(), c, HA_S.matrix.rows(), s) = HA_S.matrix;
  return H_a;
}

#define INSTANTIATE(S)                                                                            \
  template AggregatedModel<S> aggregate(const SkoModel<S>&, const Stacked<S>&, const Stacked<S>&, \
                                        const std::vector<std::vector<int>>&);                    \
  template Stacked<S> regrouped(const AggregatedModel<S>&, const Stacked<S>&);                    \
  template Stacked<S> in_original_order(const AggregatedModel<S>&, const Stacked<S>&);            \
  template Matrix<S> aggregated_adjacency(const PartitionedModel<S>&);                            \
  template Matrix<S> aggregated_resolvent(const PartitionedModel<S>&);                            \
  template Matrix<S> aggregated_joint_map(const PartitionedModel<S>&);
KINETREE_SKO_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace kinetree::sko
