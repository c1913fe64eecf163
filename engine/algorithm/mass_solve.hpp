#pragma once
// Solving H a = b: Lᵀ D L over the tree's sparsity (Featherstone 2008, Sec. 6.5, 8.1), and dense L D Lᵀ.

#include <algorithm>

#include "engine/algorithm/mass_rows.hpp"
#include "engine/spatial/small_matrix.hpp"

namespace kinetree::inline inner {

/// Gather: the rows of a module of H = Lᵀ D L, L unit lower triangular with H's own pattern; 1 / D on the diagonal.
/// Each row takes in all rows outboard of it, so that no row is written from two places.
template <class S>
void sparse_factor(const Context<S>& x, MassMatrix<S>& H, int step) {
  inwards(*x.modules, x.module_of_step(step), [&](int i) {
    const int end = x.v_index(x.model->subtree_end[at(i)]);
    for (int r = x.v_index(i + 1) - 1; r >= x.v_index(i); --r) {
      S* own = H.at_row(r);
      const int diagonal = H.before[at(i)] + r - x.v_index(i);
      for (int o = r + 1; o < end; ++o) {
        const S* row = H.at_row(o);
        const int last = static_cast<int>(H.row[at(o) + 1] - H.row[at(o)]) - 1;
        const S s = row[diagonal] / row[last];  // L times D: the diagonal holds 1 / D
        for (int c = 0; c <= diagonal; ++c) own[c] -= s * row[c];
      }
      own[diagonal] = S(1) / own[diagonal];
      for (int c = 0; c < diagonal; ++c) own[c] = own[c] * own[diagonal];
    }
  });
}

/// Gather: b := L⁻ᵀ b over a module.
template <class S>
void sparse_backward(const Context<S>& x, const MassMatrix<S>& H, S* b, int step) {
  inwards(*x.modules, x.module_of_step(step), [&](int i) {
    const int end = x.v_index(x.model->subtree_end[at(i)]);
    for (int r = x.v_index(i + 1) - 1; r >= x.v_index(i); --r) {
      const int diagonal = H.before[at(i)] + r - x.v_index(i);
      for (int o = r + 1; o < end; ++o) b[r] -= H.at_row(o)[diagonal] * b[o];
    }
  });
}

/// Scatter: b := L⁻¹ D⁻¹ b over a module. `D⁻¹` is applied to each entry as it is reached.
template <class S>
void sparse_forward(const Context<S>& x, const MassMatrix<S>& H, S* b, int step) {
  outwards(*x.modules, x.module_of_step(step), [&](int i) {
    for (int r = x.v_index(i); r < x.v_index(i + 1); ++r) {
      const S* row = H.at_row(r);
      int c = H.before[at(i)] + r - x.v_index(i);
      b[r] = b[r] * row[c];
      // the row's columns, from its own joint to the ground
      for (int j = i, k = r; c > 0;) {
        if (k == x.v_index(j)) {
          j = x.parent(j);
          k = x.v_index(j + 1);
        }
        --k, --c;
        b[r] -= row[c] * b[k];
      }
    }
  });
}

/// Calls use(r, k, entry) for the entries of H that are not zero for its pattern, k <= r.
template <class S, class Use>
KINETREE_INLINE void for_entries(const Context<S>& x, const MassMatrix<S>& H, Use&& use) {
  for (int i = 0; i < x.bodies(); ++i)
    for (int r = x.v_index(i); r < x.v_index(i + 1); ++r) {
      const S* row = H.at_row(r);
      int c = H.before[at(i)] + r - x.v_index(i);
      for (int j = i, k = r;; --k) {
        use(r, k, row[c]);
        if (c-- == 0) break;
        if (k == x.v_index(j)) {
          j = x.parent(j);
          k = x.v_index(j + 1);
        }
      }
    }
}

/// Writes both triangles of the dense nv x nv matrix.
template <class S>
void dense_mass_matrix(const Context<S>& x, const MassMatrix<S>& H, S* dense) {
  const int nv = x.model->v_index.back();
  std::fill_n(dense, at(nv) * at(nv), S(0));
  for_entries(x, H, [&](int r, int k, const S& entry) {
    dense[at(r) * at(nv) + at(k)] = dense[at(k) * at(nv) + at(r)] = entry;
  });
}

/// Writes one triangle of an n x n matrix from the other (`upper`: the one above the diagonal of a matrix that stands
/// row by row), in squares of which both stay in the nearest cache; of numbers that are one lane of a register in
/// squares of registers, which are turned over there.
template <bool upper, class S>
void mirror(S* dense, std::ptrdiff_t n) {
  constexpr std::ptrdiff_t side = 16, width = WholeRegister<S>::width;
  if constexpr (upper && width > 1) {
    if (n < 2 * width) {  // too few for squares
      for (std::ptrdiff_t r = 1; r < n; ++r) {
        const S* from = dense + r;
        for (S *to = dense + r * n, *const end = to + r; to < end; ++to, from += n) *to = *from;
      }
      return;
    }
    for (std::ptrdiff_t first = 0; first < n; first += side)
      for (std::ptrdiff_t left = 0; left <= first; left += side)
        for (std::ptrdiff_t r = first; r < std::min(first + side, n); r += width)
          WholeRegister<S>::turn_over(dense, n, std::min(r, n - width), left, left + side);
    return;
  }
  for (std::ptrdiff_t first = 0; first < n; first += side)
    for (std::ptrdiff_t left = 0; left <= first; left += side)
      for (std::ptrdiff_t r = first; r < std::min(first + side, n); ++r)
        for (std::ptrdiff_t c = left; c < std::min(left + side, r); ++c)
          if constexpr (upper)
            dense[r * n + c] = dense[c * n + r];
          else
            dense[c * n + r] = dense[r * n + c];
}

}  // namespace kinetree::inline inner
