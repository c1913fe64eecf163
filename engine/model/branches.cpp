#include "engine/model/branches.hpp"

#include <algorithm>
#include <cmath>

#include "engine/joint/advance.hpp"
#include "engine/model/constraint_units.hpp"
#include "engine/scalar/bytes.hpp"
#include "engine/scalar/worst.hpp"

namespace kinetree::inline inner {
namespace {

/// The smallest pivot of a rank that is not the largest: nearer to where its branch meets others a state can't be told
/// from theirs.
constexpr double least_of_lower = 1e-4;
/// How far the configurations beside one stand off, of the smallest pivot: near enough for the coordinates to stay
/// good.
constexpr double part_of_pivot = 0.1, farthest = 0.03;
/// Beside, on the branch: rounding of errors, and of what elimination leaves of redundant rows.
constexpr double most_error = 1e-11, most_left = 1e-10;
constexpr int most_steps = 12;

}  // namespace

Branches::Branches(const ModelData& model, const Aggregate& aggregate, double off_by, const double* units_at)
    : m_(&model), a_(&aggregate), clear_(100 * off_by), closure_(model), rows_(model, aggregate), map_(aggregate) {
  const ConstraintRows<double>& K = closure_.rows(aggregate, units_at != nullptr ? units_at : model.assembled.data());
  const ConstraintUnits units(
      model, aggregate, Eigen::Map<const ConstraintUnits::Matrix>(K.K.data(), aggregate.rows, aggregate.velocities));
  row_.assign(units.row.begin(), units.row.end());
  column_.assign(units.column.begin(), units.column.end());
  q_ = beside_ = model.assembled;
  way_.resize(at(aggregate.velocities)), error_.resize(at(aggregate.rows));
  map_.X.resize(way_.size() * way_.size());  // of any rank
  independent_.reserve(way_.size());
}

/// K without units at q, to that rank. With errors, which it changes: and the way, without units, that would take them
/// away.
CoordinateRank Branches::eliminate(const std::vector<double>& q, int rank, const std::vector<int>& fixed,
                                   std::vector<double>* errors) {
  closure_.fill(*a_, q.data(), rows_, errors != nullptr ? errors->data() : nullptr);
  const int n = a_->velocities;
  for (int r = 0; r < a_->rows; ++r) {
    for (int c = 0; c < n; ++c) rows_.K[at(r * n + c)] *= column_[at(c)] / row_[at(r)];
    rows_.k[at(r)] = errors != nullptr ? -(*errors)[at(r)] / row_[at(r)] : 0;
  }
  map_.freedoms = n - rank;
  choose_coordinates(*a_, fixed, rows_, map_);
  return map_.rank();
}

/// Of the constraints at q, to error_; the largest without units.
double Branches::error(const std::vector<double>& q) {
  const std::vector<double>& errors = closure_.errors(*a_, q.data());
  error_.assign(errors.begin(), errors.end());
  double worst = 0;
  for (int r = 0; r < a_->rows; ++r) keep_worst(worst, std::abs(error_[at(r)] / row_[at(r)]));
  return worst;
}

void Branches::move(std::vector<double>& q, const std::vector<double>& way) {
  for (std::size_t b = 0; b < a_->bodies.size(); ++b) {
    const auto i = at(a_->bodies[b]);
    double x[6];
    for (int k = 0; k < velocity_count(m_->joint_type[i]); ++k)
      x[k] = way[at(a_->column[b] + k)] * column_[at(a_->column[b] + k)];
    advance(m_->joint_type[i], &q[at(m_->q_index[i])], x);
  }
}

bool Branches::evident(int rank, const CoordinateRank& here) const {
  return here.pivot > std::max(clear_, here.least_pivot) &&
         (rank == a_->ranks.front().rank || (a_->no_motion_above(rank) && here.left <= here.least_pivot));
}

FoundRank Branches::find() {
  FoundRank found;
  int fallback = -1;
  for (const RegularRank& regular : a_->ranks) {
    const bool first = &regular == &a_->ranks.front();
    const CoordinateRank here = eliminate(q_, regular.rank, none_);
    if (first) found.pivot = here.pivot;
    if (!(here.pivot > here.least_pivot && here.left <= CoordinateRank::gap * here.pivot)) continue;
    if (first || a_->no_motion_above(regular.rank)) {
      if (here.pivot > clear_ && (first || here.left <= clear_)) return {regular.rank, found.pivot};
      if (fallback < 0) fallback = regular.rank;
    } else if (!(here.pivot > least_of_lower)) {
      fallback = -1;  // this branch or another can't be told
    } else if (stands(regular.rank)) {
      return {regular.rank, found.pivot};
    }
  }
  return {fallback, found.pivot};
}

/// Moves by some motion that K, just eliminated at q_, allows, and closes by Newton's method at that rank, to beside_.
/// Returns the error that is left; infinite where the rank is lost.
double Branches::error_beside(const CoordinateRank& here, double distance) {
  independent_.assign(map_.independent.begin(), map_.independent.end());
  double longest = 0;
  for (int c = 0; c < a_->velocities; ++c) {
    way_[at(c)] = 0;
    for (int j = 0; j < map_.freedoms; ++j)  // some motion, in no plane or symmetry of a mechanism
      way_[at(c)] += map_.X[at(c * map_.freedoms + j)] * std::cos(1 + 2.39996 * j);
    keep_worst(longest, std::abs(way_[at(c)]));
  }
  for (double& x : way_) x *= distance / longest;
  beside_ = q_;
  move(beside_, way_);
  // The forces of a sleeve, a slide or a plane go through the first frame's origin, their errors are those of the
  // second's: where that has slid away a step leaves as much of displacements as it takes away of tilts, and the next
  // step takes that. Two steps without progress are the end.
  double now = error(beside_), before = INFINITY;
  const int rank = a_->velocities - map_.freedoms;
  for (int step = 0; step < most_steps && now > 1e-3 * most_error; ++step) {
    if (!(eliminate(beside_, rank, independent_, &error_).pivot > here.least_pivot)) return INFINITY;
    move(beside_, map_.g);
    const double last = before;
    before = now, now = error(beside_);
    if (!(now < 0.5 * last)) break;  // rounding, or there is none
  }
  return now;
}

bool Branches::stands(int rank) {
  const CoordinateRank here = eliminate(q_, rank, none_);
  if (!(here.pivot > here.least_pivot)) return false;
  if (map_.freedoms == 0) return true;  // nothing moves
  if (!(error_beside(here, std::min(farthest, part_of_pivot * here.pivot)) <= most_error)) return false;
  const CoordinateRank there = eliminate(beside_, rank, none_);
  return there.pivot > part_of_pivot * here.pivot && there.left <= most_left;
}

bool Branches::shaky(int rank) {
  double distance = 0, before = 0;
  for (int halving = 0; halving < 3; ++halving, distance /= 2) {
    const CoordinateRank here = eliminate(q_, rank, none_);
    if (!(here.pivot > least_of_lower) || map_.freedoms == 0) return false;
    if (halving == 0) distance = std::min(farthest, part_of_pivot * here.pivot);
    const double left = error_beside(here, distance);
    if (!(left > least_of_lower * distance * distance && left > 100 * most_error)) return false;
    if (halving > 0 && !(before > 3 * left && before < 5 * left)) return false;  // 4 for an error of second order
    before = left;
  }
  return true;
}

std::size_t Branches::bytes() const {
  return bytes_of(closure_, rows_, map_, row_, column_, q_, beside_, way_, error_) + bytes_of(independent_);
}

}  // namespace kinetree::inline inner
