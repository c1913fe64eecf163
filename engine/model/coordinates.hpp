#pragma once
// Independent coordinates of an aggregate by elimination with complete pivoting, which reveals the rank (Jain 2012 II,
// Sec. 9; Golub & Van Loan, Sec. 3.4.9). The one place that branches on values: which coordinates is decided here, per
// state, and the kernels that use the decision branch no more.

#include <algorithm>
#include <kinetree/model.hpp>
#include <kinetree/scalar/scalar.hpp>
#include <type_traits>

#include "engine/model/loop_jacobian.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/bytes.hpp"

namespace kinetree::inline inner {

/// How far the constraints of a state are from losing rank, or from gaining it. All relative to the largest entry of K.
struct CoordinateRank {
  double least_pivot;  ///< a pivot below is lost in rounding: the constraints have lost rank
  double pivot = 1;    ///< the smallest pivot taken
  double left = 0;  ///< the largest entry of the rows that are left when `freedoms` velocities are: what they still ask
  double asked = 0;  ///< the largest right-hand side of those rows, over the square of the largest rate

  /// Rows that are left are redundant only where a clear gap parts them from the pivots: what they still ask for, of
  /// the smallest pivot, is how wrong the answer would be that leaves them out.
  static constexpr double gap = 1e-2;

  /// Whether the constraints have the rank that was counted: none lost, and none above it.
  bool regular() const { return pivot > least_pivot && left <= gap * pivot && asked <= gap * pivot; }
};

/// v_S = X_S v_R, a_S = X_S a_R + g. Dependent velocity d(k) = -sum of W(k, j) v of independent(j).
template <class S>
struct CoordinateMap : CoordinateRank {
  std::vector<int> dependent, independent;  ///< columns of the aggregate; independent ones ascending
  std::vector<S> X;                         ///< X_S, velocities x freedoms, row by row
  std::vector<S> g;                         ///< velocities

  static constexpr bool in_float = std::is_same_v<typename Numbers<S>::Type, float>;

