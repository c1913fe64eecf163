#pragma once
// L D Lᵀ of a semidefinite matrix with diagonal pivoting (Golub & Van Loan, Sec. 4.2.8): redundant rows come last and
// are left out. The rank is known beforehand, so no threshold decides it; what is left over says whether it was right.

#include <algorithm>
#include <cmath>
#include <kinetree/scalar/scalar.hpp>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

/// A row counts by how much of it the rows before it do not explain: its pivot relative to its own diagonal, the square
/// of the sine of an angle, so that scaling a row changes nothing.
template <class S>
struct PivotedFactor {
  std::vector<S> A;            ///< n x n, row by row; lower triangle in; L below the pivots, 1 / D on them out
  std::vector<int> order;      ///< rows in the order they were taken; from `rank` on those that are left out
  std::vector<double> scale;   ///< over rows: diagonal before
  std::vector<double> length;  ///< over rows, to be set before: how large the constraint is beside the largest
  int n = 0, rank = 0;
  double pivot = 1;  ///< smallest pivot taken, relative to its row's diagonal; of a failed pivot that times length²
  double left = 0;   ///< the largest that was left out, relative: far from zero where a row is not redundant
  double part = 1;   ///< the smallest taken, as a part of the largest constraint: times length², squared like all

  static constexpr bool in_float = std::is_same_v<typename Numbers<S>::Type, float>;

  /// A pivot below is lost in rounding: its direction can't be told from the others'. For a sine of 1e-6 in double.
  static constexpr double least_pivot = in_float ? 1e-5 : 1e-12;
  /// A remainder above is no rounding: the row asks for what the others do not. For a sine of 1e-3 in double.
  static constexpr double most_left = in_float ? 1e-2 : 1e-6;

  /// A row whose diagonal is smaller, relative to the largest, is rounding: no joint moves what it holds, as out of the
  /// plane of a planar loop. For forces 1e-12 of the largest in double.
  static constexpr double least_row = in_float ? 1e-11 : 1e-24;

  /// What a row has beyond those before it, as a part of the largest constraint: below, embedding may find the rank
  /// lost.
  static constexpr double least_length = in_float ? 3e-5 : 1e-9;

  PivotedFactor(int rows, int rank_) : n(rows), rank(rank_) {
    A.resize(at(n * n)), order.resize(at(n)), scale.resize(at(n)), length.resize(at(n), 1);
  }

  /// The entry of rows i, j.
  S& of(int i, int j) { return A[at(i > j ? i * n + j : j * n + i)]; }
  int taken(int t) const { return order[at(t)]; }
  bool regular() const { return pivot > least_pivot && left < most_left; }
  /// Whether the diagonal was finite: else a joint's own inertia is at fault, not a constraint.
  bool finite() const {
    return std::all_of(scale.begin(), scale.end(), [](double x) { return std::isfinite(x); });
  }

  void factor() {
    for (int i = 0; i < n; ++i) order[at(i)] = i, scale[at(i)] = to_double(of(i, i));
    pivot = part = 1, left = 0;
    const double least = n > 0 ? least_row * *std::max_element(scale.begin(), scale.end()) : 0;
    const auto relative = [&](int i) {
      return scale[at(i)] > least && length[at(i)] > least_length ? to_double(of(i, i)) / scale[at(i)] : 0;
    };
    for (int s = 0; s < rank; ++s) {
      int best = s;
      for (int t = s + 1; t < n; ++t)
        if (relative(taken(t)) > relative(taken(best))) best = t;
      std::swap(order[at(s)], order[at(best)]);
      const int p = taken(s);
      const double own = relative(p) * length[at(p)] * length[at(p)];
      part = std::min(part, own);
      if (!(relative(p) > least_pivot) || !(own > least_length * least_length)) {  // also where it is NaN
        pivot = own;
        return;
      }
      pivot = std::min(pivot, relative(p));
      const S inverse = S(1) / of(p, p);
      for (int t = s + 1; t < n; ++t) {
        const int i = taken(t);
        const S l = of(i, p) * inverse;
        for (int w = s + 1; w <= t; ++w) of(i, taken(w)) -= l * of(taken(w), p);
      }
      for (int t = s + 1; t < n; ++t) of(taken(t), p) = of(taken(t), p) * inverse;
      of(p, p) = inverse;
    }
    for (int t = rank; t < n; ++t) left = std::max(left, relative(taken(t)));
  }

  /// b := L⁻¹ b over rows in their own numbering; entries of rows that are left out become what the others leave of
  /// them where `all`, else stay.
  template <class T>
  void forward(T* b, bool all = false) {
    for (int t = 1; t < (all ? n : rank); ++t)
      for (int s = 0; s < std::min(t, rank); ++s) b[taken(t)] -= of(taken(t), taken(s)) * b[taken(s)];
  }
  /// b := L⁻ᵀ b over the rows that were taken.
  void backward(S* b) {
    for (int t = rank - 1; t > 0; --t)
      for (int s = 0; s < t; ++s) b[taken(s)] -= of(taken(t), taken(s)) * b[taken(t)];
  }
};

}  // namespace kinetree::inline inner
