#pragma once
// The small symmetric positive definite systems of constraint forces: a step's own (A, r) over its open cut joints, and
// the elimination of the joint over which two steps are merged (Featherstone & Fijany 1999, Eq. 16: T_2ᵀ I⁻¹ T_2).
// Elimination of every other joint of a chain at a time is cyclic reduction; the tree of steps says which and when.

#include "engine/algorithm/context.hpp"
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
};

/// Row of `cut` within a step's ordering.
inline int first_row(const Modules& m, const Step& s, int cut) {
  int row = 0;
  for (int o = s.first_outer; o < s.last_outer && m.outer[at(o)] != cut; ++o) row += m.cuts[at(m.outer[at(o)])].rows;
  return row;
}

/// Entry (i, j) of a symmetric matrix of which the lower triangle is kept.
template <class S>
const S& symmetric(const S* A, int n, int i, int j) {
  return i >= j ? A[i * n + j] : A[j * n + i];
}

namespace elimination_detail {

/// Whether a merge takes in the last module of a path whose cut joints leave five rows, and leaves one joint open.
inline bool ends_path_of_fives(const Modules& m, const Step& s) {
  const Step &upper = m.steps[at(s.upper)], &lower = m.steps[at(s.lower)];
  return s.last_outer - s.first_outer == 1 && s.size == 5 && upper.size == 10 && lower.size == 5 &&
         first_row(m, upper, s.cut) == 5;
}

/// Calls use(the rows of a merge's joint, those left over) with what kernels are to be compiled for, else 0.
template <class Use>
KINETREE_INLINE void with_shape(const Modules& m, const Step& s, Use&& use) {
  if (ends_path_of_fives(m, s)) return use(std::integral_constant<int, 5>(), std::integral_constant<int, 5>());
  with_rows(m.cuts[at(s.cut)].rows, [&](auto rows) { use(rows, std::integral_constant<int, 0>()); });
}

/// eliminate_matrix there, straight. A: 10 x 10, the joint to eliminate last; B: 5 x 5.
template <class S>
void eliminate_last_matrix(const S* A, const S* B, S* F, S* Y, S* C) {
  const auto all = [](auto&& use) {
    straight<0, 5>([&](auto row) { straight<0, 5>([&](auto column) { use(row, column); }); });
  };
  const auto lower = [](auto&& use) {
    straight<0, 5>([&](auto row) { straight<0, row + 1>([&](auto column) { use(row, column); }); });
  };
  lower([&](int i, int j) { F[5 * i + j] = A[10 * (5 + i) + 5 + j] + B[5 * i + j]; });
  ldl_factor<5>(F);
  S y[25], w[25];
  all([&](int i, int k) { y[5 * i + k] = A[10 * (5 + i) + k]; });
  straight<1, 5>([&](auto i) {
    straight<0, i>([&](auto j) {
      const S l = F[5 * i + j];
      straight<0, 5>([&](auto k) { y[5 * i + k] -= l * y[5 * j + k]; });
    });
  });
  all([&](int i, int k) { Y[5 * i + k] = y[5 * i + k], w[5 * i + k] = y[5 * i + k] * F[6 * i]; });
  lower([&](int i, int j) {
    S sum = A[10 * i + j];
    straight<0, 5>([&](auto r) { sum -= w[5 * r + i] * y[5 * r + j]; });
    C[5 * i + j] = sum;
  });
}

template <int fixed, int left, class S>
void eliminate_matrix(const Modules& m, CutSystem<S>& e, const Step& s) {
  const Step &upper = m.steps[at(s.upper)], &lower = m.steps[at(s.lower)];
  const S *A = e.matrix.data() + upper.matrix, *B = e.matrix.data() + lower.matrix;
  const int rows = fixed > 0 ? fixed : m.cuts[at(s.cut)].rows, n = s.size, nu = upper.size, nl = lower.size;
  const int c = first_row(m, upper, s.cut);  // in the lower step the joint is the base: row 0
  S* F = e.factor.data() + s.factor;
  S* Y = F + rows * rows;
  if constexpr (left == 5) return eliminate_last_matrix(A, B, F, Y, e.matrix.data() + s.matrix);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j <= i; ++j) F[i * rows + j] = A[(c + i) * nu + c + j] + B[i * nl + j];
  const int kept = nu - rows;
  const auto upper_row = [&](int k) { return k < c ? k : k + rows; };
  for (int i = 0; i < rows; ++i) {
    for (int k = 0; k < kept; ++k) Y[i * n + k] = symmetric(A, nu, c + i, upper_row(k));
    for (int k = kept; k < n; ++k) Y[i * n + k] = B[(k - kept + rows) * nl + i];
  }
  ldl_factor_rows(F, rows);
  for (int i = 1; i < rows; ++i)
    for (int j = 0; j < i; ++j)
      for (int k = 0; k < n; ++k) Y[i * n + k] -= F[i * rows + j] * Y[j * n + k];
  S* C = e.matrix.data() + s.matrix;
  for (int i = 0; i < n; ++i) {
    S w[6];
    for (int r = 0; r < rows; ++r) w[r] = Y[r * n + i] * F[r * rows + r];
    for (int j = 0; j <= i; ++j) {
      S sum = i < kept ? A[upper_row(i) * nu + upper_row(j)]
                       : (j < kept ? S(0) : B[(i - kept + rows) * nl + j - kept + rows]);
      for (int r = 0; r < rows; ++r) sum -= w[r] * Y[r * n + j];
      C[i * n + j] = sum;
    }
  }
}

