#pragma once
// Digraphs: any nodes and directed edges, before it is known whether they make a tree (Jain 2012 I, Sec. 2.1, 2.2);
// what kind of digraph it is; what keeps it from being the tree that an SKO model needs (Jain 2011, Sec. 8.2).

#include <kinetree/export.hpp>
#include <kinetree/sko/tree.hpp>
#include <stdexcept>

namespace kinetree::sko {

/// From parent to child.
struct Edge {
  int parent, child;
  bool operator==(const Edge&) const = default;
  auto operator<=>(const Edge&) const = default;  // NOLINT(modernize-use-nullptr): the compiler writes the 0
};

/// Nodes 0 ... size() - 1 with names; edges ascending. An edge from a node to itself is a directed cycle of one.
class KINETREE_EXPORT Digraph {
 public:
  Digraph() = default;
  /// Throws std::invalid_argument naming an edge to a node that does not exist, or a second edge in the same direction
  /// between two nodes (Sec. 2.1 allows one).
  Digraph(std::vector<std::string> names, std::vector<Edge> edges);

  int size() const { return static_cast<int>(name_.size()); }
  const std::string& name(int k) const { return name_[static_cast<std::size_t>(k)]; }
  const std::vector<Edge>& edges() const { return edges_; }
  /// ℘(k) and C(k), ascending.
  const std::vector<int>& parents(int k) const { return parents_[static_cast<std::size_t>(k)]; }
  const std::vector<int>& children(int k) const { return children_[static_cast<std::size_t>(k)]; }
  bool has_edge(int parent, int child) const;
  /// Nodes without parents, ascending.
  std::vector<int> roots() const;
  /// "a, b, c"
  std::string names(const std::vector<int>& nodes) const;

  bool operator==(const Digraph& other) const { return name_ == other.name_ && edges_ == other.edges_; }

 private:
  std::vector<std::string> name_;
  std::vector<Edge> edges_;
  std::vector<std::vector<int>> parents_, children_;
};

/// A tree or forest as the digraph of the same nodes.
KINETREE_EXPORT Digraph digraph_of(const Tree& tree);
/// The standard multibody digraph (Sec. 2.2): the tree's nodes, and as last node the inertial frame with an edge to
/// every base node.
KINETREE_EXPORT Digraph standard_digraph(const Tree& tree, const std::string& inertial_node = "world");

/// What a digraph is; the numbers are those of Sec. 2.1.
struct Taxonomy {
  bool connected;           ///< 1: an undirected path joins every pair of nodes
  bool rooted;              ///< 2: connected, and its single root is the ancestor of every other node
  bool acyclic;             ///< no directed path leads from a node back to itself
  bool multiply_connected;  ///< two directed paths, neither of which meets a node twice, join some pair of nodes
  bool dag;                 ///< 3: connected and acyclic
  bool polytree;            ///< 4: a DAG that is not multiply connected
  bool tree;                ///< 5: a polytree whose nodes have one parent at most
  bool serial_chain;        ///< 6: a tree whose nodes have one child at most
  bool forest;              ///< 7: disjoint trees, one or more
};
/// O(nodes * (nodes + edges)). An empty digraph is none of them but acyclic.
KINETREE_EXPORT Taxonomy taxonomy(const Digraph& digraph);

/// Every parent's index is greater than its children's: ℘(k) > k (Sec. 2.1).
KINETREE_EXPORT bool canonical(const Digraph& digraph);

/// The nodes that a directed path from one of `sources` leads to, or from (`up`), the sources included; ascending.
KINETREE_EXPORT std::vector<int> reachable(const Digraph& digraph, const std::vector<int>& sources, bool up = false);

/// A spanning tree of a rooted digraph and the edges left out, the cut-edges (Sec. 2.1). Throws std::invalid_argument
/// where the digraph is not rooted, naming a node that its root does not reach.
struct SpanningTree {
  std::vector<Edge> tree, cut;
};
KINETREE_EXPORT SpanningTree spanning_tree(const Digraph& digraph);

/// What keeps a digraph from being a tree or forest (Jain 2011, Sec. 8.2).
struct KINETREE_EXPORT Diagnosis {
  /// Directed cycles k -> ... -> k, one for every edge that closes one in a depth-first search, first node not
  /// repeated: E_A is not nilpotent, A = (1 - E_A)⁻¹ does not exist. Without their last-to-first edges the digraph has
  /// no cycle.
  std::vector<std::vector<int>> cycles;
  /// Nodes with several parents: E_A is nilpotent, but the joint velocities of the edges are not independent.
  std::vector<int> multiply_connected;

  bool clean() const { return cycles.empty() && multiply_connected.empty(); }
  /// One finding a line, with names; empty where clean.
  std::string text(const Digraph& digraph) const;
};
KINETREE_EXPORT Diagnosis diagnose(const Digraph& digraph);

/// Thrown where a tree is wanted; the message is the diagnosis.
class KINETREE_EXPORT NotATree : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// The digraph as a Tree in canonical order, and the number there of each of its nodes. A canonical digraph keeps its
/// numbers. With an `inertial` node, that node is left out (number -1) and its children become base nodes; without, the
/// roots are the base nodes. Throws NotATree; also where `inertial` has a parent or is not the only root.
struct NumberedTree {
  Tree tree;
  std::vector<int> number;
};
KINETREE_EXPORT NumberedTree tree_of(const Digraph& digraph, int inertial = -1);

}  // namespace kinetree::sko
