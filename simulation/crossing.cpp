#include "simulation/crossing.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/scalar/index.hpp"
#include "engine/scalar/worst.hpp"

namespace kinetree::inline inner {
namespace {

using Eigen::Map;
using Eigen::VectorXd;
using Vector = std::vector<double>;

constexpr int few_nodes = most_nodes / 2;
// even: none stands in the middle of a step, where the change point is aimed at
static_assert(few_nodes % 2 == 0);
constexpr int spared = 2;                 ///< nodes more than coefficients, at least
constexpr double too_near = 0.05;         ///< of the furthest node's distance from change points
constexpr int sweeps = 30, patience = 5;  ///< patience: sweeps that come no nearer
constexpr double converges = 1e-3;        ///< what sweeps that are going to converge come to
constexpr double coarse = 1e-8;           ///< more than rounding explains
constexpr double near = 1e-6;             ///< error of a passage that another search may begin at

Map<const VectorXd> as_vector(const Vector& x) { return {x.data(), static_cast<Eigen::Index>(x.size())}; }

}  // namespace

void Passage::at(double time, Vector& state) const {
  const OverNodes part = length * collocation_.integral((time - start) / length);
  Map<VectorXd> there(state.data(), from_.size());
  there = from_;
  there.noalias() += coefficients_.leftCols(collocation_.coefficients()) * part;
}

Crossing::Crossing(int size, Rates rates, Distance distance)
    : rates_(std::move(rates)),
      distance_(std::move(distance)),
      straight_(gauss_nodes(few_nodes)),
      marched_(gauss_nodes(most_nodes)),
      error_(size),
      last_rate_(size),
      change_(size),
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

/// The largest entry of `error`, each over 1 and its quantity; infinity where one is no number.
double Crossing::largest(const VectorXd& error) const {
  double worst = 0;
  for (Eigen::Index k = 0; k < error.size(); ++k) keep_worst(worst, std::abs(error[k]) / (1 + std::abs(way_.from_[k])));
  return std::isfinite(worst) ? worst : INFINITY;
}

/// States at all nodes by rates that stay as they are.
void Crossing::go_straight(const Vector& rates) {
  for (Eigen::Index k = 0; k < all_.size(); ++k) states_.col(k) = way_.from_ + all_[k] * way_.length * as_vector(rates);
}

/// States at all nodes, one after another: what the last rates and their change predict (Adams & Bashforth), brought
/// onto the constraints.
void Crossing::march(const Vector& rates) {
  VectorXd &here = error_, &rate = last_rate_, &change = change_;
  here = way_.from_, rate = as_vector(rates), change.setZero();
  for (Eigen::Index k = 0; k < all_.size(); ++k) {
    const double step = (all_[k] - (k > 0 ? all_[k - 1] : 0)) * way_.length;
    here += step * (rate + step / 2 * change);
    std::copy(here.begin(), here.end(), stage_.begin());
    if (rates_(static_cast<int>(k), way_.start + all_[k] * way_.length, stage_, rate_).ok()) {
      if (k > 0) change = (as_vector(rate_) - rate) / step;  // accelerations at the start may not be known
      here = as_vector(stage_), rate = as_vector(rate_);
    } else {
      rate += step * change;
    }
    states_.col(k) = here;
  }
}

/// States at all nodes of a step by the passage that is known.
void Crossing::follow(double time, double length) {
  for (Eigen::Index k = 0; k < all_.size(); ++k) {
    way_.at(time + all_[k] * length, stage_);
    states_.col(k) = as_vector(stage_);
  }
}

/// The same by the last passage looked for, where it came near the motion and is as long.
bool Crossing::look_up(double time, double length) {
  if (!(found_.error < near) || time < way_.start || time + length > way_.end()) return false;
  follow(time, length);
  return true;
}

/// Those of all nodes whose states are far enough from change points. Accelerations are known the worse the nearer a
/// node is, by the square of its distance.
bool Crossing::choose_nodes() {
  OverNodes away(all_.size());
  double furthest = 0;
  for (Eigen::Index k = 0; k < all_.size(); ++k) {
    std::copy_n(states_.col(k).data(), stage_.size(), stage_.begin());
    away[k] = distance_(stage_);
    keep_worst(furthest, away[k]);
  }
  way_.nodes_ = 0;
  nodes_.resize(all_.size()), weights_.resize(all_.size());
  for (Eigen::Index k = 0; k < all_.size(); ++k) {
    if (!(away[k] > too_near * furthest)) continue;
    weights_[way_.nodes_] = away[k] / furthest * (away[k] / furthest);
    states_.col(way_.nodes_) = states_.col(k);
    nodes_[way_.nodes_++] = all_[k];
  }
  nodes_.conservativeResize(way_.nodes_), weights_.conservativeResize(way_.nodes_);
  if (way_.nodes_ < coefficients_ + spared) return false;
  way_.collocation_ = Collocation(nodes_, weights_, coefficients_);
  integrals_.resize(coefficients_, way_.nodes_);
  for (int k = 0; k < way_.nodes_; ++k) {
    integrals_.col(k) = way_.length * way_.collocation_.integral(nodes_[k]);
    way_.times_[at(k)] = way_.start + nodes_[k] * way_.length;
  }
  return true;
}

/// What the polynomial's degree leaves out, by its last coefficients.
double Crossing::left_out() {
  error_ = way_.length * way_.coefficients_.middleCols(coefficients_ - 2, 2).cwiseAbs().rowwise().maxCoeff() /
           (2.0 * coefficients_);
  return largest(error_);
}

bool Crossing::pass(const Vector& state, const Vector& rates, double time, double length, double tolerance, Guess guess,
                    double most_rates) {
  all_ = guess == Guess::straight ? straight_ : marched_;
  coefficients_ = static_cast<int>(all_.size()) * 3 / 4;
  bool by_motion = look_up(time, length);
  way_.start = time, way_.length = length;
  way_.from_ = as_vector(state);
  found_ = {};
  if (!by_motion && guess == Guess::straight) go_straight(rates);
  if (!by_motion && guess == Guess::marched) march(rates), most_rates -= static_cast<double>(all_.size());
  if (!choose_nodes()) return false;

  double change = INFINITY, least = INFINITY, left_before = INFINITY, off = 0;
  for (int sweep = 0, waited = 0;; ++sweep) {
    const Eigen::Index count = way_.nodes_;
    off = 0;
    for (int k = 0; k < count; ++k) {
      Vector& there = way_.states_[at(k)];
      std::copy_n(states_.col(k).data(), there.size(), there.begin());
      if (!rates_(k, way_.time(k), there, rate_).ok()) return false;
      rates_there_.col(k) = as_vector(rate_);
      error_ = as_vector(there) - states_.col(k);
      keep_worst(off, largest(error_));
    }
    auto found = way_.coefficients_.leftCols(coefficients_);
    found.noalias() = rates_there_.leftCols(count) * way_.collocation_.to_degrees();
    next_.leftCols(count).noalias() = found * integrals_;
    double now = 0;
    for (Eigen::Index k = 0; k < count; ++k) {
      next_.col(k) += way_.from_;
      error_ = next_.col(k) - states_.col(k);
      keep_worst(now, largest(error_));
    }
    states_.swap(next_);
    if (!std::isfinite(now)) return false;
    if (!by_motion && now < converges) {  // the guess had its change point elsewhere
      by_motion = true;
      follow(time, length);
      if (!choose_nodes()) return false;
      continue;
    }
    const double left = left_out();
    // rounding is left
    if (now < 0.01 * tolerance || (sweep > patience && now < tolerance && (now > 0.3 * change || waited > 0))) {
      found_ = {std::max(now, left), left > tolerance};
      break;
    }
    change = now;
    // last coefficients stand still long before the states do
    const bool stands = off < left && left > 2 * tolerance && std::abs(left - left_before) < 0.2 * left && now < 1e-7;
    left_before = left;
    if (sweep > 2 && left > tolerance && (now < 0.1 * left || stands)) {
      found_ = {std::max(left, 1e-3 * off), true};
      return false;
    }
    waited = now < 0.5 * least ? 0 : waited + 1;
    least = std::min(least, now);
    if (now > coarse && waited > 1 && off > 0.1 * now) return false;  // a node has come to another branch
    const bool spent = (sweep + 2) * static_cast<double>(count) > most_rates;
    if (spent && now > coarse) return false;  // it might have come nearer
    if (waited > (now < coarse ? 3 : patience) || sweep == sweeps || spent) {
      if (!(least < converges)) return false;
      const bool last = sweep == sweeps || spent;
      found_ = {std::max(2 * (last ? now : least), left), left > now};
      if (found_.error > tolerance) return false;  // else it may come as near again
      if (last) break;
    }
  }
  keep_worst(found_.error, 1e-3 * off);  // more where it left the constraints' branch on its way
  return found_.error <= tolerance;
}

}  // namespace kinetree::inline inner
