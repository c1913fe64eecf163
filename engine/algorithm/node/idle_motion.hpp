#pragma once
// Motions that nothing resists, such as the spin of a thin rod between two ball joints or the turn of a massless arm
// with a rod in line with its axis. D may keep a pivot of a rounding error there, of either sign, so that its inverse
// is finite and worthless. A pivot is judged by what the bodies that move would resist one by one.

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/algorithm/node/embedded_node.hpp"

namespace kinetree::inline inner {

/// An inertia matrix in independent coordinates, n x n, factorized (ldl_factor).
template <class S>
struct FactorizedInertia {
  const S* D;
  int n;
  int lane = 0;  ///< of a pack

  double number(int r, int c) const { return number_of(D[r * n + c], lane); }
  double pivot(int r) const { return 1 / number(r, r); }
  /// The entry (r, r) as it was before the factorization.
  double diagonal(int r) const {
    double sum = pivot(r);
    for (int c = 0; c < r; ++c) {
      const double L = number(r, c);
      sum += L * L * pivot(c);
    }
    return sum;
  }
  /// The motion that pivot r is the inertia of: (Lᵀ)⁻¹ of its unit vector.
  std::vector<double> motion(int r) const {
    std::vector<double> x(at(r + 1), 0);
    x[at(r)] = 1;
    for (int j = r - 1; j >= 0; --j)
      for (int i = j + 1; i <= r; ++i) x[at(j)] -= number(i, j) * x[at(i)];
    return x;
  }
};

/// Whether a pivot is more than the rounding of terms as large as `scale`. That of a steel wire a micrometre thick and
/// a metre long stands two decades above rounding in double.
template <class S>
bool is_resisted(double pivot, double scale) {
  constexpr double rounding = 16 * (CoordinateMap<S>::in_float ? std::numeric_limits<float>::epsilon()
                                                               : std::numeric_limits<double>::epsilon());
  return pivot > rounding * scale && pivot < 1e300;
}

/// The member of an aggregate that moves most where its coordinates move so that nothing resists, to rounding; -1:
/// everything is resisted. `place`: the index in `inertia` of the aggregate's coordinate r; they ascend.
template <class S, class Place>
int idle_member(const FactorizedInertia<S>& inertia, const EmbeddedNode<S>& node, Place&& place) {
  const Aggregate& a = *node.aggregate;
  const auto X = [&](int column, int r) {
    return number_of(node.map.X[at(column * node.freedoms() + r)], inertia.lane);
  };
  for (int r = 0; r < node.freedoms(); ++r) {
    double scale = std::abs(inertia.diagonal(place(r)));
    for (int k = 0; k < a.velocities; ++k)
      scale = std::max(scale, X(k, r) * X(k, r) * number_of(node.felt[at(k)], inertia.lane));
    if (is_resisted<S>(inertia.pivot(place(r)), scale)) continue;
    const std::vector<double> motion = inertia.motion(place(r));
    int found = a.bodies.front();
    double most = 0;
    for (std::size_t b = 0; b < a.bodies.size(); ++b) {
      const int end = b + 1 < a.bodies.size() ? a.column[b + 1] : a.velocities;
      double sum = 0;
      for (int k = a.column[b]; k < end; ++k) {
        double rate = 0;
        for (int c = 0; c < node.freedoms(); ++c)
          if (at(place(c)) < motion.size()) rate += X(k, c) * motion[at(place(c))];
        sum += rate * rate;
      }
      if (sum > most * (1 + 1e-6)) most = sum, found = a.bodies[b];  // of joints that move alike the first
    }
    return found;
  }
  return -1;
}

/// The same of a node's own D. `lane`: of a pack, that state's.
template <class S>
int idle_member(const EmbeddedNode<S>& node, int lane = 0) {
  return idle_member(FactorizedInertia<S>{node.D.data(), node.freedoms(), lane}, node, [](int r) { return r; });
}

/// The first such member, of all aggregates.
template <class S>
int idle_body(const EmbeddedNodes<S>& all, int lane = 0) {
  for (const EmbeddedNode<S>& node : all)
    if (node.may_idle)
      if (const int body = idle_member(node, lane); body >= 0) return body;
  return -1;
}

/// Of the first motion that nothing resists, to rounding, the coordinate that moves most; -1: everything is resisted.
/// `felt`: what pivots are judged by beside the entries of the matrix (FeltInertia::most); null: those alone.
template <class S>
int idle_coordinate(const FactorizedInertia<S>& inertia, const double* felt = nullptr) {
  for (int r = 0; r < inertia.n; ++r) {
    const double diagonal = std::abs(inertia.diagonal(r));
    if (is_resisted<S>(inertia.pivot(r), felt ? std::max(felt[r], diagonal) : diagonal)) continue;
    const std::vector<double> motion = inertia.motion(r);
    const auto less = [](double a, double b) { return std::abs(a) < std::abs(b); };
    return static_cast<int>(std::max_element(motion.begin(), motion.end(), less) - motion.begin());
  }
  return -1;
}
template <class S>
bool moves_idly(const FactorizedInertia<S>& inertia, const double* felt) {
  return idle_coordinate(inertia, felt) >= 0;
}

}  // namespace kinetree::inline inner
