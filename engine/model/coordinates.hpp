#pragma once
// Independent coordinates of an aggregate by elimination with complete pivoting, which reveals the rank (Jain 2012 II,
// Sec. 9; Golub & Van Loan, Sec. 3.4.9). The one place that branches on values: which coordinates is decided here, per
// state, and the kernels that use the decision branch no more.

#include <algorithm>
#include <kinetree/export.hpp>
#include <kinetree/model.hpp>
#include <kinetree/scalar/scalar.hpp>
#include <type_traits>

#include "engine/model/loop_jacobian.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/bytes.hpp"
#include "engine/scalar/index.hpp"
#include "engine/scalar/own_choice.hpp"

namespace kinetree::inline inner {

/// How far the constraints of a state are from losing rank, or from gaining it. All relative to the largest entry of K.
struct CoordinateRank {
  double least_pivot;  ///< a pivot below is lost in rounding: the constraints have lost rank
  double pivot;        ///< the smallest pivot taken
  double left;   ///< the largest entry of the rows that are left when the independent velocities are: what they ask
  double asked;  ///< the largest right-hand side of those rows, over the square of the largest rate

  /// Rows that are left are redundant only where a clear gap parts them from the pivots: what they still ask for, of
  /// the smallest pivot, is how wrong the answer would be that leaves them out.
  static constexpr double gap = 1e-2;

  /// Whether the constraints have the rank that was counted: none lost, and none above it.
  bool regular() const { return pivot > least_pivot && left <= gap * pivot && asked <= gap * pivot; }
};

/// v_S = X_S v_R, a_S = X_S a_R + g. Each number of a Scalar has a map of its own.
template <class S>
struct CoordinateMap {
  static constexpr bool in_float = std::is_same_v<typename Numbers<S>::Type, float>;
  static constexpr double least_pivot = in_float ? 1e-5 : 1e-10;

  std::vector<int> dependent, independent;   ///< columns of the aggregate; independent ones ascending. Of several
                                             ///< numbers that differ: scratch
  std::vector<S> X;                          ///< X_S, velocities x freedoms, row by row
  std::vector<S> g;                          ///< velocities
  std::vector<Index<S>> step;                ///< over columns: when elimination took it; -1: independent
  Magnitude<S> pivot{1}, left{0}, asked{0};  ///< as CoordinateRank has them
  int freedoms;  ///< independent velocities: of the branch that the state, or all of several, are taken to be on

