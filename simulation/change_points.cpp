#include "simulation/change_points.hpp"

#include <algorithm>
#include <cmath>

#include "engine/joint/advance.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

ChangePoints::ChangePoints(const ModelData& model, Closure& closure) : m_(model), closure_(closure) {
  for (std::size_t k = 0; k < m_.aggregates.size(); ++k)
    if (!m_.aggregates[k].constant()) aggregates_.push_back(static_cast<int>(k));
  branches_.resize(aggregates_.size());
  for (std::size_t k = 0; k < aggregates_.size(); ++k) {
    const Aggregate& a = m_.aggregates[at(aggregates_[k])];
    rank_.push_back(a.velocities - a.freedoms);
    if (a.branches()) branches_[k].emplace(m_, a);
  }
  largest_.assign(aggregates_.size(), 0);
  there_.resize(at(m_.q_index.back()));
  way_.resize(at(m_.v_index.back()));
}

void ChangePoints::start(const double* q, const double* v) {
  std::ranges::fill(largest_, 0);
  if (!possible()) return;
  for (std::size_t k = 0; k < aggregates_.size(); ++k) {
    if (!branches_[k]) continue;
    branches_[k]->set(q);
    if (const FoundRank found = branches_[k]->find(); found.ok()) rank_[k] = found.rank;
  }
  distance(q);
  const double speed = fastest(v);
  if (!(speed > 0)) return;
  for (const double way : {-0.5, 0.5}) {
    move(q, v, nullptr, way / speed);
    distance(there_.data());
  }
}

double ChangePoints::distance(const double* q) {
  double least = INFINITY;
  for (std::size_t k = 0; k < aggregates_.size(); ++k) {
    const Aggregate& a = m_.aggregates[at(aggregates_[k])];
    const double found = closure_.regularity(a, q, rank_[k]);
    largest_[k] = std::max(largest_[k], found);
    const double relative = largest_[k] > 0 ? found / largest_[k] : 0;
    if (relative < least) least = relative, nearest_ = a.bodies.front();
  }
  return least;
}

double ChangePoints::rate(const double* q, const double* v) {
  const double speed = fastest(v);
  if (!(speed > 0)) return 0;
  const double here = distance(q), time = 0.05 / speed;
  double most = 0;
  for (const double way : {-time, time}) {
    move(q, v, nullptr, way);
    most = std::max(most, std::abs(distance(there_.data()) - here) / time);
  }
  return most;
}

double ChangePoints::ahead(const double* q, const double* v, const double* a, double horizon) {
  constexpr int parts = 12;
  double squares[parts + 1];
  for (int k = 0; k <= parts; ++k) {
    move(q, v, a, horizon * k / parts);
    const double d = distance(there_.data());
    squares[k] = d * d;
  }
  for (int k = 1; k < parts; ++k) {
    const double before = squares[k - 1], here = squares[k], after = squares[k + 1];
    if (!(here <= before && here < after)) continue;
    // linear in the distance on both sides, so that a parabola meets the squares
    const double bend = before - 2 * here + after, shift = bend > 0 ? (before - after) / (2 * bend) : 0;
    if (here - 0.25 * (before - after) * shift > 0.1 * squares[0]) continue;  // it comes nearer and leaves again
    return horizon * (k + shift) / parts;
  }
  return INFINITY;
}

double ChangePoints::fastest(const double* v) const {
  double speed = 0;
  for (int k = 0; k < m_.v_index.back(); ++k) speed = std::max(speed, std::abs(v[k]));
  return std::isfinite(speed) ? speed : 0;
}

void ChangePoints::move(const double* q, const double* v, const double* a, double time) {
  there_.assign(q, q + m_.q_index.back());
  for (std::size_t k = 0; k < way_.size(); ++k) way_[k] = time * (v[k] + (a != nullptr ? time / 2 * a[k] : 0));
  for (std::size_t i = 0; i < m_.parent.size(); ++i)
    advance(m_.joint_type[i], &there_[at(m_.q_index[i])], &way_[at(m_.v_index[i])]);
}

}  // namespace kinetree::inline inner
