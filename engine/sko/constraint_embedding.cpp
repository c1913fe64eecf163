#include <Eigen/QR>
#include <kinetree/sko/constraint_embedding.hpp>

#include "engine/scalar/index.hpp"

namespace kinetree::sko {

namespace {

template <class S>
void check(const SkoModel<S>& model, const ConstraintMap<S>& map) {
  Eigen::Index rows = 0;
  for (const int k : map.nodes) rows += model.space->size(Kind::joint, k);
  const std::string set = "constraint embedding: the set of node '" + model.tree().name(map.nodes.front()) + "' ";
  if (map.X.rows() != rows || map.g.rows() != rows)
    throw std::invalid_argument(set + "has " + std::to_string(rows) + " joint rows, but X has " +
                                std::to_string(map.X.rows()) + " and g " + std::to_string(map.g.rows()));
  if (map.X.size() == 0) return;
  const Matrix<double> X = map.X.unaryExpr([](const S& x) { return to_double(x); });
  if (const Eigen::Index rank = Eigen::ColPivHouseholderQR<Matrix<double>>(X).rank(); rank < X.cols())
    throw std::invalid_argument(set + "has an X of " + std::to_string(X.cols()) + " columns and rank " +
                                std::to_string(rank) + ": take the independent ones only (Jain 2012 II, Sec. 9)");
}

/// The map's rows in the order of the set's node: members ascending.
template <class S>
void place(const ConstraintMap<S>& map, const AggregatedModel<S>& aggregated, const Space& original, Matrix<S>& X,
           Stacked<S>& g) {
  const int node = aggregated.nodes.image[at(map.nodes.front())];
  X.resize(map.X.rows(), map.X.cols());
  int to = 0;
  for (const int member : aggregated.nodes.members[at(node)]) {
    int from = 0;
    for (std::size_t i = 0; map.nodes[i] != member; ++i) from += original.size(Kind::joint, map.nodes[i]);
    const int rows = original.size(Kind::joint, member);
    X.middleRows(to, rows) = map.X.middleRows(from, rows);
    g(node).segment(to, rows) = map.g.segment(from, rows);
    to += rows;
  }
}

}  // namespace

template <class S>
EmbeddedModel<S> embed_constraints(const SkoModel<S>& model, const Stacked<S>& a, const Stacked<S>& b,
                                   const std::vector<ConstraintMap<S>>& constraints) {
  std::vector<std::vector<int>> sets;
  for (const ConstraintMap<S>& map : constraints) sets.push_back(map.nodes);
  AggregatedModel<S> aggregated = aggregate(model, a, b, sets);
  const Space& before = *aggregated.model.space;
  Stacked<S> g = Stacked<S>::zero(aggregated.model.space, Kind::joint);
  std::vector<Matrix<S>> X;
  for (int k = 0; k < before.nodes(); ++k)
    X.push_back(Matrix<S>::Identity(before.size(Kind::joint, k), before.size(Kind::joint, k)));
  for (const ConstraintMap<S>& map : constraints) {
    check(model, map);
    place(map, aggregated, *model.space, X[at(aggregated.nodes.image[at(map.nodes.front())])], g);
  }
  std::vector<int> size, freedoms;
  for (int k = 0; k < before.nodes(); ++k) {
    size.push_back(before.size(Kind::node, k));
    freedoms.push_back(static_cast<int>(X[at(k)].cols()));
  }
  const auto space =
      std::make_shared<const Space>(model.space->name() + ", constraints embedded", before.tree(), size, freedoms);
  SkoModel<S> embedded{space,
                       {space, aggregated.model.A.weight},
                       {space, Kind::joint, Kind::node, {}},
                       {space, Kind::node, Kind::node, aggregated.model.M.block}};
  Stacked<S> a_prime{space, Kind::node, aggregated.a.value};
  for (int k = 0; k < space->nodes(); ++k) {
    embedded.H.block.push_back(X[at(k)].transpose() * aggregated.model.H(k));
    a_prime(k) += aggregated.model.H(k).transpose() * g(k);
  }
  Stacked<S> b_a{space, Kind::node, aggregated.b.value};
  return {std::move(embedded), std::move(a_prime), std::move(b_a), std::move(aggregated), std::move(X), std::move(g)};
}

template <class S>
Stacked<S> spanning_velocities(const EmbeddedModel<S>& embedded, const Stacked<S>& independent) {
  expect_same(embedded.model.space, independent.space, "spanning velocities");
  expect_same(independent.kind, Kind::joint, "spanning velocities");
  auto rows = Stacked<S>::zero(embedded.aggregated.model.space, Kind::joint);
  for (int k = 0; k < rows.space->nodes(); ++k) rows(k) = embedded.X[at(k)] * independent(k);
  return in_original_order(embedded.aggregated, rows);
}

template <class S>
Stacked<S> spanning_accelerations(const EmbeddedModel<S>& embedded, const Stacked<S>& independent) {
  return spanning_velocities(embedded, independent) + in_original_order(embedded.aggregated, embedded.g);
}

template <class S>
Stacked<S> independent_forces(const EmbeddedModel<S>& embedded, const Stacked<S>& spanning) {
  expect_same(spanning.kind, Kind::joint, "independent forces");
  const Stacked<S> rows = regrouped(embedded.aggregated, spanning);
  auto result = Stacked<S>::zero(embedded.model.space, Kind::joint);
  for (int k = 0; k < rows.space->nodes(); ++k) result(k) = embedded.X[at(k)].transpose() * rows(k);
  return result;
}

template <class S>
Matrix<S> spanning_map(const EmbeddedModel<S>& embedded) {
  auto unit = Stacked<S>::zero(embedded.model.space, Kind::joint);
  Matrix<S> X(embedded.aggregated.original->total(Kind::joint), embedded.model.freedoms());
  for (Eigen::Index c = 0; c < X.cols(); ++c) {
    unit.value.setZero();
    unit.value(c) = S(1);
    X.col(c) = spanning_velocities(embedded, unit).value;
  }
  return X;
}

#define INSTANTIATE(S)                                                                                  \
  template EmbeddedModel<S> embed_constraints(const SkoModel<S>&, const Stacked<S>&, const Stacked<S>&, \
                                              const std::vector<ConstraintMap<S>>&);                    \
  template Stacked<S> spanning_velocities(const EmbeddedModel<S>&, const Stacked<S>&);                  \
  template Stacked<S> spanning_accelerations(const EmbeddedModel<S>&, const Stacked<S>&);               \
  template Stacked<S> independent_forces(const EmbeddedModel<S>&, const Stacked<S>&);                   \
  template Matrix<S> spanning_map(const EmbeddedModel<S>&);
KINETREE_SKO_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace kinetree::sko
