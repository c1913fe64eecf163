#pragma once
// Random digraphs, trees and node sets; what they are by definition, in plain matrices of true and false.

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <kinetree/sko/contraction.hpp>

#include "engine/model/random.hpp"

namespace kinetree::sko {

using Nodes = std::vector<int>;
using Booleans = Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic>;

inline constexpr int random_trees = 1000;

inline bool has(const Nodes& nodes, int k) { return std::find(nodes.begin(), nodes.end(), k) != nodes.end(); }

/// Entry (p, k): an edge from p to k.
inline Booleans edges_of(const Digraph& digraph) {
  Booleans S = Booleans::Constant(digraph.size(), digraph.size(), false);
  for (const Edge e : digraph.edges()) S(e.parent, e.child) = true;
  return S;
}

/// Entry (j, k): a path of one edge or more from j to k (Warshall).
inline Booleans paths_of(const Digraph& digraph) {
  Booleans R = edges_of(digraph);
  for (int via = 0; via < digraph.size(); ++via)
    for (int j = 0; j < digraph.size(); ++j)
      for (int k = 0; k < digraph.size(); ++k) R(j, k) = R(j, k) || (R(j, via) && R(via, k));
  return R;
}

/// Simple directed paths from j to k, counted one by one.
inline int simple_paths(const Digraph& digraph, int j, int k, Nodes& path) {
  if (j == k) return 1;
  path.push_back(j);
  int count = 0;
  for (const int c : digraph.children(j))
    if (!has(path, c)) count += simple_paths(digraph, c, k, path);
  path.pop_back();
  return count;
}

/// No node outside S lies on a path from S to S.
inline bool is_path_induced(const Booleans& paths, const Nodes& nodes) {
  for (int x = 0; x < paths.rows(); ++x) {
    if (has(nodes, x)) continue;
    const bool from = std::any_of(nodes.begin(), nodes.end(), [&](int s) { return paths(s, x); });
    const bool to = std::any_of(nodes.begin(), nodes.end(), [&](int s) { return paths(x, s); });
    if (from && to) return false;
  }
  return true;
}

inline Digraph named(std::vector<std::string> names, std::vector<Edge> edges) {
  return Digraph(std::move(names), std::move(edges));
}

inline Digraph random_digraph(Random& random, int most_nodes) {
  const int n = 1 + random.below(most_nodes);
  const double density = random.uniform(0.05, 0.5);
  std::vector<std::string> names;
  std::vector<Edge> edges;
  for (int j = 0; j < n; ++j) {
    names.push_back("n" + std::to_string(j));
    for (int k = 0; k < n; ++k)
      if (random.uniform(0, 1) < (j == k ? 0.1 : 1) * density) edges.push_back({j, k});
  }
  return Digraph(std::move(names), std::move(edges));
}

/// 1 to most_nodes nodes in canonical order; bushy or long, sometimes a forest.
inline Tree random_tree_of(Random& random, int most_nodes) {
  const int n = 1 + random.below(most_nodes), reach = 1 + random.below(n);
  const double ground = random.below(3) == 0 ? 0.2 : 0;
  std::vector<int> parent;
  for (int k = 0; k < n - 1; ++k)
    parent.push_back(random.uniform(0, 1) < ground ? -1 : k + 1 + random.below(std::min(reach, n - 1 - k)));
  parent.push_back(-1);
  return Tree(std::move(parent));
}

/// One node at least; from few to all.
inline Nodes random_nodes(Random& random, int size) {
  Nodes nodes;
  const double density = random.uniform(0, 1);
  for (int k = 0; k < size; ++k)
    if (random.uniform(0, 1) < density) nodes.push_back(k);
  if (nodes.empty()) nodes.push_back(random.below(size));
  return nodes;
}

/// S with each edge between its nodes kept or left at random.
inline Subgraph random_subgraph(Random& random, const Digraph& digraph) {
  Subgraph s = induced(digraph, random_nodes(random, digraph.size()));
  const double keep = random.uniform(0, 1.5);
  std::erase_if(s.edges, [&](Edge) { return random.uniform(0, 1) > keep; });
  return s;
}

/// Up to `most` disjoint sets, each the aggregation subgraph of some nodes.
inline std::vector<Nodes> random_aggregates(Random& random, const Tree& tree, int most) {
  std::vector<Nodes> sets;
  std::vector<bool> taken(static_cast<std::size_t>(tree.size()), false);
  for (int attempt = 0; attempt < most; ++attempt) {
    Nodes seeds;
    for (int i = 0; i < 1 + random.below(3); ++i) {
      const int k = random.below(tree.size());
      if (!has(seeds, k)) seeds.push_back(k);
    }
    Nodes set = aggregation_nodes(tree, seeds);
    if (std::any_of(set.begin(), set.end(), [&](int k) { return taken[static_cast<std::size_t>(k)]; })) continue;
    for (const int k : set) taken[static_cast<std::size_t>(k)] = true;
    sets.push_back(std::move(set));
  }
  return sets;
}

/// Runs, and returns the message of what it throws.
template <class Error, class Run>
std::string message_of(Run&& run) {
  try {
    run();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

/// Whether a message says every one of some pieces.
template <class... Pieces>
::testing::AssertionResult says(const std::string& message, const Pieces&... pieces) {
  for (const std::string& piece : {std::string(pieces)...})
    if (message.find(piece) == std::string::npos)
      return ::testing::AssertionFailure() << "no '" << piece << "' in: " << message;
  return ::testing::AssertionSuccess();
}

/// The five-segment tree of Jain 2011, Fig. 3 and Jain 2012, Fig. 6: segments 1 and 2 hang from the tip of 4; 3 and 4
/// from the tip of 5. Segments of 3, 2, 4, 2 and 3 nodes.
inline Tree five_segment_tree() {
  return Tree({1, 2, 9, /**/ 4, 9, /**/ 6, 7, 8, 11, /**/ 10, 11, /**/ 12, 13, -1},
              {"1a", "1b", "1c", "2a", "2b", "3a", "3b", "3c", "3d", "4a", "4b", "5a", "5b", "5c"});
}

}  // namespace kinetree::sko
