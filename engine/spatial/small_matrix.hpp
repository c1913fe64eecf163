#pragma once
// Dense algebra of a few rows on plain arrays, row by row: L D Lᵀ without roots or pivots, so that any scalar can do
// it.

#include <type_traits>

#include "engine/scalar/inline.hpp"

namespace kinetree::inline inner {

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
/// a - b, a Size of Sizes.
template <class A, class B>
KINETREE_INLINE constexpr auto minus(A a, B b) {
  if constexpr (is_size<A> && is_size<B>)
    return Size<A::value - B::value>();
  else
    return a - b;
}
/// Not inlined: it is long, and many kernels call it.
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

// L D Lᵀ of n x n matrices. `n`: int, or a Size, which gives straight code.

/// Factorizes the lower triangle of a symmetric positive definite matrix in place: below the diagonal the unit lower L,
/// on it 1 / D.
template <class N, class S>
KINETREE_INLINE void ldl_factor(S* A, N n) {
  if constexpr (!is_size<N>) {
    for (int j = 0; j < n; ++j) {
      const S inverse = S(1) / A[j * n + j];
      for (int i = j + 1; i < n; ++i) {
        const S l = A[i * n + j] * inverse;
        for (int k = j + 1; k <= i; ++k) A[i * n + k] -= l * A[k * n + j];
      }
      for (int i = j + 1; i < n; ++i) A[i * n + j] = A[i * n + j] * inverse;
      A[j * n + j] = inverse;
    }
  } else if constexpr (N::value == 1) {  // no call: one would send all registers to memory
    A[0] = S(1) / A[0];
  } else {
    small_matrix_detail::ldl_factor_straight<N::value>(A);
  }
}

/// b := L⁻¹ b
template <class N, class S>
KINETREE_INLINE void ldl_forward(const S* A, N n, S* b) {
  each(Size<1>(), n, [&](auto j) { each(j, [&](auto k) { b[j] -= A[j * n + k] * b[k]; }); });
}

/// b := L⁻ᵀ b
template <class N, class S>
KINETREE_INLINE void ldl_backward(const S* A, N n, S* b) {
  each(Size<1>(), n, [&](auto up) {
    const auto j = small_matrix_detail::minus(n, up);
    each(j, [&](auto k) { b[k] -= A[j * n + k] * b[j]; });
  });
}

namespace small_matrix_detail {
template <int n, class S>
void ldl_solve_straight(const S* A, S* x) {
  S b[n];
  straight<0, n>([&](auto j) { b[j] = x[j]; });
  ldl_forward(A, Size<n>(), b);
  straight<0, n>([&](auto j) { b[j] = b[j] * A[n * j + j]; });
  ldl_backward(A, Size<n>(), b);
  straight<0, n>([&](auto j) { x[j] = b[j]; });
}
}  // namespace small_matrix_detail

/// x := A⁻¹ x
template <class N, class S>
KINETREE_INLINE void ldl_solve(const S* A, N n, S* x) {
  if constexpr (is_size<N>) {
    small_matrix_detail::ldl_solve_straight<N::value>(A, x);
  } else {
    ldl_forward(A, n, x);
    for (int j = 0; j < n; ++j) x[j] = x[j] * A[j * n + j];
    ldl_backward(A, n, x);
  }
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

}  // namespace kinetree::inline inner
