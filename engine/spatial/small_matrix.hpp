#pragma once
// Dense algebra of a few rows on plain arrays, row by row: L D Lᵀ without roots or pivots, so that any scalar can do
// it.

#include <type_traits>

#include "engine/scalar/inline.hpp"

namespace kinetree::inline inner {

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

/// use(first), ..., use(last - 1), numbers that the compiler knows: straight code, which keeps to registers.
template <int first, int last, class Use>
KINETREE_INLINE void straight(Use&& use) {
  if constexpr (first < last) {
    use(std::integral_constant<int, first>());
    straight<first + 1, last>(use);
  }
}

/// A size that the compiler knows.
template <int n>
using Size = std::integral_constant<int, n>;

/// Whether a size is known to the compiler.
template <class N>
inline constexpr bool is_size = !std::is_same_v<std::remove_cvref_t<N>, int>;

/// use(first), ..., use(last - 1): straight code where both are Sizes, else a loop.
template <class First, class Last, class Use>
KINETREE_INLINE void each(First first, Last last, Use&& use) {
  if constexpr (!is_size<First> || !is_size<Last>)
    for (int i = first; i < last; ++i) use(i);
  else
    straight<First::value, Last::value>(use);
}
template <class Last, class Use>
KINETREE_INLINE void each(Last last, Use&& use) {
  each(Size<0>(), last, use);
}
/// i + 1, a Size of a Size.
template <class I>
KINETREE_INLINE constexpr auto next(I i) {
  if constexpr (is_size<I>)
    return Size<I::value + 1>();
  else
    return i + 1;
}

namespace small_matrix_detail {
/// Called: there are many places, and it is long.
template <int n, class S>
[[gnu::noinline]] void ldl_factor_straight(S* A) {
  S a[n * n];
  const auto lower = [](auto&& use) {
    straight<0, n>([&](auto row) { straight<0, row + 1>([&](auto column) { use(n * row + column); }); });
  };
  lower([&](int entry) { a[entry] = A[entry]; });
  straight<0, n>([&](auto pivot) {
    constexpr int j = pivot;
    const S inverse = S(1) / a[n * j + j];
    straight<j + 1, n>([&](auto row) {
      constexpr int i = row;
      const S l = a[n * i + j] * inverse;
      straight<j + 1, i + 1>([&](auto k) { a[n * i + k] -= l * a[n * k + j]; });
    });
    straight<j + 1, n>([&](auto i) { a[n * i + j] = a[n * i + j] * inverse; });
    a[n * j + j] = inverse;
  });
  lower([&](int entry) { A[entry] = a[entry]; });
}
}  // namespace small_matrix_detail

/// ldl_factor of an n x n matrix, straight. Of one number it is taken in: a call sends all registers to memory.
template <int n, class S>
KINETREE_INLINE void ldl_factor(S* A) {
  if constexpr (n == 1)
    A[0] = S(1) / A[0];
  else
    small_matrix_detail::ldl_factor_straight<n>(A);
}

/// ldl_forward and ldl_backward of an n x n matrix, straight.
template <int n, class S>
KINETREE_INLINE void ldl_forward(const S* A, S* b) {
  straight<1, n>([&](auto row) {
    constexpr int j = row;
    straight<0, j>([&](auto k) { b[j] -= A[n * j + k] * b[k]; });
  });
}
template <int n, class S>
KINETREE_INLINE void ldl_backward(const S* A, S* b) {
  straight<1, n>([&](auto up) {
    constexpr int j = n - up;
    straight<0, j>([&](auto k) { b[k] -= A[n * j + k] * b[j]; });
  });
}

/// ldl_solve of an n x n matrix, straight.
template <int n, class S>
void ldl_solve(const S* A, S* x) {
  S b[n];
  straight<0, n>([&](auto j) { b[j] = x[j]; });
  ldl_forward<n>(A, b);
  straight<0, n>([&](auto j) { b[j] = b[j] * A[n * j + j]; });
  ldl_backward<n>(A, b);
  straight<0, n>([&](auto j) { x[j] = b[j]; });
}

/// Calls use(rows), a Size where kernels are to be compiled for it: a revolute or prismatic joint that is cut leaves
/// five.
template <class Use>
KINETREE_INLINE void with_rows(int rows, Use&& use) {
  if (rows == 5)
    use(Size<5>());
  else
    use(rows);
}

// The systems of a cut joint's rows. `rows`: int or Size.

template <class Rows, class S>
KINETREE_INLINE void ldl_factor_rows(S* A, Rows rows) {
  if constexpr (is_size<Rows>)
    ldl_factor<Rows::value>(A);
  else
    ldl_factor(A, rows, rows);
}
template <class Rows, class S>
KINETREE_INLINE void ldl_forward_rows(const S* A, Rows rows, S* b) {
  if constexpr (is_size<Rows>)
    ldl_forward<Rows::value>(A, b);
  else
    ldl_forward(A, rows, rows, b);
}
template <class Rows, class S>
KINETREE_INLINE void ldl_backward_rows(const S* A, Rows rows, S* b) {
  if constexpr (is_size<Rows>)
    ldl_backward<Rows::value>(A, b);
  else
    ldl_backward(A, rows, rows, b);
}
template <class S>
void ldl_solve_rows(const S* A, int rows, S* b) {
  with_rows(rows, [&](auto known) {
    if constexpr (is_size<decltype(known)>)
      ldl_solve<known>(A, b);
    else
      ldl_solve(A, rows, rows, b);
  });
}

}  // namespace kinetree::inline inner
