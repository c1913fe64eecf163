#pragma once
// The small symmetric positive definite systems of constraint forces: a step's own (A, r) over its open cut joints, and
// the elimination of the joint over which two steps are merged (Featherstone & Fijany 1999, Eq. 16: T_2ᵀ I⁻¹ T_2).
// Elimination of every other joint of a chain at a time is cyclic reduction; the tree of steps says which and when.

#include "engine/algorithm/context.hpp"
#include "engine/scalar/bytes.hpp"
#include "engine/spatial/small_matrix.hpp"

namespace kinetree::inline inner {

template <class S>
struct CutSystem {
  std::vector<S> matrix;  ///< A of every step, size x size, the lower triangle
  std::vector<S> vector;  ///< r of every step, and what a merge eliminated of it
  std::vector<S> factor;  ///< merges: factor of the eliminated block, then L⁻¹ times its rows of A
  std::vector<S> lambda;  ///< constraint forces of the right-hand side being solved

  explicit CutSystem(const Modules& m)
      : matrix(m.matrix_count), vector(m.vector_count), factor(m.factor_count), lambda(at(m.lambda_count)) {}
  std::size_t bytes() const { return bytes_of(matrix, vector, factor, lambda); }
};

/// Row of `cut` within a step's ordering.
inline int first_row(const Modules& m, const Step& s, int cut) {
  int row = 0;
  for (int o = s.first_boundary; o < s.last_boundary && m.boundary[at(o)] != cut; ++o)
    row += m.cuts[at(m.boundary[at(o)])].rows;
  return row;
}

/// Entry (i, j) of a symmetric matrix of which the lower triangle is kept.
template <class S>
const S& symmetric(const S* A, int n, int i, int j) {
  return i >= j ? A[i * n + j] : A[j * n + i];
}

namespace elimination_detail {

/// A merge eliminates `rows` constraint forces: rows [cut, cut + rows) of the upper step, [0, rows) of the lower. There
/// stay open `kept` rows of the upper step, `left` rows of both. Sizes: int, or Size where the compiler knows them.
template <class Rows, class Kept>
struct Merge {
  Rows rows;
  Kept kept, left, cut;

