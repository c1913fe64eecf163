#pragma once
// Subgraphs: induced, path-induced, and the aggregation subgraph of a tree (Jain 2012 I, Sec. 3, 5.3).

#include <kinetree/export.hpp>
#include <kinetree/sko/digraph.hpp>

namespace kinetree::sko {

/// Some nodes and some of the edges between them; both ascending.
struct Subgraph {
  std::vector<int> nodes;
  std::vector<Edge> edges;
  bool operator==(const Subgraph&) const = default;
};

/// Every node and edge of `inner` is one of `outer`.
KINETREE_EXPORT bool contains(const Subgraph& outer, const Subgraph& inner);

/// S with its nodes and edges in order and each once. Throws std::invalid_argument naming a node or edge that the
/// digraph has not, or an edge whose ends are not both in S.
KINETREE_EXPORT Subgraph subgraph(const Digraph& digraph, std::vector<int> nodes, std::vector<Edge> edges = {});
/// The nodes and all edges between them.
KINETREE_EXPORT Subgraph induced(const Digraph& digraph, const std::vector<int>& nodes);
/// S_I, the smallest induced subgraph that contains S: the same nodes, all edges between them.
KINETREE_EXPORT Subgraph induced(const Digraph& digraph, const Subgraph& s);
/// S_P, the smallest path-induced subgraph that contains S: with all nodes and edges of the directed paths from one
/// node of S to one of S. Paths may be closed and may pass a node twice: Lemma 1 and Cor. 3.1 need it.
KINETREE_EXPORT Subgraph path_induced(const Digraph& digraph, const Subgraph& s);

/// ℘(S): the nodes outside S with an edge into S, ascending. C(S) likewise out of S.
KINETREE_EXPORT std::vector<int> parents_of(const Digraph& digraph, const std::vector<int>& nodes);
KINETREE_EXPORT std::vector<int> children_of(const Digraph& digraph, const std::vector<int>& nodes);

/// Whether S may be aggregated without the tree ceasing to be one (Assumption 1), and why not.
struct AggregationCondition {
  std::vector<int> parents;  ///< ℘(S); in a Tree -1 stands for the inertial node
  std::string reason;        ///< empty where the condition holds; else names S, the rule and what breaks it
  bool holds() const { return reason.empty(); }
};
/// S is induced, and ℘(S) is one node, an ancestor of all of S. `tree` is a digraph that is a tree, with the inertial
/// node among its nodes. Throws NotATree; std::invalid_argument for no nodes. A subgraph with the root fails: nothing
/// is the root's ancestor. (Lemma 5 passes this over: contracted it still gives a tree where ℘(S) is empty. But the
/// inertial frame is no body to aggregate.)
KINETREE_EXPORT AggregationCondition aggregation_condition(const Digraph& tree, const Subgraph& s);
/// The same for the subgraph induced by some nodes of a tree or forest, the inertial node outside it.
/// Throws std::invalid_argument for no nodes, repeated or unknown ones.
KINETREE_EXPORT AggregationCondition aggregation_condition(const Tree& tree, const std::vector<int>& nodes);
/// S_A, the nodes of the smallest subgraph that contains S and satisfies the condition (Lemma 6), ascending. It is the
/// smallest subtree that contains S and has its root outside of S, less that root.
KINETREE_EXPORT std::vector<int> aggregation_nodes(const Tree& tree, const std::vector<int>& nodes);

}  // namespace kinetree::sko
