#include <algorithm>
#include <kinetree/sko/mass_matrix.hpp>
#include <kinetree/sko/partition.hpp>

#include "engine/scalar/index.hpp"

namespace kinetree::sko {

namespace {

[[noreturn]] void not_path_induced(const std::string& missing) {
  throw std::invalid_argument("partition: the nodes are not path-induced, a path between two of them passes " +
                              missing +
                              ", which is not among them; take their path-induced subgraph (Jain 2012, Lemma 1)");
}

/// Marks of nodes, each known and given once.
template <class Graph>
std::vector<bool> marks(const Graph& graph, const std::vector<int>& nodes) {
  std::vector<bool> in(at(graph.size()), false);
  for (const int k : nodes) {
    if (k < 0 || k >= graph.size())
      throw std::invalid_argument("partition: node " + std::to_string(k) + " is not one of 0 to " +
                                  std::to_string(graph.size() - 1));
    if (in[at(k)]) throw std::invalid_argument("partition: node " + graph.name(k) + " is given twice");
    in[at(k)] = true;
  }
  return in;
}

Partition sorted_into(const std::vector<bool>& inner, const std::vector<bool>& below) {
  Partition p;
  for (std::size_t k = 0; k < inner.size(); ++k)
    (inner[k] ? p.inner : below[k] ? p.child : p.parent).push_back(static_cast<int>(k));
  return p;
}

/// The forest of some nodes of a tree, and their sizes.
SpaceRef component_space(const Space& whole, const std::vector<int>& nodes) {
  std::vector<int> place(at(whole.nodes()), -1), parent, node_size, joint_size;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < nodes.size(); ++i) place[at(nodes[i])] = static_cast<int>(i);
  for (const int k : nodes) {
    const int p = whole.tree().parent(k);
    parent.push_back(p < 0 ? -1 : place[at(p)]);
    names.push_back(whole.tree().name(k));
    node_size.push_back(whole.size(Kind::node, k));
    joint_size.push_back(whole.size(Kind::joint, k));
  }
  return std::make_shared<const Space>(whole.name() + ", " + std::to_string(nodes.size()) + " nodes of it",
                                       Tree(std::move(parent), std::move(names)), node_size, joint_size);
}

template <class S>
Spo<S> restricted(const Spo<S>& A, const SpaceRef& space, const std::vector<int>& nodes) {
  Spo<S> result{space, {}};
  for (int k = 0; k < space->nodes(); ++k)
    result.weight.push_back(space->tree().parent(k) < 0 ? Matrix<S>() : A(nodes[at(k)]));
  return result;
}

template <class S>
BlockDiagonal<S> restricted(const BlockDiagonal<S>& X, const SpaceRef& space, const std::vector<int>& nodes) {
  BlockDiagonal<S> result{space, X.rows, X.columns, {}};
  for (const int k : nodes) result.block.push_back(X(k));
  return result;
}

std::vector<int> ascending(std::vector<int> nodes) {
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

/// Nodes of the whole as nodes of a component.
std::vector<int> places(const std::vector<int>& component, const std::vector<int>& nodes) {
  std::vector<int> result;
  for (const int k : nodes) {
    const auto found = std::lower_bound(component.begin(), component.end(), k);
    if (found == component.end() || *found != k)
      throw std::invalid_argument("partition: node " + std::to_string(k) + " of the whole is not in this part of it");
    result.push_back(static_cast<int>(found - component.begin()));
  }
  return result;
}

/// Three by three blocks, of which those above the diagonal are zero.
template <class S>
Matrix<S> lower(const Matrix<S>& CC, const Matrix<S>& SC, const Matrix<S>& SS, const Matrix<S>& PC, const Matrix<S>& PS,
                const Matrix<S>& PP) {
  const Eigen::Index c = CC.cols(), s = SS.cols(), p = PP.cols();
  Matrix<S> X = Matrix<S>::Zero(CC.rows() + SS.rows() + PP.rows(), c + s + p);
  X.topLeftCorner(CC.rows(), c) = CC;
  X.block(CC.rows(), 0, SS.rows(), c) = SC;
  X.block(CC.rows(), c, SS.rows(), s) = SS;
  X.bottomLeftCorner(PP.rows(), c) = PC;
  X.block(CC.rows() + SS.rows(), c, PP.rows(), s) = PS;
  X.bottomRightCorner(PP.rows(), p) = PP;
  return X;
}

template <class S>
Matrix<S> lower(const Matrix<S>& CC, const Matrix<S>& SS, const Matrix<S>& PP) {
  return lower<S>(CC, Matrix<S>::Zero(SS.rows(), CC.cols()), SS, Matrix<S>::Zero(PP.rows(), CC.cols()),
                  Matrix<S>::Zero(PP.rows(), SS.cols()), PP);
}

}  // namespace

std::vector<int> Partition::order() const {
  std::vector<int> order = child;
  order.insert(order.end(), inner.begin(), inner.end());
  order.insert(order.end(), parent.begin(), parent.end());
  return order;
}

Partition partition(const Digraph& digraph, const std::vector<int>& inner) {
  const std::vector<bool> in = marks(digraph, inner);
  for (const int k : path_induced(digraph, induced(digraph, inner)).nodes)
    if (!in[at(k)]) not_path_induced(digraph.name(k));
  std::vector<bool> below(at(digraph.size()), false);
  for (const int k : reachable(digraph, inner)) below[at(k)] = true;
  return sorted_into(in, below);
}

Partition partition(const Tree& tree, const std::vector<int>& inner) {
  const std::vector<bool> in = marks(tree, inner);
  std::vector<bool> below(at(tree.size()), false);
  scatter(tree, [&](int k) {
    const int p = tree.parent(k);
    if (p < 0) return;
    below[at(k)] = in[at(p)] || below[at(p)];
    if (in[at(k)] && !in[at(p)] && below[at(p)]) not_path_induced(tree.name(p));
  });
  return sorted_into(in, below);
}

template <class S>
Component<S> component(const SkoModel<S>& model, const std::vector<int>& nodes) {
  marks(model.tree(), nodes);
  const std::vector<int> ordered = ascending(nodes);
  const SpaceRef space = component_space(*model.space, ordered);
  return {{space, restricted(model.A, space, ordered), restricted(model.H, space, ordered),
           restricted(model.M, space, ordered)},
          ordered};
}

template <class S>
Spo<S> component(const Spo<S>& A, const std::vector<int>& nodes) {
  marks(A.space->tree(), nodes);
  const std::vector<int> ordered = ascending(nodes);
  return restricted(A, component_space(*A.space, ordered), ordered);
}

template <class S>
Matrix<S> arranged(const Explicit<S>& X, const std::vector<int>& rows, const std::vector<int>& columns) {
  Eigen::Index height = 0, width = 0;
  for (const int j : rows) height += X.space->size(X.rows, j);
  for (const int k : columns) width += X.space->size(X.columns, k);
  Matrix<S> result(height, width);
  Eigen::Index row = 0;
  for (const int j : rows) {
    Eigen::Index column = 0;
    const int h = X.space->size(X.rows, j);
    for (const int k : columns) {
      result.block(row, column, h, X.space->size(X.columns, k)) = X(j, k);
      column += X.space->size(X.columns, k);
    }
    row += h;
  }
  return result;
}

template <class S>
PartitionedModel<S> partitioned(const SkoModel<S>& model, const std::vector<int>& inner) {
  const Partition p = partition(model.tree(), inner);
  const Explicit<S> E_A = adjacency(model.A);
  return {component(model, p.child), component(model, p.inner), component(model, p.parent),
          arranged(E_A, p.inner, p.child), arranged(E_A, p.parent, p.inner)};
}

template <class S>
PartitionedModel<S> partitioned(const Component<S>& part, const std::vector<int>& inner) {
  PartitionedModel<S> p = partitioned(part.model, places(part.nodes, inner));
  for (Component<S>* c : {&p.child, &p.inner, &p.parent})
    for (int& k : c->nodes) k = part.nodes[at(k)];
  return p;
}

template <class S>
Matrix<S> adjacency(const PartitionedModel<S>& p) {
  return lower<S>(adjacency(p.child.model.A).matrix, p.B_S, adjacency(p.inner.model.A).matrix,
                  Matrix<S>::Zero(p.E_S.rows(), p.B_S.cols()), p.E_S, adjacency(p.parent.model.A).matrix);
}

template <class S>
Matrix<S> resolvent(const PartitionedModel<S>& p) {
  const Matrix<S> A_C = resolvent(p.child.model.A).matrix, A_S = resolvent(p.inner.model.A).matrix,
                  A_P = resolvent(p.parent.model.A).matrix;
  const Matrix<S> from_C = A_S * p.B_S * A_C;
  return lower<S>(A_C, from_C, A_S, A_P * p.E_S * from_C, A_P * p.E_S * A_S, A_P);
}

template <class S>
Matrix<S> joint_map(const PartitionedModel<S>& p) {
  return lower<S>(explicit_form(p.child.model.H).matrix, explicit_form(p.inner.model.H).matrix,
                  explicit_form(p.parent.model.H).matrix);
}

template <class S>
Matrix<S> inertia(const PartitionedModel<S>& p) {
  return lower<S>(explicit_form(p.child.model.M).matrix, explicit_form(p.inner.model.M).matrix,
                  explicit_form(p.parent.model.M).matrix);
}

template <class S>
Matrix<S> OuterInnerMassMatrix<S>::whole() const {
  Matrix<S> M(M_S.rows() + M_P.rows(), M_S.cols() + M_P.cols());
  M << M_S, X, X.transpose(), M_P + Y;
  return M;
}

template <class S>
OuterInnerMassMatrix<S> outer_inner_mass_matrix(const PartitionedModel<S>& p) {
  if (p.child.model.space->nodes() > 0)
    throw std::invalid_argument("outer mass matrix: " + p.child.model.tree().name(0) +
                                " hangs outboard of the outer system; take it in (Jain 2012, Cor. 4.1)");
  const Matrix<S> HA_S = (explicit_form(p.inner.model.H) * resolvent(p.inner.model.A)).matrix;
  const Matrix<S> HA_P = (explicit_form(p.parent.model.H) * resolvent(p.parent.model.A)).matrix;
  const Matrix<S> A_S = resolvent(p.inner.model.A).matrix;
  const Matrix<S> carried =
      explicit_form(p.inner.model.M).matrix * A_S.transpose() * p.E_S.transpose() * HA_P.transpose();
  return {mass_matrix(p.inner.model).matrix, HA_S * carried, mass_matrix(p.parent.model).matrix,
          HA_P * p.E_S * A_S * carried};
}

#define INSTANTIATE(S)                                                                               \
  template Component<S> component(const SkoModel<S>&, const std::vector<int>&);                      \
  template Spo<S> component(const Spo<S>&, const std::vector<int>&);                                 \
  template Matrix<S> arranged(const Explicit<S>&, const std::vector<int>&, const std::vector<int>&); \
  template PartitionedModel<S> partitioned(const SkoModel<S>&, const std::vector<int>&);             \
  template PartitionedModel<S> partitioned(const Component<S>&, const std::vector<int>&);            \
  template Matrix<S> adjacency(const PartitionedModel<S>&);                                          \
  template Matrix<S> resolvent(const PartitionedModel<S>&);                                          \
  template Matrix<S> joint_map(const PartitionedModel<S>&);                                          \
  template Matrix<S> inertia(const PartitionedModel<S>&);                                            \
  template struct OuterInnerMassMatrix<S>;                                                           \
  template OuterInnerMassMatrix<S> outer_inner_mass_matrix(const PartitionedModel<S>&);
KINETREE_SKO_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace kinetree::sko
