#pragma once
// Edge and node contraction; aggregation of subgraphs (Jain 2012 I, Sec. 5.1).

#include <kinetree/export.hpp>
#include <kinetree/sko/subgraph.hpp>

namespace kinetree::sko {

/// A coarser digraph: sets of nodes made one node each. Neighbours of a set's nodes are the new node's neighbours,
/// edges inside a set are gone, edges that fall together are one.
struct Contraction {
  Digraph digraph;
  std::vector<int> image;                 ///< per old node, its new node
  std::vector<std::vector<int>> members;  ///< per new node, its old nodes, ascending
};

/// T_S for disjoint sets, each made one node named "{a, b}". New nodes stand in the order of their last old nodes,
/// which keeps a root last. Throws std::invalid_argument for an empty set, an unknown node, and a node in two sets.
KINETREE_EXPORT Contraction contract(const Digraph& digraph, const std::vector<std::vector<int>>& sets);
/// Node contraction of a pair; they need not be adjacent, and a tree may cease to be one.
KINETREE_EXPORT Contraction contract_nodes(const Digraph& digraph, int i, int j);
/// Edge contraction; a tree stays a tree. Throws std::invalid_argument where there is no such edge.
KINETREE_EXPORT Contraction contract_edge(const Digraph& digraph, Edge edge);

/// The aggregated tree T_S for disjoint sets that each satisfy the aggregation condition, in canonical order; the
/// inertial node is outside. Throws std::invalid_argument with the reason for every set that does not.
struct AggregatedTree {
  Tree tree;
  std::vector<int> image;                 ///< per old node, its new node
  std::vector<std::vector<int>> members;  ///< per new node, its old nodes, ascending
};
KINETREE_EXPORT AggregatedTree contract(const Tree& tree, const std::vector<std::vector<int>>& sets);

}  // namespace kinetree::sko
