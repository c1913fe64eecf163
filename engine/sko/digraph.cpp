#include <algorithm>
#include <functional>
#include <kinetree/sko/digraph.hpp>
#include <numeric>
#include <queue>

#include "engine/scalar/index.hpp"

namespace kinetree::sko {

namespace {

/// What a depth-first search met.
struct Search {
  std::vector<bool> visited;
  std::vector<Edge> tree;                ///< edges by which nodes were first met
  std::vector<std::vector<int>> cycles;  ///< one per edge back to a node on the current path
  bool met_twice = false;                ///< an edge led to a finished node: a second path to it
};

/// The one search of digraphs. Gather and scatter can't do it: they want a tree, and whether there is one is the
/// question.
template <class Neighbours>
Search depth_first(int size, const std::vector<int>& sources, const Neighbours& neighbours) {
  Search s;
  s.visited.assign(at(size), false);
  std::vector<bool> on_path(at(size), false);
  std::vector<int> path;
  std::vector<std::size_t> next;
  const auto enter = [&](int k) {
    s.visited[at(k)] = on_path[at(k)] = true;
    path.push_back(k);
    next.push_back(0);
  };
  for (const int source : sources) {
    if (s.visited[at(source)]) continue;
    enter(source);
    while (!path.empty()) {
      const int k = path.back();
      const auto& around = neighbours(k);
      if (next.back() == around.size()) {
        on_path[at(k)] = false;
        path.pop_back();
        next.pop_back();
        continue;
      }
      const int j = around[next.back()++];
      if (!s.visited[at(j)]) {
        s.tree.push_back({k, j});
        enter(j);
      } else if (on_path[at(j)]) {
        s.cycles.emplace_back(std::find(path.begin(), path.end(), j), path.end());
      } else {
        s.met_twice = true;
      }
    }
  }
  return s;
}

std::vector<int> all_nodes(const Digraph& digraph) {
  std::vector<int> nodes(at(digraph.size()));
  std::iota(nodes.begin(), nodes.end(), 0);
  return nodes;
}

/// Roots first, so that cycles are entered where a mechanism enters them; then whatever no root leads to.
Search search_all(const Digraph& digraph) {
  std::vector<int> sources = digraph.roots();
  const std::vector<int> all = all_nodes(digraph);
  sources.insert(sources.end(), all.begin(), all.end());
  return depth_first(
      digraph.size(), sources, [&](int k) -> const auto& { return digraph.children(k); });
}

bool is_connected(const Digraph& digraph) {
  const Search s = depth_first(digraph.size(), {0}, [&](int k) {
    std::vector<int> both = digraph.children(k);
    both.insert(both.end(), digraph.parents(k).begin(), digraph.parents(k).end());
    return both;
  });
  return std::all_of(s.visited.begin(), s.visited.end(), [](bool v) { return v; });
}

/// Seen from one node, an edge back to the current path closes a cycle but opens no second path without a repeated
/// node; any other edge to a node met before does.
bool is_multiply_connected(const Digraph& digraph) {
  const std::vector<int> nodes = all_nodes(digraph);
  return std::any_of(nodes.begin(), nodes.end(), [&](int source) {
    return depth_first(
               digraph.size(), {source}, [&](int k) -> const auto& { return digraph.children(k); })
        .met_twice;
  });
}

bool at_most_one(const Digraph& digraph, const std::vector<int>& (Digraph::*neighbours)(int) const) {
  const std::vector<int> nodes = all_nodes(digraph);
  return std::all_of(nodes.begin(), nodes.end(), [&](int k) { return (digraph.*neighbours)(k).size() <= 1; });
}

}  // namespace

Digraph::Digraph(std::vector<std::string> names, std::vector<Edge> edges)
    : name_(std::move(names)), edges_(std::move(edges)), parents_(name_.size()), children_(name_.size()) {
  std::sort(edges_.begin(), edges_.end());
  const auto known = [&](int k) { return k >= 0 && k < size(); };
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    const auto [parent, child] = edges_[e];
    if (!known(parent) || !known(child))
      throw std::invalid_argument("digraph: the edge from node " + std::to_string(parent) + " to " +
                                  std::to_string(child) + " leaves the nodes 0 to " + std::to_string(size() - 1));
    if (e > 0 && edges_[e - 1] == edges_[e])
      throw std::invalid_argument("digraph: two edges from " + name(parent) + " to " + name(child) +
                                  "; between two nodes there is one edge at most in each direction, merge them");
    parents_[at(child)].push_back(parent);
    children_[at(parent)].push_back(child);
  }
}

bool Digraph::has_edge(int parent, int child) const {
  return std::binary_search(edges_.begin(), edges_.end(), Edge{parent, child});
}

std::vector<int> Digraph::roots() const {
  std::vector<int> roots;
  for (int k = 0; k < size(); ++k)
    if (parents(k).empty()) roots.push_back(k);
  return roots;
}

std::string Digraph::names(const std::vector<int>& nodes) const {
  std::string text;
  for (const int k : nodes) text.append(text.empty() ? "" : ", ").append(name(k));
  return text;
}

Digraph digraph_of(const Tree& tree) {
  std::vector<std::string> names;
  std::vector<Edge> edges;
  for (int k = 0; k < tree.size(); ++k) {
    names.push_back(tree.name(k));
    if (tree.parent(k) >= 0) edges.push_back({tree.parent(k), k});
  }
  return Digraph(std::move(names), std::move(edges));
}