  KINETREE_INLINE int upper_size() const { return kept + rows; }
  KINETREE_INLINE int lower_size() const { return left - kept + rows; }
  /// Row of the upper step that is number k of those left.
  KINETREE_INLINE int upper(int k) const { return k < cut ? k : k + rows; }
  /// Row of the lower step that is number k of those left.
  KINETREE_INLINE int lower(int k) const { return k - kept + rows; }
};

/// Calls use(merge): with sizes that the compiler knows where the last module of a path of joints with five rows is
/// merged, and one such joint stays open.
template <class Use>
KINETREE_INLINE void with_merge(const Modules& m, const Step& s, Use&& use) {
  const Step &upper = m.steps[at(s.upper)], &lower = m.steps[at(s.lower)];
  const int rows = m.cuts[at(s.cut)].rows, cut = first_row(m, upper, s.cut), kept = upper.size - rows;
  const bool one_left = s.last_boundary - s.first_boundary == 1;
  if (one_left && rows == 5 && s.size == 5 && upper.size == 10 && lower.size == 5 && cut == 5)
    use(Merge<Size<5>, Size<5>>{});
  else if (rows == 5)
    use(Merge<Size<5>, int>{{}, kept, s.size, cut});
  else
    use(Merge<int, int>{rows, kept, s.size, cut});
}

/// Of the matrices A of the upper and B of the lower step: F, the factor of the eliminated block; Y, L⁻¹ times its rows
/// over those left; C, the matrix over those left.
template <class Rows, class Kept, class S>
void eliminate_matrix(const Merge<Rows, Kept>& s, const S* A, const S* B, S* F, S* Y, S* C) {
  const auto rows = s.rows;
  const auto left = s.left;
  const int nu = s.upper_size(), nl = s.lower_size();
  each(rows, [&](auto i) {
    each(next(i), [&](auto j) { F[i * rows + j] = A[(s.cut + i) * nu + s.cut + j] + B[i * nl + j]; });
  });
  ldl_factor(F, rows);
  S known[is_size<Kept> ? 25 : 1];  // not in memory while it is worked on
  S* y = is_size<Kept> ? known : Y;
  each(rows, [&](auto i) {
    each(s.kept, [&](auto k) { y[i * left + k] = symmetric(A, nu, s.cut + i, s.upper(k)); });
    each(s.kept, left, [&](auto k) { y[i * left + k] = B[s.lower(k) * nl + i]; });
  });
  each(Size<1>(), rows, [&](auto i) {
    each(i, [&](auto j) {
      const S l = F[i * rows + j];
      each(left, [&](auto k) { y[i * left + k] -= l * y[j * left + k]; });
    });
  });
  if constexpr (is_size<Kept>) each(Size<25>(), [&](auto k) { Y[k] = y[k]; });
  each(left, [&](auto i) {
    S w[6];
    each(rows, [&](auto r) { w[r] = y[r * left + i] * F[r * rows + r]; });
    each(next(i), [&](auto j) {
      S sum = i < s.kept ? A[s.upper(i) * nu + s.upper(j)] : j < s.kept ? S(0) : B[s.lower(i) * nl + s.lower(j)];
      each(rows, [&](auto r) { sum -= w[r] * y[r * left + j]; });
      C[i * left + j] = sum;
    });
  });
}

/// Of the right-hand sides a and b: y, L⁻¹ times the eliminated; r, over those left.
template <class Rows, class Kept, class S>
void eliminate_vector(const Merge<Rows, Kept>& s, const S* a, const S* b, const S* F, S* y, S* r) {
  const auto rows = s.rows;
  const auto left = s.left;
  const S* Y = F + rows * rows;
  S u[6];
  each(rows, [&](auto i) { u[i] = a[s.cut + i] + b[i]; });
  ldl_forward(F, rows, u);
  each(rows, [&](auto i) { y[i] = u[i]; });
  if (left == 0) return;
  each(rows, [&](auto i) { u[i] = F[i * rows + i] * u[i]; });
  each(left, [&](auto k) {
    S sum = k < s.kept ? a[s.upper(k)] : b[s.lower(k)];
    each(rows, [&](auto i) { sum -= Y[i * left + k] * u[i]; });
    r[k] = sum;
  });
}

/// Back-substitution: `lambda`, the eliminated forces, from those of open joints, in `all` at CutJoint::lambda.
template <class Rows, class Kept, class S>
void back_substitute(const Merge<Rows, Kept>& s, const S* F, const S* y, const Modules& m, const Step& step,
                     const S* all, S* lambda) {
  const auto rows = s.rows;
  const auto left = s.left;
  const S* Y = F + rows * rows;
  S u[6];
  each(rows, [&](auto i) { u[i] = y[i]; });
  int first = 0;
  for (int o = step.first_boundary; o < step.last_boundary; ++o) {
    const CutJoint& open = m.cuts[at(m.boundary[at(o)])];
    const auto count = [&] {
      if constexpr (is_size<Kept>)
        return s.left;
      else
        return open.rows;
    }();
    each(rows, [&](auto i) { each(count, [&](auto k) { u[i] -= Y[i * left + first + k] * all[open.lambda + k]; }); });
    first += open.rows;
  }
  each(rows, [&](auto i) { u[i] = u[i] * F[i * rows + i]; });
  ldl_backward(F, rows, u);
  each(rows, [&](auto i) { lambda[i] = u[i]; });
}

}  // namespace elimination_detail

/// Gather, at a merge: eliminates the joint between both steps from their summed matrices.
template <class S>
void eliminate_matrix(const Modules& m, CutSystem<S>& e, const Step& s) {
  S* F = e.factor.data() + s.factor;
  elimination_detail::with_merge(m, s, [&](const auto& merge) {
    elimination_detail::eliminate_matrix(merge, e.matrix.data() + m.steps[at(s.upper)].matrix,
                                         e.matrix.data() + m.steps[at(s.lower)].matrix, F, F + merge.rows * merge.rows,
                                         e.matrix.data() + s.matrix);
  });
}

/// Gather, at a merge: the same for the right-hand side, with the factors of eliminate_matrix.
template <class S>
void eliminate_vector(const Modules& m, CutSystem<S>& e, const Step& s) {
  elimination_detail::with_merge(m, s, [&](const auto& merge) {
    elimination_detail::eliminate_vector(merge, e.vector.data() + m.steps[at(s.upper)].vector,
                                         e.vector.data() + m.steps[at(s.lower)].vector, e.factor.data() + s.factor,
                                         e.vector.data() + s.factor_vector, e.vector.data() + s.vector);
  });
}

/// Scatter, at a merge: the eliminated joint's constraint force from those that stayed open.
template <class S>
void back_substitute(const Modules& m, CutSystem<S>& e, const Step& s) {
  elimination_detail::with_merge(m, s, [&](const auto& merge) {
    elimination_detail::back_substitute(merge, e.factor.data() + s.factor, e.vector.data() + s.factor_vector, m, s,
                                        e.lambda.data(), e.lambda.data() + m.cuts[at(s.cut)].lambda);
  });
}

}  // namespace kinetree::inline inner
