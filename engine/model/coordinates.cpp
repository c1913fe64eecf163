#include "engine/model/coordinates.hpp"

#include <algorithm>
#include <kinetree/options.hpp>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

std::vector<int> independent_columns(const ModelData& m, const Aggregate& a, IndependentCoordinates which) {
  std::vector<int> columns;
  const bool named =
      which == IndependentCoordinates::models || (which == IndependentCoordinates::users && a.chosen_by_user);
  if (!named) return columns;
  for (std::size_t b = 0; b < a.bodies.size(); ++b) {
    const auto body = static_cast<std::size_t>(a.bodies[b]);
    for (int v = m.v_index[body]; v < m.v_index[body + 1]; ++v)
      if (std::binary_search(a.independent.begin(), a.independent.end(), v))
        columns.push_back(a.column[b] + v - m.v_index[body]);
  }
  return columns;
}

int independent_count(const ModelData& m) {
  int count = m.v_index.back();
  for (const Aggregate& a : m.aggregates) count -= a.velocities - a.freedoms;
  return count;
}

}  // namespace kinetree::inline inner
