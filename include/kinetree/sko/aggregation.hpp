#pragma once
// The SKO model of an aggregated tree: subgraphs that satisfy the aggregation condition become one node each
// (Jain 2012 I, Lemmas 7 to 9, Cor. 6.1).

#include <kinetree/export.hpp>
#include <kinetree/sko/contraction.hpp>
#include <kinetree/sko/partition.hpp>

namespace kinetree::sko {

/// A coarser model of the same mechanism. A node's velocities are its members' one after the other, its joint rows
/// likewise. The joint rows' accelerations and forces, the mass matrix and the bias are the original's in another
/// order.
template <class S>
struct AggregatedModel {
  SkoModel<S> model;     ///< (H_a, A_a, M)
  Stacked<S> a, b;       ///< a_a = J_a⁻* a, in a set S the members' A_S* a_S (Eq. 38); b as it was
  AggregatedTree nodes;  ///< which nodes became which
  SpaceRef original;
};

/// (H_a, A_a, M) for several disjoint sets at once; each must satisfy the aggregation condition. O(sum over sets of the
/// square of their size). Throws std::invalid_argument with the reason where one does not, IncompatibleOperators where
/// a or b belongs to another model.
template <class S>
KINETREE_EXPORT AggregatedModel<S> aggregate(const SkoModel<S>& model, const Stacked<S>& a, const Stacked<S>& b,
                                             const std::vector<std::vector<int>>& sets);

/// Node or joint rows of the original in the aggregated model's order, and back.
template <class S>
KINETREE_EXPORT Stacked<S> regrouped(const AggregatedModel<S>& aggregated, const Stacked<S>& original);
template <class S>
KINETREE_EXPORT Stacked<S> in_original_order(const AggregatedModel<S>& aggregated, const Stacked<S>& rows);

// One set, by the partition that it induces; rows and columns C, S, P.

/// E_{A_a} (Lemma 7, Eq. 31).
template <class S>
KINETREE_EXPORT Matrix<S> aggregated_adjacency(const PartitionedModel<S>& p);
/// A_a = J_a A (Lemma 8, Eq. 35).
template <class S>
KINETREE_EXPORT Matrix<S> aggregated_resolvent(const PartitionedModel<S>& p);
/// H_a = H J_a⁻¹ (Lemma 9, Eq. 37).
template <class S>
KINETREE_EXPORT Matrix<S> aggregated_joint_map(const PartitionedModel<S>& p);

}  // namespace kinetree::sko
