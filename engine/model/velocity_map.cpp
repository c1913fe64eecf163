#include "engine/model/velocity_map.hpp"

#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

VelocityMap::VelocityMap(const ModelData& model) : m_(model), closure_(model), independent_(independent_count(model)) {
  int most = independent_;
  parts_.reserve(model.aggregates.size());
  for (const Aggregate& a : model.aggregates) {
    parts_.push_back({CoordinateMap<double>(a), ConstraintRows<double>(model, a), {}});
    if (a.branches()) parts_.back().branches.emplace(model, a);
    most += a.most_freedoms() - a.freedoms;
  }
  X_.reserve(at(model.v_index.back()) * at(most));
}

VelocityMap::Matrix VelocityMap::operator()(const double* q) {
  int columns = independent_;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const Aggregate& a = m_.aggregates[k];
    Part& part = parts_[k];
    part.map.freedoms = a.freedoms;
    if (part.branches) {
      part.branches->set(q);
      if (const FoundRank found = part.branches->find(); found.ok()) part.map.freedoms = a.velocities - found.rank;
    }
    columns += part.map.freedoms - a.freedoms;
    closure_.fill(a, q, part.rows);
    choose_coordinates(a, {}, part.rows, part.map);
  }
  X_.assign(at(m_.v_index.back()) * at(columns), 0);
  int column = 0;
  for (int i = 0; i < static_cast<int>(m_.parent.size()); ++i) {
    const int index = aggregate_of(m_, i);
    if (index < 0) {
      for (int v = m_.v_index[at(i)]; v < m_.v_index[at(i + 1)]; ++v) X_[at(v * columns + column++)] = 1;
      continue;
    }
    const Aggregate& a = m_.aggregates[at(index)];
    if (a.bodies.front() != i) continue;
    const CoordinateMap<double>& map = parts_[at(index)].map;
    for (std::size_t b = 0; b < a.bodies.size(); ++b)
      for (int k = 0; k < velocity_count(m_.joint_type[at(a.bodies[b])]); ++k)
        for (int r = 0; r < map.freedoms; ++r)
          X_[at((m_.v_index[at(a.bodies[b])] + k) * columns + column + r)] =
              map.X[at((a.column[b] + k) * map.freedoms + r)];
    column += map.freedoms;
  }
  return {X_.data(), m_.v_index.back(), columns};
}

}  // namespace kinetree::inline inner
