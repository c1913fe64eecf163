#pragma once
// Serial-chain segments of a tree and the sparsity that they frame (Jain 2012 I, Sec. 7; Jain 2011, Sec. 7).

#include <kinetree/export.hpp>
#include <kinetree/sko/operators.hpp>

namespace kinetree::sko {

/// The tree cut into its longest serial chains: a chain ends where a node has several children, or none. All nodes of
/// one segment are related, so segments are the dense blocks of A and of the mass matrix.
struct Segments {
  std::vector<std::vector<int>> nodes;  ///< per segment, tip first; segments in canonical order, by their tips
  std::vector<int> parent;              ///< per segment, the segment that it hangs from; -1: none
  std::vector<int> segment_of;          ///< per node

  int size() const { return static_cast<int>(nodes.size()); }
};

KINETREE_EXPORT Segments serial_chain_segments(const Tree& tree);
/// The tree of segments (Fig. 6, right), named by their tip and base nodes.
KINETREE_EXPORT Tree segment_tree(const Tree& tree, const Segments& segments);
/// The nodes segment by segment, each tip first: an order in which every segment is one block. It is canonical.
KINETREE_EXPORT std::vector<int> segment_order(const Segments& segments);

/// Entry [j][k]: whether block (j, k) of an operator can be other than zero.
using Pattern = std::vector<std::vector<bool>>;

/// E_A, A and the mass matrix by pairs of nodes; rows and columns as in `order`, where given, else as the tree's.
KINETREE_EXPORT Pattern adjacency_pattern(const Tree& tree, const std::vector<int>& order = {});
KINETREE_EXPORT Pattern resolvent_pattern(const Tree& tree, const std::vector<int>& order = {});
KINETREE_EXPORT Pattern mass_matrix_pattern(const Tree& tree, const std::vector<int>& order = {});
/// The same by pairs of segments (Eq. 43; Eq. 45; Fig. 7). A segment of one node has a zero diagonal block in E_A.
KINETREE_EXPORT Pattern adjacency_pattern(const Segments& segments);
KINETREE_EXPORT Pattern resolvent_pattern(const Segments& segments);
KINETREE_EXPORT Pattern mass_matrix_pattern(const Segments& segments);

/// E_A_{j,k}, the connector of segment k to its parent j (Eq. 44): one block other than zero, in the row of j's tip and
/// the column of k's base. Zero for any other two segments.
template <class S>
KINETREE_EXPORT Matrix<S> segment_connector(const Spo<S>& A, const Segments& segments, int j, int k);
/// A by segments, A_{j,k} = A_j E_A_{j,i} A_{i,k} for the child i of j above k (Eq. 45); rows and columns in segment
/// order.
template <class S>
KINETREE_EXPORT Matrix<S> resolvent_by_segments(const Spo<S>& A, const Segments& segments);

}  // namespace kinetree::sko