/// eliminate_vector where eliminate_last_matrix is the matrix's.
template <class S>
void eliminate_last_vector(const S* a, const S* b, const S* F, S* y, S* r) {
  const S* Y = F + 25;
  S u[5], sum[5];
  straight<0, 5>([&](auto i) { u[i] = a[5 + i] + b[i], sum[i] = a[i]; });
  ldl_forward<5>(F, u);
  straight<0, 5>([&](auto i) {
    y[i] = u[i];
    const S w = u[i] * F[6 * i];
    straight<0, 5>([&](auto k) { sum[k] -= Y[5 * i + k] * w; });
  });
  straight<0, 5>([&](auto k) { r[k] = sum[k]; });
}

template <int fixed, int left, class S>
void eliminate_vector(const Modules& m, CutSystem<S>& e, const Step& s) {
  const Step &upper = m.steps[at(s.upper)], &lower = m.steps[at(s.lower)];
  const S *a = e.vector.data() + upper.vector, *b = e.vector.data() + lower.vector;
  if constexpr (left == 5)
    return eliminate_last_vector(a, b, e.factor.data() + s.factor, e.vector.data() + s.factor_vector,
                                 e.vector.data() + s.vector);
  const int rows = fixed > 0 ? fixed : m.cuts[at(s.cut)].rows, n = s.size, kept = upper.size - rows;
  const int c = first_row(m, upper, s.cut);
  const S* F = e.factor.data() + s.factor;
  const S* Y = F + rows * rows;
  S* y = e.vector.data() + s.factor_vector;
  for (int i = 0; i < rows; ++i) y[i] = a[c + i] + b[i];
  ldl_forward(F, rows, rows, y);
  S* r = e.vector.data() + s.vector;
  for (int k = 0; k < n; ++k) {
    S sum = k < kept ? a[k < c ? k : k + rows] : b[k - kept + rows];
    for (int i = 0; i < rows; ++i) sum -= Y[i * n + k] * (F[i * rows + i] * y[i]);
    r[k] = sum;
  }
}

/// back_substitute where eliminate_last_matrix is the matrix's; `open`: the force of the joint above.
template <class S>
void back_substitute_last(const S* F, const S* y, const S* open, S* lambda) {
  const S* Y = F + 25;
  S u[5];
  straight<0, 5>([&](auto i) {
    u[i] = y[i];
    straight<0, 5>([&](auto k) { u[i] -= Y[5 * i + k] * open[k]; });
    u[i] = u[i] * F[6 * i];
  });
  ldl_backward<5>(F, u);
  straight<0, 5>([&](auto i) { lambda[i] = u[i]; });
}

template <int fixed, int left, class S>
void back_substitute(const Modules& m, CutSystem<S>& e, const Step& s) {
  const int rows = fixed > 0 ? fixed : m.cuts[at(s.cut)].rows, n = s.size;
  const S* F = e.factor.data() + s.factor;
  const S* Y = F + rows * rows;
  const S* y = e.vector.data() + s.factor_vector;
  S* lambda = e.lambda.data() + m.cuts[at(s.cut)].lambda;
  if constexpr (left == 5)
    return back_substitute_last(F, y, e.lambda.data() + m.cuts[at(m.outer[at(s.first_outer)])].lambda, lambda);
  for (int i = 0; i < rows; ++i) lambda[i] = y[i];
  int k = 0;
  for (int o = s.first_outer; o < s.last_outer; ++o) {
    const CutJoint& open = m.cuts[at(m.outer[at(o)])];
    for (int j = 0; j < open.rows; ++j, ++k)
      for (int i = 0; i < rows; ++i) lambda[i] -= Y[i * n + k] * e.lambda[at(open.lambda + j)];
  }
  for (int i = 0; i < rows; ++i) lambda[i] = lambda[i] * F[i * rows + i];
  ldl_backward(F, rows, rows, lambda);
}

}  // namespace elimination_detail

/// Gather, at a merge: eliminates the joint between both steps from their summed matrices.
template <class S>
void eliminate_matrix(const Modules& m, CutSystem<S>& e, const Step& s) {
  elimination_detail::with_shape(
      m, s, [&](auto rows, auto left) { elimination_detail::eliminate_matrix<rows, left>(m, e, s); });
}

/// Gather, at a merge: the same for the right-hand side, with the factors of eliminate_matrix.
template <class S>
void eliminate_vector(const Modules& m, CutSystem<S>& e, const Step& s) {
  elimination_detail::with_shape(
      m, s, [&](auto rows, auto left) { elimination_detail::eliminate_vector<rows, left>(m, e, s); });
}

/// Scatter, at a merge: the eliminated joint's constraint force from those that stayed open.
template <class S>
void back_substitute(const Modules& m, CutSystem<S>& e, const Step& s) {
  elimination_detail::with_shape(
      m, s, [&](auto rows, auto left) { elimination_detail::back_substitute<rows, left>(m, e, s); });
}

}  // namespace kinetree::inline inner