  explicit CoordinateMap(const Aggregate& a) : CoordinateRank{in_float ? 1e-5 : 1e-10} {
    const auto n = static_cast<std::size_t>(a.velocities);
    X.resize(n * static_cast<std::size_t>(a.freedoms)), g.resize(n);
    dependent.reserve(n), independent.reserve(n);
  }
  std::size_t bytes() const { return bytes_of(dependent, independent, X, g); }
};

/// The columns of an aggregate that must stay independent by that choice, ascending; empty: any may.
std::vector<int> independent_columns(const ModelData& m, const Aggregate& a, IndependentCoordinates which);

/// Eliminates until `freedoms` velocities are left. `fixed`: columns that must stay independent; may be empty.
/// Leaves in `rows` what elimination made of them. Whether K has that rank here says CoordinateMap::regular.
template <class S>
void choose_coordinates(const Aggregate& a, const std::vector<int>& fixed, ConstraintRows<S>& rows,
                        CoordinateMap<S>& map) {
  using std::abs;
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  const int n = a.velocities, m = a.rows, rank = n - a.freedoms;
  S* K = rows.K.data();
  const auto size = [](const S& x) { return abs(to_double(x)); };
  const auto free = [&](int column) {
    for (const int f : fixed)
      if (f == column) return false;
    for (const int d : map.dependent)
      if (d == column) return false;
    return true;
  };
  map.dependent.clear();
  map.pivot = 1, map.left = map.asked = 0;
  double first = 0;
  for (int step = 0; step < rank; ++step) {
    int row = step, column = -1;
    double best = -1;
    for (int c = 0; c < n; ++c)
      if (free(c))
        for (int r = step; r < m; ++r)
          if (size(K[r * n + c]) > best) best = size(K[r * n + c]), row = r, column = c;
    if (column < 0) {  // more columns are fixed than there are freedoms
      map.pivot = 0;
      return;
    }
    if (step == 0) first = best;
    map.pivot = std::min(map.pivot, first > 0 ? best / first : 0);
    if (!(map.pivot > map.least_pivot)) return;
    for (int c = 0; c < n; ++c) std::swap(K[row * n + c], K[step * n + c]);
    std::swap(rows.k[at(row)], rows.k[at(step)]);
    const S inverse = S(1) / K[step * n + column];
    for (int c = 0; c < n; ++c) K[step * n + c] = K[step * n + c] * inverse;
    rows.k[at(step)] = rows.k[at(step)] * inverse;
    K[step * n + column] = S(1);
    for (int r = 0; r < m; ++r) {
      if (r == step) continue;
      const S factor = K[r * n + column];
      if (size(factor) == 0) continue;
      for (int c = 0; c < n; ++c) K[r * n + c] -= factor * K[step * n + c];
      K[r * n + column] = S(0);
      rows.k[at(r)] -= factor * rows.k[at(step)];
    }
    map.dependent.push_back(column);
  }
  const double scale = first > 0 ? first : 1;
  map.independent.clear();
  for (int c = 0; c < n; ++c) {
    bool dependent = false;
    for (const int d : map.dependent) dependent = dependent || d == c;
    if (dependent) continue;
    map.independent.push_back(c);
    for (int r = rank; r < m; ++r) map.left = std::max(map.left, size(K[r * n + c]) / scale);
  }
  for (int r = rank; r < m; ++r) map.asked = std::max(map.asked, size(rows.k[at(r)]) / scale);
  for (S& x : map.X) x = S(0);
  for (S& x : map.g) x = S(0);
  for (int j = 0; j < a.freedoms; ++j) map.X[at(map.independent[at(j)] * a.freedoms + j)] = S(1);
  for (int k = 0; k < rank; ++k) {
    const int d = map.dependent[at(k)];
    for (int j = 0; j < a.freedoms; ++j) map.X[at(d * a.freedoms + j)] = -K[k * n + map.independent[at(j)]];
    map.g[at(d)] = rows.k[at(k)];
  }
}

/// Of packs: each state chooses by its own numbers, so that no bit of its map depends on its neighbours.
template <class S>
struct CoordinateLanes {
  using One = typename Numbers<S>::One;
  ConstraintRows<One> rows;  ///< of one state at a time
  std::vector<CoordinateMap<One>> map;

  explicit CoordinateLanes(const Aggregate& a) : rows(a) {
    if (Numbers<S>::count > 1 && !a.constant()) map.assign(Numbers<S>::count, CoordinateMap<One>(a));
  }
};

template <class S>
void choose_coordinates(const Aggregate& a, const std::vector<int>& fixed, const ConstraintRows<S>& rows,
                        CoordinateLanes<S>& lanes, CoordinateMap<S>& map) {
  using One = typename Numbers<S>::One;
  const auto part = [](const std::vector<S>& packs, int lane, std::vector<One>& numbers) {
    for (std::size_t n = 0; n < packs.size(); ++n) numbers[n] = One(packs[n].lane(lane));
  };
  for (int lane = 0; lane < Numbers<S>::count; ++lane) {
    part(rows.K, lane, lanes.rows.K);
    part(rows.k, lane, lanes.rows.k);
    choose_coordinates(a, fixed, lanes.rows, lanes.map[static_cast<std::size_t>(lane)]);
  }
  const auto together = [&](std::vector<S>& packs, std::vector<One> CoordinateMap<One>::*numbers) {
    for (std::size_t n = 0; n < packs.size(); ++n) {
      typename Numbers<S>::Type row[Numbers<S>::count];
      for (std::size_t lane = 0; lane < Numbers<S>::count; ++lane) row[lane] = (lanes.map[lane].*numbers)[n].lane(0);
      packs[n] = S::load(row);
    }
  };
  together(map.X, &CoordinateMap<One>::X);
  together(map.g, &CoordinateMap<One>::g);
}

}  // namespace kinetree::inline inner
