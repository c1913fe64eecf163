#include "engine/model/independent_map.hpp"

#include <algorithm>
#include <cmath>

#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

IndependentMap::IndependentMap(const ModelData& model)
    : m_(model),
      motion_(model),
      place_(at(model.v_index.back()), -1),
      part_(at(model.v_index.back()), -1),
      column_(at(model.v_index.back()), 0) {
  parts_.reserve(model.aggregates.size());
  for (const Aggregate& a : model.aggregates) {
    Part& part = parts_.emplace_back(Part{CoordinateMap<double>(a), ConstraintRows<double>(model, a), {}, {}, {}});
    if (a.branches()) part.branches.emplace(model, a);
    part.models = independent_columns(model, a, IndependentCoordinates::models);
    part.place.resize(at(a.freedoms));
    for (std::size_t b = 0; b < a.bodies.size(); ++b)
      for (int v = model.v_index[at(a.bodies[b])]; v < model.v_index[at(a.bodies[b]) + 1]; ++v) {
        part_[at(v)] = static_cast<int>(parts_.size()) - 1;
        column_[at(v)] = a.column[b] + v - model.v_index[at(a.bodies[b])];
      }
  }
  velocity_.reserve(place_.size());
}

Status IndependentMap::find(const Aggregate& a, Part& part, const double* q, const std::vector<int>& columns) {
  const int rank = a.velocities - a.freedoms;
  part.map.freedoms = a.freedoms;
  constraint_rows(m_, a, motion_.state(), part.rows);
  choose_coordinates(a, columns.empty() ? part.models : columns, part.rows, part.map);
  if (part.branches && !part.branches->evident(rank, part.map.rank())) {
    part.branches->set(q);
    const FoundRank found = part.branches->find();
    if (!found.ok()) return {StatusCode::singular_loop, 0, a.bodies.front(), found.pivot};
    if (found.rank != rank)
      return {StatusCode::other_branch, 0, a.bodies.front(), static_cast<double>(a.velocities - found.rank)};
  }
  double fastest = 0;  // what redundant rows ask is measured by the rates that their right-hand sides are made of
  for (const int i : a.bodies) {
    for (int v = m_.v_index[at(i)]; v < m_.v_index[at(i + 1)]; ++v)
      fastest = std::max(fastest, std::abs(motion_.state().rates[v]));
    const Vector3<double>& turn = motion_.velocity(i).angular;
    for (const double x : {turn.x, turn.y, turn.z}) fastest = std::max(fastest, std::abs(x));
  }
  part.map.asked /= fastest * fastest + 1e-16;
  if (const CoordinateRank here = part.map.rank(); !here.regular())
    return {StatusCode::singular_loop, 0, a.bodies.front(), here.pivot};
  return {};
}

Status IndependentMap::find(const double* q, const double* v, const std::vector<std::vector<int>>& columns) {
  motion_.set(q, v, nullptr);
  Status first;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const Status status = find(m_.aggregates[k], parts_[k], q, columns[k]);
    if (first.ok()) first = status;
  }
  velocity_.clear();
  for (int v_ = 0; v_ < static_cast<int>(place_.size()); ++v_) {
    const int p = part_[at(v_)];
    int number = 0;
    if (p >= 0) {
      const std::vector<int>& fixed = columns[at(p)].empty() ? parts_[at(p)].models : columns[at(p)];
      const auto found = std::lower_bound(fixed.begin(), fixed.end(), column_[at(v_)]);
      if (found == fixed.end() || *found != column_[at(v_)]) {
        place_[at(v_)] = -1;
        continue;
      }
      number = static_cast<int>(found - fixed.begin());
      parts_[at(p)].place[at(number)] = static_cast<int>(velocity_.size());
    }
    place_[at(v_)] = static_cast<int>(velocity_.size());
    velocity_.push_back(v_);
  }
  return first;
}

}  // namespace kinetree::inline inner
