#pragma once
// Constraint embedding: sets of nodes whose joint velocities are tied to each other become one node each, whose joint
// has the independent velocities only, and the closed chain has an SKO model (Jain 2012 II, Sec. 4.3, Lemmas 5, 6).
// Every recursion of this layer runs on it unchanged.

#include <kinetree/export.hpp>
#include <kinetree/sko/aggregation.hpp>

namespace kinetree::sko {

/// What the constraints of one set of nodes leave: theta_dot_S = X theta_dot_R (Eq. 25) and theta_ddot_S =
/// X theta_ddot_R + g with g = X_dot theta_dot_R (Eq. 34).
template <class S>
struct ConstraintMap {
  std::vector<int> nodes;  ///< they satisfy the aggregation condition
  Matrix<S> X;             ///< rows: those of the nodes' joints, in the order of `nodes`; independent columns
  Vector<S> g;             ///< the same rows
};

/// The SKO model of the constrained mechanism. Its joint rows are the independent velocities: a set's node has X's
/// columns, any other node its own joint's.
template <class S>
struct EmbeddedModel {
  SkoModel<S> model;              ///< (H_Ra, A_a, M), H_R = X* H_S; its mass matrix is X* (the tree's) X (Eq. 32)
  Stacked<S> a;                   ///< a_a + H_a* g (Eq. 35)
  Stacked<S> b;                   ///< as it was
  AggregatedModel<S> aggregated;  ///< (H_a, A_a, M), before constraints
  std::vector<Matrix<S>> X;       ///< per node, its diagonal block of X (Eq. 26, 27); 1 outside of the sets
  Stacked<S> g;                   ///< joint rows of `aggregated`; zero outside of the sets
};

/// Aggregates the sets and replaces their joints. a, b: of the whole tree, theta_dot among the allowed ones. Throws
/// std::invalid_argument, naming the set's first node, where X or g has not the rows of the nodes' joints or the
/// columns of X are dependent (a singular constraint map, Sec. 9: fewer coordinates are independent there); and where
/// aggregate() does.
template <class S>
KINETREE_EXPORT EmbeddedModel<S> embed_constraints(const SkoModel<S>& model, const Stacked<S>& a, const Stacked<S>& b,
                                                   const std::vector<ConstraintMap<S>>& constraints);

// Between the independent joint rows of `embedded.model` and the joint rows of the tree that it was made from.

/// theta_dot = X theta_dot_R (Eq. 28).
template <class S>
KINETREE_EXPORT Stacked<S> spanning_velocities(const EmbeddedModel<S>& embedded, const Stacked<S>& independent);
/// theta_ddot = X theta_ddot_R + g (Eq. 34).
template <class S>
KINETREE_EXPORT Stacked<S> spanning_accelerations(const EmbeddedModel<S>& embedded, const Stacked<S>& independent);
/// J_R = X* J (Eq. 36).
template <class S>
KINETREE_EXPORT Stacked<S> independent_forces(const EmbeddedModel<S>& embedded, const Stacked<S>& spanning);
/// X written out: the tree's joint rows, independent columns.
template <class S>
KINETREE_EXPORT Matrix<S> spanning_map(const EmbeddedModel<S>& embedded);

}  // namespace kinetree::sko