  explicit CoordinateMap(const Aggregate& a) : freedoms(a.freedoms) {
    const auto n = static_cast<std::size_t>(a.velocities);
    X.resize(n * static_cast<std::size_t>(a.most_freedoms())), g.resize(n), step.resize(n);
    dependent.reserve(n), independent.reserve(n);
  }
  CoordinateRank rank(int number = 0) const {
    return {least_pivot, number_of(pivot, number), number_of(left, number), number_of(asked, number)};
  }
  std::size_t bytes() const { return bytes_of(dependent, independent, X, g, step); }
};

/// The columns of an aggregate that must stay independent by that choice, ascending; empty: any may.
KINETREE_EXPORT std::vector<int> independent_columns(const ModelData& m, const Aggregate& a,
                                                     IndependentCoordinates which);

/// Velocities of a model that its constraints leave independent.
int independent_count(const ModelData& m);

/// X_S and g from rows that have been eliminated: v of a column taken at step k is -sum of K(k, j) v of independent(j).
template <class S>
void read_map(const Aggregate& a, const ConstraintRows<S>& rows, CoordinateMap<S>& map) {
  const int n = a.velocities, free = map.freedoms, rank = n - free;
  std::fill(map.X.begin(), map.X.end(), S(0));
  std::fill(map.g.begin(), map.g.end(), S(0));
  const S one(1);
  for (int number = 0; number < Numbers<S>::count; ++number) {
    if (!(number_of(map.pivot, number) > map.least_pivot)) continue;  // not every step found a column
    map.dependent.resize(at(rank)), map.independent.clear();
    for (int c = 0; c < n; ++c) {
      const int step = static_cast<int>(number_of(map.step[at(c)], number));
      if (step < 0)
        map.independent.push_back(c);
      else
        map.dependent[at(step)] = c;
    }
    for (int j = 0; j < free; ++j) {
      const int independent = map.independent[at(j)];
      set_number(map.X[at(independent * free + j)], number, one);
      for (int k = 0; k < rank; ++k)
        set_number(map.X[at(map.dependent[at(k)] * free + j)], number, -rows.K[at(k * n + independent)]);
    }
    for (int k = 0; k < rank; ++k) set_number(map.g[at(map.dependent[at(k)])], number, rows.k[at(k)]);
  }
}

/// Eliminates until map.freedoms velocities are left. `fixed`: columns that must stay independent; may be empty.
/// Leaves in `rows` what elimination made of them. Whether K has that rank here says CoordinateMap::rank.
template <class S>
void choose_coordinates(const Aggregate& a, const std::vector<int>& fixed, ConstraintRows<S>& rows,
                        CoordinateMap<S>& map) {
  const int n = a.velocities, m = a.rows, rank = n - map.freedoms;
  S* K = rows.K.data();
  const Magnitude<S> none(0);
  std::fill(map.step.begin(), map.step.end(), Index<S>(-1));
  map.pivot = Magnitude<S>(1), map.left = map.asked = none;
  Magnitude<S> first = none;
  for (int step = 0; step < rank; ++step) {
    Index<S> row(step), column(-1);
    Magnitude<S> best(-1);
    for (int c = 0; c < n; ++c) {
      if (std::find(fixed.begin(), fixed.end(), c) != fixed.end()) continue;
      const auto left = map.step[at(c)] < Index<S>(0);
      if (!any(left)) continue;
      for (int r = step; r < m; ++r) {
        const Magnitude<S> size = select(left, magnitude(K[r * n + c]), Magnitude<S>(-1));
        const auto larger = size > best;
        if (!any(larger)) continue;  // a branch that is predicted: selects of one number wait for each other
        best = select(larger, size, best), row = select(larger, Index<S>(r), row);
        column = select(larger, Index<S>(c), column);
      }
    }
    if (step == 0) first = best;
    const Magnitude<S> ratio =
        select(best > none, best / first, none);  // none where more columns are fixed than may be
    map.pivot = select(ratio < map.pivot, ratio, map.pivot);
    if (!any(map.pivot > Magnitude<S>(map.least_pivot))) return;
    for (int r = step + 1; r < m; ++r) {
      const auto exchanged = row == Index<S>(r);
      if (!any(exchanged)) continue;
      const auto exchange = [&](S& upper, S& lower) {
        const S x = upper;
        upper = select(exchanged, lower, x), lower = select(exchanged, x, lower);
      };
      for (int c = 0; c < n; ++c) exchange(K[step * n + c], K[r * n + c]);
      exchange(rows.k[at(step)], rows.k[at(r)]);
    }
    const S inverse = S(1) / entry(K + step * n, n, column);
    for (int c = 0; c < n; ++c) K[step * n + c] = K[step * n + c] * inverse;
    rows.k[at(step)] = rows.k[at(step)] * inverse;
    set_entry(K + step * n, n, column, S(1));
    for (int r = 0; r < m; ++r) {
      if (r == step) continue;
      const S factor = entry(K + r * n, n, column);
      if (!any(magnitude(factor) > none)) continue;
      for (int c = 0; c < n; ++c) K[r * n + c] -= factor * K[step * n + c];
      set_entry(K + r * n, n, column, S(0));
      rows.k[at(r)] -= factor * rows.k[at(step)];
    }
    set_entry(map.step.data(), n, column, Index<S>(step));
  }
  const Magnitude<S> scale = select(first > none, first, Magnitude<S>(1));
  for (int c = 0; c < n; ++c) {
    const auto independent = map.step[at(c)] < Index<S>(0);
    if (!any(independent)) continue;
    for (int r = rank; r < m; ++r) map.left = largest(map.left, select(independent, magnitude(K[r * n + c]), none));
  }
  for (int r = rank; r < m; ++r) map.asked = largest(map.asked, magnitude(rows.k[at(r)]));
  map.left = map.left / scale, map.asked = map.asked / scale;
  read_map(a, rows, map);
}

}  // namespace kinetree::inline inner
