#pragma once
// Derivatives of inverse dynamics, pair by pair of a joint and one on its way to the ground: a gather in which the
// columns of all joints outboard of a body stand side by side in rows, and move to its parent at once.
//
// A column's forces F_q = Ic xi + 2 B eta - (turned external forces) and F_v = Ic xi_v + 2 B s are the derivatives of
// the force through its joint; s of a joint inboard makes of them that joint's row. The transposes U = Ic s,
// W = (2 B)ᵀ s make of xi, eta of a joint inboard the entry on the other side of the diagonal, and U of s the mass
// matrix.

#include <algorithm>

#include "engine/algorithm/derivatives_rows.hpp"

namespace kinetree::inline inner {

/// Where the two sides of dtau/dq and dtau/dv come to stand. `up`: row of a velocity, columns of its own joint and of
/// those outboard; `low`: column of a velocity, rows of those outboard. Nothing else of them means anything.
template <class S>
struct DerivativePairs {
  int stride = 0;
  std::vector<S> column;  ///< by rows: U 6, W 3, F_q 6, F_v 6, and 3 of external forces turned
  std::vector<S> up_q, up_v, low_q, low_v;
  std::vector<S> mass;  ///< a row of the mass matrix, columns as `up` has them

  explicit DerivativePairs(int nv) : stride(whole_registers<S>(nv)) {
    const std::size_t all = at(stride);
    column.resize(24 * all), mass.resize(all);
    for (std::vector<S>* matrix : {&up_q, &up_v, &low_q, &low_v}) matrix->resize(all * at(nv));
  }
  S* row(int r) { return column.data() + r * stride; }
  std::size_t bytes() const { return bytes_of(column, up_q, up_v, low_q, low_v, mass); }
};

namespace pairs_detail {

enum Row { U = 0, W = 6, F_q = 9, F_v = 15, turned = 21 };

/// Entries of column k with the columns of the joints outboard, and of row k.
template <bool turns, bool forced, class B, class S>
KINETREE_INLINE void entries(const Derivatives<S>& d, DerivativePairs<S>& w, int k, std::ptrdiff_t c) {
  using N = typename B::Number;
  const std::ptrdiff_t stride = w.stride, to = k * stride + c;
  const S* from = w.column.data() + c;
  const Motion<N> s = spread<B>(d.s[at(k)]), eta = spread<B>(d.eta[at(k)]), xi = spread<B>(d.xi[at(k)]),
                  xi_v = spread<B>(d.xi_v[at(k)]);
  const auto of = [&](const Force<N>& f) {
    if constexpr (turns)
      return dot(s.angular, f.moment);
    else
      return dot(s, f);
  };
  B::store(of(load6<B>(from + F_q * stride, stride)), &w.up_q[static_cast<std::size_t>(to)]);
  B::store(of(load6<B>(from + F_v * stride, stride)), &w.up_v[static_cast<std::size_t>(to)]);
  const Force<N> u = load6<B>(from + U * stride, stride);
  const Vector3<N> m = load3<B>(from + W * stride, stride);
  B::store(of(u), &w.mass[static_cast<std::size_t>(c)]);
  N q = dot(xi, u) + dot(eta.angular, m);
  if constexpr (forced) q -= dot(s.angular, load3<B>(from + turned * stride, stride));
  B::store(q, &w.low_q[static_cast<std::size_t>(to)]);
  B::store(dot(xi_v, u) + dot(s.angular, m), &w.low_v[static_cast<std::size_t>(to)]);
}

/// Moments about a point that is -r from where they are about.
template <class B, class S>
KINETREE_INLINE void move(const Vector3<S>& r, DerivativePairs<S>& w, std::ptrdiff_t c) {
  using N = typename B::Number;
  const std::ptrdiff_t stride = w.stride;
  const Vector3<N> arm = spread<B>(r);
  for (const int first : {U, F_q, F_v}) {
    S* row = w.column.data() + first * stride + c;
    const Force<N> f = load6<B>(row, stride);
    store3<B>(f.moment + cross(arm, f.force), row, stride);
  }
}

/// The columns of a group, and of its own block all entries, which are read off forces alone: own(q, v, mass), row by
/// row.
template <bool forced, class S>
void put_columns(const Derivatives<S>& d, DerivativePairs<S>& w, const ColumnGroup& g, S* own) {
  const std::ptrdiff_t stride = w.stride;
  const RigidInertia<S>& I = d.I[at(g.body)];
  const VelocityForce<S>& B = d.B[at(g.body)];
  const int n = g.end - g.begin;
  for (int c = g.begin; c < g.end; ++c) {
    S* column = w.column.data() + c;
    const Motion<S>& s = d.s[at(c)];
    const Force<S> u = I * s, f_v = I * d.xi_v[at(c)] + B(s.angular);
    Force<S> f_q = I * d.xi[at(c)] + B(d.eta[at(c)].angular);
    if constexpr (forced) {
      const TurnedForce<S>& E = d.turned[at(g.body)];
      f_q -= E(s.angular);
      put(E.transposed(s), column + turned * stride, stride);
    }
    for (int r = 0; r < n; ++r) {
      const Motion<S>& row = d.s[at(g.begin + r)];
      S* entry = own + 3 * (n * r + c - g.begin);
      entry[0] = dot(row, f_q), entry[1] = dot(row, f_v), entry[2] = dot(row, u);
    }
    put(u, column + U * stride, stride);
    put(B.transposed(s), column + W * stride, stride);
    // what is inboard feels the force through the joint turn as well
    put(f_q + cross(s, d.f[at(g.body)]), column + F_q * stride, stride);
    put(f_v, column + F_v * stride, stride);
  }
}

}  // namespace pairs_detail

/// Gather, after derivative_motions. Calls use_mass(v, group, row) for the rows v of the mass matrix, whose entries are
/// row[c] for the velocities c from the first of v's group on to those outboard.
template <bool forced, class S, class UseMass>
void derivative_pairs(const Context<S>& x, Derivatives<S>& d, DerivativePairs<S>& w, UseMass&& use_mass) {
  using namespace pairs_detail;
  const int nv = static_cast<int>(d.s.size());
  S own[3 * 36];
  for (std::size_t k = d.group.size(); k-- > 0;) {
    const ColumnGroup& g = d.group[k];
    const Vector3<S>& r = d.arm[at(g.body)].r;
    const bool moves = g.innermost && x.parent(g.body) >= 0;
    put_columns<forced>(d, w, g, own);
    const int n = g.end - g.begin;
    for (int v = g.begin; v < g.end; ++v) {
      if (g.turns)  // most joints: all in one loop
        for_columns<S>(g.begin, g.subtree_end, nv, [&]<class B>(B, int c) KINETREE_INLINE_LAMBDA {
          entries<true, forced, B>(d, w, v, c);
          if (moves) move<B>(r, w, c);
        });
      else
        for_columns<S>(g.begin, g.subtree_end, nv,
                       [&]<class B>(B, int c) KINETREE_INLINE_LAMBDA { entries<false, forced, B>(d, w, v, c); });
      for (int c = 0; c < n; ++c) {
        const std::size_t entry = at(v) * at(w.stride) + at(g.begin + c);
        const S* of = own + 3 * (n * (v - g.begin) + c);
        w.up_q[entry] = of[0], w.up_v[entry] = of[1], w.mass[at(g.begin + c)] = of[2];
      }
      use_mass(v, g, w.mass.data());
    }
    if (moves && !g.turns)
      for_columns<S>(g.begin, g.subtree_end, nv, [&]<class B>(B, int c) KINETREE_INLINE_LAMBDA { move<B>(r, w, c); });
    if (g.innermost) derivative_composites(x, d, g.body);
  }
}

/// Calls use(k, dq, dv) for the rows k of column c of dtau/dq and dtau/dv that are not zero for the tree's pattern, in
/// no order.
template <class S, class Use>
KINETREE_INLINE void for_rows(const Derivatives<S>& d, const DerivativePairs<S>& w, int c, Use&& use) {
  const std::size_t stride = at(w.stride);
  const int own = d.group_of[at(c)];
  for (int g = own; g >= 0; g = d.group[at(g)].inboard)
    for (int k = d.group[at(g)].begin; k < d.group[at(g)].end; ++k)
      use(k, w.up_q[at(k) * stride + at(c)], w.up_v[at(k) * stride + at(c)]);
  for (int k = d.group[at(own)].end; k < d.group[at(own)].subtree_end; ++k)
    use(k, w.low_q[at(c) * stride + at(k)], w.low_v[at(c) * stride + at(k)]);
}

}  // namespace kinetree::inline inner