Digraph standard_digraph(const Tree& tree, const std::string& inertial_node) {
  const Digraph bodies = digraph_of(tree);
  std::vector<Edge> edges = bodies.edges();
  for (const int base : tree.roots()) edges.push_back({tree.size(), base});
  std::vector<std::string> names;
  for (int k = 0; k < tree.size(); ++k) names.push_back(tree.name(k));
  names.push_back(inertial_node);
  return Digraph(std::move(names), std::move(edges));
}

Taxonomy taxonomy(const Digraph& digraph) {
  Taxonomy t{};
  t.acyclic = search_all(digraph).cycles.empty();
  if (digraph.size() == 0) return t;
  const std::vector<int> roots = digraph.roots();
  const bool one_parent = at_most_one(digraph, &Digraph::parents);
  t.connected = is_connected(digraph);
  t.rooted = roots.size() == 1 && reachable(digraph, roots).size() == at(digraph.size());
  t.multiply_connected = is_multiply_connected(digraph);
  t.dag = t.connected && t.acyclic;
  t.polytree = t.dag && !t.multiply_connected;
  t.tree = t.polytree && one_parent;
  t.serial_chain = t.tree && at_most_one(digraph, &Digraph::children);
  t.forest = t.acyclic && one_parent;
  return t;
}

bool canonical(const Digraph& digraph) {
  return std::all_of(digraph.edges().begin(), digraph.edges().end(), [](Edge e) { return e.parent > e.child; });
}

std::vector<int> reachable(const Digraph& digraph, const std::vector<int>& sources, bool up) {
  const Search s = depth_first(
      digraph.size(), sources, [&](int k) -> const auto& { return up ? digraph.parents(k) : digraph.children(k); });
  std::vector<int> reached;
  for (int k = 0; k < digraph.size(); ++k)
    if (s.visited[at(k)]) reached.push_back(k);
  return reached;
}

SpanningTree spanning_tree(const Digraph& digraph) {
  const std::vector<int> roots = digraph.roots();
  if (roots.size() != 1)
    throw std::invalid_argument("digraph: a spanning tree wants one root, here are " + std::to_string(roots.size()) +
                                (roots.empty() ? "" : ": " + digraph.names(roots)));
  const Search s = depth_first(
      digraph.size(), roots, [&](int k) -> const auto& { return digraph.children(k); });
  const auto missed = std::find(s.visited.begin(), s.visited.end(), false);
  if (missed != s.visited.end())
    throw std::invalid_argument("digraph: no directed path leads from the root " + digraph.name(roots[0]) + " to " +
                                digraph.name(static_cast<int>(missed - s.visited.begin())) +
                                ", so there is no spanning tree");
  SpanningTree result{s.tree, {}};
  std::sort(result.tree.begin(), result.tree.end());
  std::set_difference(digraph.edges().begin(), digraph.edges().end(), result.tree.begin(), result.tree.end(),
                      std::back_inserter(result.cut));
  return result;
}

Diagnosis diagnose(const Digraph& digraph) {
  Diagnosis d;
  d.cycles = search_all(digraph).cycles;
  for (int k = 0; k < digraph.size(); ++k)
    if (digraph.parents(k).size() > 1) d.multiply_connected.push_back(k);
  return d;
}

std::string Diagnosis::text(const Digraph& digraph) const {
  std::string text;
  for (const auto& cycle : cycles) {
    text += "directed cycle ";
    for (const int k : cycle) text += digraph.name(k) + " -> ";
    text += digraph.name(cycle.front()) +
            ": E_A is not nilpotent and has no resolvent A; make one of these edges a loop constraint\n";
  }
  for (const int k : multiply_connected)
    text += "node " + digraph.name(k) + " is multiply connected, its parents are " + digraph.names(digraph.parents(k)) +
            ": its joint velocities are not independent; keep one parent and make the other edges loop constraints\n";
  return text;
}

NumberedTree tree_of(const Digraph& digraph, int inertial) {
  std::string findings = diagnose(digraph).text(digraph);
  if (inertial >= 0 && findings.empty() && digraph.roots() != std::vector<int>{inertial})
    findings = "the inertial node " + digraph.name(inertial) + " is not the only node without a parent (these are " +
               digraph.names(digraph.roots()) + "); give every other node a parent and that one none\n";
  if (!findings.empty()) throw NotATree("digraph: " + findings.substr(0, findings.size() - 1));
  // children first, of those the smallest number first: what is canonical stays as it is
  std::vector<std::size_t> waiting(at(digraph.size()));
  std::priority_queue<int, std::vector<int>, std::greater<>> ready;
  for (int k = 0; k < digraph.size(); ++k)
    if ((waiting[at(k)] = digraph.children(k).size()) == 0) ready.push(k);
  std::vector<int> order;
  NumberedTree result{{}, std::vector<int>(at(digraph.size()), -1)};
  while (!ready.empty()) {
    const int k = ready.top();
    ready.pop();
    if (k != inertial) {
      result.number[at(k)] = static_cast<int>(order.size());
      order.push_back(k);
    }
    for (const int p : digraph.parents(k))
      if (--waiting[at(p)] == 0) ready.push(p);
  }
  std::vector<int> parent;
  std::vector<std::string> names;
  for (const int k : order) {
    parent.push_back(digraph.parents(k).empty() ? -1 : result.number[at(digraph.parents(k)[0])]);
    names.push_back(digraph.name(k));
  }
  result.tree = Tree(std::move(parent), std::move(names));
  return result;
}

}  // namespace kinetree::sko
