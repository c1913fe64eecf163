#include <algorithm>
#include <kinetree/sko/subgraph.hpp>

#include "engine/scalar/index.hpp"

namespace kinetree::sko {

namespace {

std::vector<bool> marks(const Digraph& digraph, const std::vector<int>& nodes) {
  std::vector<bool> in(at(digraph.size()), false);
  for (const int k : nodes) in[at(k)] = true;
  return in;
}

/// Marks of some nodes of a tree, each a node and given once.
std::vector<bool> marks(const Tree& tree, const std::vector<int>& nodes) {
  if (nodes.empty()) throw std::invalid_argument("subgraph: no nodes; give one at least");
  std::vector<bool> in(at(tree.size()), false);
  for (const int k : nodes) {
    if (k < 0 || k >= tree.size())
      throw std::invalid_argument("subgraph: node " + std::to_string(k) + " is not one of 0 to " +
                                  std::to_string(tree.size() - 1));
    if (in[at(k)]) throw std::invalid_argument("subgraph: node " + tree.name(k) + " is given twice");
    in[at(k)] = true;
  }
  return in;
}

template <class Graph>
std::string list(const Graph& graph, const std::vector<int>& nodes) {
  std::string text;
  for (const int k : nodes) text.append(text.empty() ? "" : ", ").append(k < 0 ? "the inertial node" : graph.name(k));
  return text;
}

/// Why parents other than one break the condition.
template <class Graph>
std::string verdict(const Graph& graph, const std::vector<int>& nodes, const std::vector<int>& parents) {
  if (parents.size() == 1) return {};
  return "aggregation condition: {" + list(graph, nodes) + "} has " + std::to_string(parents.size()) + " parents, " +
         list(graph, parents) + ", and wants one; aggregate its aggregation subgraph instead";
}

template <class T>
void sort_unique(std::vector<T>& x) {
  std::sort(x.begin(), x.end());
  x.erase(std::unique(x.begin(), x.end()), x.end());
}

}  // namespace

bool contains(const Subgraph& outer, const Subgraph& inner) {
  return std::includes(outer.nodes.begin(), outer.nodes.end(), inner.nodes.begin(), inner.nodes.end()) &&
         std::includes(outer.edges.begin(), outer.edges.end(), inner.edges.begin(), inner.edges.end());
}

Subgraph subgraph(const Digraph& digraph, std::vector<int> nodes, std::vector<Edge> edges) {
  sort_unique(nodes);
  sort_unique(edges);
  for (const int k : nodes)
    if (k < 0 || k >= digraph.size())
      throw std::invalid_argument("subgraph: node " + std::to_string(k) + " is not one of 0 to " +
                                  std::to_string(digraph.size() - 1));
  for (const Edge e : edges) {
    const auto has = [&](int k) { return std::binary_search(nodes.begin(), nodes.end(), k); };
    if (!digraph.has_edge(e.parent, e.child) || !has(e.parent) || !has(e.child))
      throw std::invalid_argument("subgraph: the edge from node " + std::to_string(e.parent) + " to " +
                                  std::to_string(e.child) + " is not one of the digraph between nodes of the subgraph");
  }
  return {std::move(nodes), std::move(edges)};
}

Subgraph induced(const Digraph& digraph, const std::vector<int>& nodes) {
  Subgraph s = subgraph(digraph, nodes);
  const std::vector<bool> in = marks(digraph, s.nodes);
  for (const int k : s.nodes)
    for (const int c : digraph.children(k))
      if (in[at(c)]) s.edges.push_back({k, c});
  return s;
}

Subgraph induced(const Digraph& digraph, const Subgraph& s) { return induced(digraph, s.nodes); }

Subgraph path_induced(const Digraph& digraph, const Subgraph& s) {
  const std::vector<int> below = reachable(digraph, s.nodes), above = reachable(digraph, s.nodes, true);
  std::vector<int> between;
  std::set_intersection(below.begin(), below.end(), above.begin(), above.end(), std::back_inserter(between));
  // an edge between two such nodes lies on a path from S to S as well
  return induced(digraph, between);
}

std::vector<int> parents_of(const Digraph& digraph, const std::vector<int>& nodes) {
  const std::vector<bool> in = marks(digraph, nodes);
  std::vector<int> parents;
  for (const int k : nodes)
    for (const int p : digraph.parents(k))
      if (!in[at(p)]) parents.push_back(p);
  sort_unique(parents);
  return parents;
}

std::vector<int> children_of(const Digraph& digraph, const std::vector<int>& nodes) {
  const std::vector<bool> in = marks(digraph, nodes);
  std::vector<int> children;
  for (const int k : nodes)
    for (const int c : digraph.children(k))
      if (!in[at(c)]) children.push_back(c);
  sort_unique(children);
  return children;
}

AggregationCondition aggregation_condition(const Digraph& tree, const Subgraph& s) {
  if (const Diagnosis d = diagnose(tree); !d.clean() || tree.roots().size() != 1)
    throw NotATree("aggregation condition: the digraph is not a tree\n" +
                   (d.clean() ? "roots: " + tree.names(tree.roots()) : d.text(tree)));
  if (s.nodes.empty()) throw std::invalid_argument("aggregation condition: no nodes; give one at least");
  const Subgraph full = induced(tree, s);
  AggregationCondition c{parents_of(tree, s.nodes), {}};
  c.reason = verdict(tree, s.nodes, c.parents);
  if (const int root = tree.roots()[0]; std::binary_search(s.nodes.begin(), s.nodes.end(), root))
    c.reason = "aggregation condition: {" + tree.names(s.nodes) + "} holds the root " + tree.name(root) +
               ", which has no ancestor; leave it out";
  if (s.edges.size() < full.edges.size()) {
    const auto missing = std::find_if(full.edges.begin(), full.edges.end(),
                                      [&](Edge e) { return !std::binary_search(s.edges.begin(), s.edges.end(), e); });
    c.reason = "aggregation condition: {" + tree.names(s.nodes) + "} is not induced, the edge from " +
               tree.name(missing->parent) + " to " + tree.name(missing->child) +
               " is missing; take its induced subgraph";
  }
  return c;
}

AggregationCondition aggregation_condition(const Tree& tree, const std::vector<int>& nodes) {
  const std::vector<bool> in = marks(tree, nodes);
  AggregationCondition c;
  for (const int k : nodes)
    if (tree.parent(k) < 0 || !in[at(tree.parent(k))]) c.parents.push_back(tree.parent(k));
  sort_unique(c.parents);
  c.reason = verdict(tree, nodes, c.parents);
  return c;
}

std::vector<int> aggregation_nodes(const Tree& tree, const std::vector<int>& nodes) {
  const std::vector<bool> in = marks(tree, nodes);
  // how many of S are at or below each node; the first with all of them is the lowest common ancestor
  std::vector<std::size_t> held(at(tree.size()), 0);
  int ancestor = -1;
  gather(tree, [&](int k) {
    held[at(k)] = in[at(k)] ? 1 : 0;
    for (const int c : tree.children(k)) held[at(k)] += held[at(c)];
    if (ancestor < 0 && held[at(k)] == nodes.size()) ancestor = k;
  });
  std::vector<int> aggregate;
  for (int k = 0; k < tree.size(); ++k) {
    const bool below = ancestor < 0 || tree.at_or_above(ancestor, k);
    if (held[at(k)] > 0 && below && (k != ancestor || in[at(k)])) aggregate.push_back(k);
  }
  return aggregate;
}

}  // namespace kinetree::sko
