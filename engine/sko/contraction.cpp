#include <algorithm>
#include <kinetree/sko/contraction.hpp>

#include "engine/scalar/index.hpp"

namespace kinetree::sko {

namespace {

/// Per node the set that it belongs to, or -1.
std::vector<int> set_of(const Digraph& digraph, const std::vector<std::vector<int>>& sets) {
  std::vector<int> of(at(digraph.size()), -1);
  for (std::size_t s = 0; s < sets.size(); ++s) {
    if (sets[s].empty())
      throw std::invalid_argument("contraction: set " + std::to_string(s) + " is empty; leave it out");
    for (const int k : sets[s]) {
      if (k < 0 || k >= digraph.size())
        throw std::invalid_argument("contraction: node " + std::to_string(k) + " is not one of 0 to " +
                                    std::to_string(digraph.size() - 1));
      if (of[at(k)] >= 0)
        throw std::invalid_argument("contraction: node " + digraph.name(k) +
                                    " is given twice; merge the sets it is in");
      of[at(k)] = static_cast<int>(s);
    }
  }
  return of;
}

}  // namespace

Contraction contract(const Digraph& digraph, const std::vector<std::vector<int>>& sets) {
  const std::vector<int> of = set_of(digraph, sets);
  Contraction result{{}, std::vector<int>(at(digraph.size())), {}};
  for (int k = 0; k < digraph.size(); ++k) {
    std::vector<int> members = of[at(k)] < 0 ? std::vector<int>{k} : sets[at(of[at(k)])];
    std::sort(members.begin(), members.end());
    if (members.back() != k) continue;
    for (const int m : members) result.image[at(m)] = static_cast<int>(result.members.size());
    result.members.push_back(std::move(members));
  }
  std::vector<std::string> names;
  for (const auto& members : result.members)
    names.push_back(members.size() == 1 ? digraph.name(members[0]) : "{" + digraph.names(members) + "}");
  std::vector<Edge> edges;
  for (const auto& set : result.members) {
    const int k = result.image[at(set[0])];
    for (const int m : set)
      for (const int c : digraph.children(m))
        // inside a set an edge goes; a node's edge to itself, a cycle, stays
        if (result.image[at(c)] != k || set.size() == 1) edges.push_back({k, result.image[at(c)]});
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  result.digraph = Digraph(std::move(names), std::move(edges));
  return result;
}

Contraction contract_nodes(const Digraph& digraph, int i, int j) { return contract(digraph, {{i, j}}); }

Contraction contract_edge(const Digraph& digraph, Edge edge) {
  if (!digraph.has_edge(edge.parent, edge.child))
    throw std::invalid_argument("edge contraction: there is no edge from node " + std::to_string(edge.parent) + " to " +
                                std::to_string(edge.child) + "; node contraction joins any two");
  return contract_nodes(digraph, edge.parent, edge.child);
}

AggregatedTree contract(const Tree& tree, const std::vector<std::vector<int>>& sets) {
  std::string findings;
  for (const auto& set : sets)
    if (const AggregationCondition c = aggregation_condition(tree, set); !c.holds()) findings += c.reason + "\n";
  if (!findings.empty()) throw std::invalid_argument(findings.substr(0, findings.size() - 1));
  // without the inertial node: what was a base node's has no parent, and a set of base nodes is one tree's base
  const Contraction coarse = contract(digraph_of(tree), sets);
  NumberedTree numbered = tree_of(coarse.digraph);
  AggregatedTree result{std::move(numbered.tree), coarse.image, {}};
  result.members.resize(coarse.members.size());
  for (std::size_t k = 0; k < coarse.members.size(); ++k) result.members[at(numbered.number[k])] = coarse.members[k];
  for (int& image : result.image) image = numbered.number[at(image)];
  return result;
}

}  // namespace kinetree::sko
