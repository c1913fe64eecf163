#include "simulation/crossing.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
namespace {

using Eigen::Map;
using Eigen::VectorXd;
using Vector = std::vector<double>;

// even: none stands in the middle of a step, where the change point is aimed at
static_assert(most_nodes % 2 == 0);
constexpr int needed = 9;          ///< nodes
constexpr double too_near = 0.09;  ///< of the furthest node's distance from change points
constexpr int sweeps = 40;

Map<const VectorXd> as_vector(const Vector& x) { return {x.data(), static_cast<Eigen::Index>(x.size())}; }

}  // namespace

void Passage::at(double time, Vector& state) const {
  const OverNodes part = length * collocation_.integral((time - start) / length);
  Map<VectorXd> there(state.data(), from_.size());
  there = from_;
  there.noalias() += coefficients_.leftCols(nodes_) * part;
}

Crossing::Crossing(int size, double tolerance, Rates rates, Distance distance)
    : rates_(std::move(rates)),
      distance_(std::move(distance)),
      tolerance_(tolerance),
      all_(gauss_nodes(most_nodes)),
      error_(size),
      states_(size, most_nodes),
      next_(states_),
      rates_there_(states_),
      stage_(at(size)),
      rate_(at(size)) {
  way_.from_.resize(size);
  way_.coefficients_.resize(size, most_nodes);
  way_.times_.resize(most_nodes);
  way_.states_.assign(most_nodes, stage_);
}

/// The largest entry of `error`, each over the tolerance of its quantity; infinity where one is no number.
double Crossing::largest(const VectorXd& error) const {
  double worst = 0;
  for (Eigen::Index k = 0; k < error.size(); ++k) {
    const double part = std::abs(error[k]) / (tolerance_ * (1 + std::abs(way_.from_[k])));
    if (!(part <= worst)) worst = part;  // NaN stays
    if (std::isnan(worst)) return INFINITY;
  }
  return worst;
}

/// Those of all nodes that are far enough from change points, by the motion of the guess.
bool Crossing::choose_nodes(const Vector& guess) {
  OverNodes away(most_nodes);
  for (Eigen::Index k = 0; k < most_nodes; ++k) {
    Map<VectorXd>(stage_.data(), error_.size()) = way_.from_ + all_[k] * way_.length * as_vector(guess);
    away[k] = distance_(stage_);
  }
  const double furthest = away.maxCoeff<Eigen::PropagateNaN>();
  way_.nodes_ = 0;
  nodes_.resize(most_nodes);
  for (Eigen::Index k = 0; k < most_nodes; ++k)
    if (away[k] > too_near * furthest) nodes_[way_.nodes_++] = all_[k];
  nodes_.conservativeResize(way_.nodes_);
  return way_.nodes_ >= needed;
}

bool Crossing::pass(const Vector& state, const Vector& guess, double time, double length) {
  way_.start = time, way_.length = length;
  way_.from_ = as_vector(state);
  if (!choose_nodes(guess)) return false;

  const Eigen::Index count = way_.nodes_;
  way_.collocation_ = Collocation(nodes_);
  Collocation::ToDegrees weights(count, count);
  for (Eigen::Index k = 0; k < count; ++k) {
    weights.col(k) = length * way_.collocation_.integral(nodes_[k]);
    states_.col(k) = way_.from_ + nodes_[k] * length * as_vector(guess);
    way_.times_[static_cast<std::size_t>(k)] = time + nodes_[k] * length;
  }
  const auto coefficients = way_.coefficients_.leftCols(count);
  double change = INFINITY, off = 0;
  for (int sweep = 0;; ++sweep) {
    if (sweep == sweeps) return false;
    off = 0;
    for (int k = 0; k < count; ++k) {
      Vector& there = way_.states_[at(k)];
      std::copy_n(states_.col(k).data(), there.size(), there.begin());
      if (!rates_(k, way_.time(k), there, rate_).ok()) return false;
      rates_there_.col(k) = as_vector(rate_);
      error_ = as_vector(there) - states_.col(k);
      off = std::max(off, largest(error_));
    }
    way_.coefficients_.leftCols(count).noalias() = rates_there_.leftCols(count) * way_.collocation_.to_degrees();
    next_.leftCols(count).noalias() = coefficients * weights;
    double now = 0;
    for (Eigen::Index k = 0; k < count; ++k) {
      next_.col(k) += way_.from_;
      error_ = next_.col(k) - states_.col(k);
      now = std::max(now, largest(error_));
    }
    states_.swap(next_);
    if (!std::isfinite(now)) return false;
    if (now < 0.01 || (sweep > 10 && now < 1 && now > 0.3 * change)) break;  // only rounding is left
    change = now;
  }
  if (!(off <= 1e3)) return false;  // it left the constraints' branch on its way
  error_ = length * coefficients.rightCols(2).cwiseAbs().rowwise().maxCoeff() / (2 * static_cast<double>(count));
  return largest(error_) <= 1;
}

}  // namespace kinetree::inline inner
