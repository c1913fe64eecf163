#pragma once
// Dense algebra of a few rows on plain arrays, row by row: L D Lᵀ without roots or pivots, so that any scalar can do
// it.

#include <kinetree/scalar/inline.hpp>

namespace kinetree {

/// Factorizes the lower triangle of a symmetric positive definite n x n matrix in place: below the diagonal the unit
/// lower L, on it 1 / D. `stride`: entries from row to row.
template <class S>
KINETREE_INLINE void ldl_factor(S* A, int n, int stride) {
  for (int j = 0; j < n; ++j) {
    const S inverse = S(1) / A[j * stride + j];
    for (int i = j + 1; i < n; ++i) {
      const S l = A[i * stride + j] * inverse;
      for (int k = j + 1; k <= i; ++k) A[i * stride + k] -= l * A[k * stride + j];
    }
    for (int i = j + 1; i < n; ++i) A[i * stride + j] = A[i * stride + j] * inverse;
    A[j * stride + j] = inverse;
  }
}

/// b := L⁻¹ b; `step`: entries between successive b.
template <class S>
KINETREE_INLINE void ldl_forward(const S* A, int n, int stride, S* b, int step = 1) {
  for (int j = 1; j < n; ++j)
    for (int k = 0; k < j; ++k) b[j * step] -= A[j * stride + k] * b[k * step];
}

/// b := L⁻ᵀ b
template <class S>
KINETREE_INLINE void ldl_backward(const S* A, int n, int stride, S* b, int step = 1) {
  for (int j = n - 1; j > 0; --j)
    for (int k = 0; k < j; ++k) b[k * step] -= A[j * stride + k] * b[j * step];
}

/// b := A⁻¹ b
template <class S>
KINETREE_INLINE void ldl_solve(const S* A, int n, int stride, S* b, int step = 1) {
  ldl_forward(A, n, stride, b, step);
  for (int j = 0; j < n; ++j) b[j * step] = b[j * step] * A[j * stride + j];
  ldl_backward(A, n, stride, b, step);
}

}  // namespace kinetree
