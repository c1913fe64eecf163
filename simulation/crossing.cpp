#include <algorithm>
#include <cmath>
#include <kinetree/scalar/index.hpp>
#include <kinetree/simulation/collocation.hpp>
#include <kinetree/simulation/crossing.hpp>

namespace kinetree {
namespace {

using Eigen::Index;
using Eigen::Map;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Vector = std::vector<double>;

constexpr int candidates = 14;     ///< even: none stands in the middle of a step, where the change point is aimed at
constexpr int needed = 9;          ///< nodes
constexpr double too_near = 0.05;  ///< of the furthest node's distance from change points
constexpr int sweeps = 80;

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

bool Crossing::step(Vector& state, const Vector& guess, double time, double length, double landing) const {
  const Map<const VectorXd> start(state.data(), static_cast<Index>(state.size())),
      slope(guess.data(), static_cast<Index>(guess.size()));
  std::vector<double> nodes;
  std::vector<double> away;
  double furthest = 0;
  Vector stage(state.size()), rate(state.size());
  Map<VectorXd> there(stage.data(), start.size());
  for (const double node : gauss_nodes(candidates)) {
    there = start + node * length * slope;
    away.push_back(distance(stage));
    furthest = std::max(furthest, away.back());
  }
  const std::vector<double> all = gauss_nodes(candidates);
  for (std::size_t k = 0; k < all.size(); ++k)
    if (away[k] > too_near * furthest) nodes.push_back(all[k]);
  if (nodes.size() < needed) return false;

  const Collocation collocation(nodes);
  const auto count = static_cast<Index>(nodes.size());
  MatrixXd weights(count, count);
  for (Index k = 0; k < count; ++k) weights.col(k) = collocation.integral(nodes[at(static_cast<int>(k))]);
  MatrixXd states(start.size(), count), rates_there(start.size(), count), coefficients;
  for (Index k = 0; k < count; ++k) states.col(k) = start + nodes[at(static_cast<int>(k))] * length * slope;
  double change = INFINITY, off = 0;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    off = 0;
    for (Index k = 0; k < count; ++k) {
      there = states.col(k);
      if (!rates(stage, time + nodes[at(static_cast<int>(k))] * length, rate).ok()) return false;
      rates_there.col(k) = Map<const VectorXd>(rate.data(), start.size());
      const double moved = largest(there - states.col(k), state, tolerance);
      off = std::max(off, moved);
    }
    coefficients = collocation.coefficients(rates_there);
    const MatrixXd next = (length * coefficients * weights).colwise() + start;
    double now = 0;
    for (Index k = 0; k < count; ++k) now = std::max(now, largest(next.col(k) - states.col(k), state, tolerance));
    states = next;
    if (!std::isfinite(now)) return false;
    const bool still = now < 0.01 || (sweep > 10 && now < 0.5 && now > 0.5 * change);  // only rounding is left
    change = now;
    if (still) break;
    if (sweep + 1 == sweeps) return false;
  }
  if (!(off <= 1e3)) return false;  // it left the constraints' branch on its way
  const VectorXd last =
      length * coefficients.rightCols(2).cwiseAbs().rowwise().maxCoeff() / static_cast<double>(2 * count);
  if (!(largest(last, state, tolerance) <= 1)) return false;
  const double part = std::min(1.0, (landing - time) / length);
  const VectorXd end = start + length * coefficients * collocation.integral(part);
  std::copy(end.begin(), end.end(), state.begin());
  return true;
}

}  // namespace kinetree
