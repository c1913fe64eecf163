#include "simulation/crossing.hpp"

#include <algorithm>
#include <cmath>

#include "engine/scalar/index.hpp"
#include "simulation/collocation.hpp"

namespace kinetree::inline inner {
namespace {

using Eigen::Index;
using Eigen::Map;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Vector = std::vector<double>;

constexpr int candidates = 14;     ///< even: none stands in the middle of a step, where the change point is aimed at
constexpr int needed = 9;          ///< nodes
constexpr double too_near = 0.09;  ///< of the furthest node's distance from change points
constexpr int sweeps = 40;

/// The largest entry of `error`, each over the tolerance of its quantity; infinity where one is no number.
double largest(const VectorXd& error, const Vector& state, double tolerance) {
  double worst = 0;
  for (Index k = 0; k < error.size(); ++k) {
    const double part = std::abs(error[k]) / (tolerance * (1 + std::abs(state[static_cast<std::size_t>(k)])));
    if (!(part <= worst)) worst = part;  // NaN stays
    if (std::isnan(worst)) return INFINITY;
  }
  return worst;
}

}  // namespace

Vector Passage::at(double time) const {
  const VectorXd there = from + length * coefficients * collocation.integral((time - start) / length);
  return {there.begin(), there.end()};
}

std::optional<Passage> Crossing::pass(const Vector& state, const Vector& guess, double time, double length) const {
  const Map<const VectorXd> start(state.data(), static_cast<Index>(state.size())),
      slope(guess.data(), static_cast<Index>(guess.size()));
  Vector stage(state.size()), rate(state.size());
  Map<VectorXd> there(stage.data(), start.size());
  const std::vector<double> all = gauss_nodes(candidates);
  std::vector<double> nodes, away;
  double furthest = 0;
  for (const double node : all) {
    there = start + node * length * slope;
    away.push_back(distance(stage));
    furthest = std::max(furthest, away.back());
  }
  for (std::size_t k = 0; k < all.size(); ++k)
    if (away[k] > too_near * furthest) nodes.push_back(all[k]);
  if (nodes.size() < needed) return {};

  const std::size_t count = nodes.size();
  const auto columns = static_cast<Index>(count);
  Passage way{time, length, start, Collocation(nodes), {}, {}, {}};
  MatrixXd weights(columns, columns), states(start.size(), columns), rates_there(start.size(), columns);
  for (std::size_t k = 0; k < count; ++k) {
    weights.col(static_cast<Index>(k)) = way.collocation.integral(nodes[k]);
    states.col(static_cast<Index>(k)) = start + nodes[k] * length * slope;
    way.times.push_back(time + nodes[k] * length);
  }
  way.states.resize(count);
  double change = INFINITY, off = 0;
  for (int sweep = 0;; ++sweep) {
    if (sweep == sweeps) return {};
    off = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const auto column = static_cast<Index>(k);
      there = states.col(column);
      if (!rates(k, way.times[k], stage, rate).ok()) return {};
      rates_there.col(column) = Map<const VectorXd>(rate.data(), start.size());
      off = std::max(off, largest(there - states.col(column), state, tolerance));
      way.states[k] = stage;
    }
    way.coefficients = way.collocation.coefficients(rates_there);
    const MatrixXd next = (length * way.coefficients * weights).colwise() + start;
    double now = 0;
    for (Index k = 0; k < columns; ++k) now = std::max(now, largest(next.col(k) - states.col(k), state, tolerance));
    states = next;
    if (!std::isfinite(now)) return {};
    if (now < 0.01 || (sweep > 10 && now < 1 && now > 0.3 * change)) break;  // only rounding is left
    change = now;
  }
  const VectorXd last =
      length * way.coefficients.rightCols(2).cwiseAbs().rowwise().maxCoeff() / (2 * static_cast<double>(count));
  if (!(off <= 1e3)) return {};  // it left the constraints' branch on its way
  if (!(largest(last, state, tolerance) <= 1)) return {};
  return way;
}

}  // namespace kinetree::inline inner
