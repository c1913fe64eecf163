#pragma once
// Which bodies each loop and coupling of an aggregate ties, and why they are one aggregate: what info says and show
// draws.

#include <set>
#include <string>
#include <vector>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::bench {

/// A loop or coupling and the bodies of its own smallest aggregation subgraph (Jain 2012 II, Sec. 4.2).
struct Constraint {
  std::string name;
  std::string kind;       ///< "revolute loop", "coupling"
  std::vector<int> ends;  ///< bodies it acts on, -1: the ground; a loop's two, a coupling's one per joint
  std::set<int> bodies;   ///< those it ties
  bool coupling = false;
};

/// Loops first, in the aggregate's order.
std::vector<Constraint> constraints_of(const ModelData& model, const Aggregate& aggregate);

/// Two constraints and the bodies they share.
struct Merge {
  std::string first, second;
  std::set<int> shared;
};

/// As many pairs as join all: without any of them the aggregate falls apart.
std::vector<Merge> merges_of(const std::vector<Constraint>& constraints);

}  // namespace kinetree::bench
