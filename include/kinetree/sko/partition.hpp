#pragma once
// The partition of a digraph by a path-induced subgraph into child, inner and parent parts, and of an SKO model with it
// (Jain 2012 I, Lemmas 1, 2, Eq. 22 to 27, Cor. 4.1).

#include <kinetree/export.hpp>
#include <kinetree/sko/model.hpp>
#include <kinetree/sko/subgraph.hpp>

namespace kinetree::sko {

/// Nodes of the whole, each ascending; any part may be empty.
struct KINETREE_EXPORT Partition {
  std::vector<int> child;   ///< C: descendants of S outside S
  std::vector<int> inner;   ///< S itself
  std::vector<int> parent;  ///< P: all others: ancestors of S, and nodes unrelated to S

  /// C, S, P one after the other, the papers' order of rows.
  std::vector<int> order() const;
};

/// Lemma 1. Throws std::invalid_argument naming a missing node where the subgraph induced by `inner` is not
/// path-induced, and for an unknown or repeated node.
KINETREE_EXPORT Partition partition(const Digraph& digraph, const std::vector<int>& inner);
KINETREE_EXPORT Partition partition(const Tree& tree, const std::vector<int>& inner);

/// The SKO model of some of the nodes and the edges between them, a forest, and where its nodes come from. For
/// path-induced nodes its A is a block of the whole's (Lemma 2); for others it is not.
template <class S>
struct Component {
  SkoModel<S> model;
  std::vector<int> nodes;  ///< per node, its number in the whole; ascending
};
template <class S>
KINETREE_EXPORT Component<S> component(const SkoModel<S>& model, const std::vector<int>& nodes);
/// E_A and A alone, over a space of their own.
template <class S>
KINETREE_EXPORT Spo<S> component(const Spo<S>& A, const std::vector<int>& nodes);

/// Some block rows and block columns of an operator, in the order given.
template <class S>
KINETREE_EXPORT Matrix<S> arranged(const Explicit<S>& X, const std::vector<int>& rows, const std::vector<int>& columns);
template <class S>
Matrix<S> arranged(const Explicit<S>& X, const std::vector<int>& order) {
  return arranged(X, order, order);
}

/// An SKO model in its C, S and P parts.
template <class S>
struct PartitionedModel {
  Component<S> child, inner, parent;
  Matrix<S> B_S;  ///< connector of Eq. 22, S rows by C columns: edges from S to its children in C
  Matrix<S> E_S;  ///< connector, P rows by S columns: edges from P to its children in S
};
template <class S>
KINETREE_EXPORT PartitionedModel<S> partitioned(const SkoModel<S>& model, const std::vector<int>& inner);
/// A part partitioned again; `inner` and the nodes of the result are numbered as in the whole. Throws
/// std::invalid_argument for a node that the part has not.
template <class S>
KINETREE_EXPORT PartitionedModel<S> partitioned(const Component<S>& part, const std::vector<int>& inner);

// The whole's operators by its parts, rows and columns C, S, P.

/// E_A (Eq. 22).
template <class S>
KINETREE_EXPORT Matrix<S> adjacency(const PartitionedModel<S>& p);
/// A (Lemma 2, Eq. 24).
template <class S>
KINETREE_EXPORT Matrix<S> resolvent(const PartitionedModel<S>& p);
/// H and M (Eq. 25).
template <class S>
KINETREE_EXPORT Matrix<S> joint_map(const PartitionedModel<S>& p);
template <class S>
KINETREE_EXPORT Matrix<S> inertia(const PartitionedModel<S>& p);

/// The mass matrix [M_S X; X* M_P + Y] of an outer system S on an inner one P (Cor. 4.1, Eq. 26, 27). M_S is the outer
/// system's own: it depends on no parameter, coordinate or velocity inboard of it, not even in its rounding.
template <class S>
struct OuterInnerMassMatrix {
  Matrix<S> M_S, X, M_P, Y;
  /// The whole, rows and columns S, P.
  KINETREE_EXPORT Matrix<S> whole() const;
};
/// Throws std::invalid_argument where C is not empty, naming a node of it.
template <class S>
KINETREE_EXPORT OuterInnerMassMatrix<S> outer_inner_mass_matrix(const PartitionedModel<S>& p);

}  // namespace kinetree::sko
