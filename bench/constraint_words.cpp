#include "bench/constraint_words.hpp"

#include <algorithm>
#include <iterator>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::bench {
namespace {

/// Adds the bodies from each node up to where all meet, that one left out.
void add_paths(const ModelData& m, const std::vector<int>& nodes, std::set<int>& bodies) {
  int root = nodes.front();
  for (int node : nodes)
    while (root != node) {
      int& lower = root > node ? root : node;
      lower = m.parent[at(lower)];
    }
  for (const int node : nodes)
    for (int i = node; i != root; i = m.parent[at(i)]) bodies.insert(i);
}

}  // namespace

std::vector<Constraint> constraints_of(const ModelData& m, const Aggregate& a) {
  std::vector<Constraint> list;
  for (const int index : a.loops) {
    const Loop& loop = m.loops[at(index)];
    list.push_back({loop.name, std::string(name_of(loop.type)) + " loop", {loop.first, loop.second}, {}, false});
    add_paths(m, {loop.first, loop.second}, list.back().bodies);
  }
  std::vector<int> couplings = a.couplings;  // those, too, that are left out for rounding, since they tie bodies
  couplings.insert(couplings.end(), a.rounding.couplings.begin(), a.rounding.couplings.end());
  for (const int index : couplings) {
    const Coupling& coupling = m.couplings[at(index)];
    list.push_back({coupling.name, "coupling", {}, {}, true});
    std::vector<int> nodes;
    for (const auto& term : coupling.terms) {
      list.back().ends.push_back(term.first);
      nodes.push_back(term.first), nodes.push_back(m.parent[at(term.first)]);
    }
    add_paths(m, nodes, list.back().bodies);
  }
  return list;
}

std::vector<Merge> merges_of(const std::vector<Constraint>& constraints) {
  std::vector<Merge> list;
  std::vector<std::size_t> group(constraints.size());
  for (std::size_t k = 0; k < group.size(); ++k) group[k] = k;
  for (std::size_t k = 0; k < constraints.size(); ++k)
    for (std::size_t j = 0; j < k; ++j) {
      if (group[j] == group[k]) continue;
      std::set<int> shared;
      std::set_intersection(constraints[j].bodies.begin(), constraints[j].bodies.end(), constraints[k].bodies.begin(),
                            constraints[k].bodies.end(), std::inserter(shared, shared.end()));
      if (shared.empty()) continue;
      const std::size_t old = group[k];
      std::replace(group.begin(), group.end(), old, group[j]);
      list.push_back({constraints[j].name, constraints[k].name, std::move(shared)});
    }
  return list;
}

}  // namespace kinetree::bench
