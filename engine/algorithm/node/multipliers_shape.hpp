#pragma once
// Which joints of an aggregate feel which of its constraints: the same on every scalar.

#include <vector>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// Constraints: the aggregate's loops, then its couplings. Rows: scalar constraints, redundant ones included.
struct MultiplierShape {
  const Aggregate* aggregate;
  std::vector<int> parent_place;          ///< over members: the parent's place among them; -1: the aggregate's parent
  std::vector<std::vector<int>> support;  ///< over constraints: members whose joints feel it, outboard first
  std::vector<std::vector<bool>> feels;   ///< the same, over constraints and members
  std::vector<int> first_row{0};          ///< over constraints, and one more

  MultiplierShape(const ModelData& model, const Aggregate& a);

  int constraints() const { return static_cast<int>(support.size()); }
};

}  // namespace kinetree::inline inner
