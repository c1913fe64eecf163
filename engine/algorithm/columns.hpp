#pragma once
// The columns of a module's carried cut joints, as they pass its uncut joints (design: section 2).

#include <kinetree/algorithm/dial.hpp>

namespace kinetree::dial_detail {

/// Calls use(the number of columns where kernels are to be compiled for it, else 0): one turn or slide that is cut
/// leaves five.
template <class Subspace, class Use>
KINETREE_INLINE void with_width(const Passing& pass, Use&& use) {
  if constexpr (Subspace::freedoms == 1 && Subspace::constant)
    if (pass.end - pass.begin == 5) return use(std::integral_constant<int, 5>());
  use(std::integral_constant<int, 0>());
}

/// The columns at one uncut joint: epsilon, Z, beta, Omega; then Z goes to the parent. `y`: D⁻¹ u of the joint's bias.
template <int fixed, class S, class Subspace>
KINETREE_INLINE void pass_columns(const Dial<S>& d, const Subspace& subspace, const Module& module, int i, const S* y) {
  constexpr int n = Subspace::freedoms;
  const Passing& pass = d.x.modules->passing[at(i)];
  const int width = fixed > 0 ? fixed : pass.end - pass.begin, v = d.x.v_index(i);
  const Force<S>* U = &d.b.U[at(v)];
  const S* D = &d.b.D[d.b.d_index[at(i)]];
  const Motion<S> c = d.k.c[at(i)];
  S* epsilon = d.f.epsilon.data() + pass.epsilon;
  S* beta = d.f.beta.data() + module.lambda + pass.begin;
  Force<S>* columns = d.f.Z.data() + module.lambda + pass.begin;
  for (int col = 0; col < width; ++col) {
    Force<S> Z = columns[col];
    S felt[n], moved[n];
    subspace.transpose_times(Z, felt);
    for (int k = 0; k < n; ++k) epsilon[k * width + col] = moved[k] = -felt[k];
    ldl_solve<n>(D, moved);
    for (int k = 0; k < n; ++k) Z += moved[k] * U[k];
    S sum = beta[col] + bias_power(subspace, c, Z);
    for (int k = 0; k < n; ++k) sum += felt[k] * y[k];
    beta[col] = sum;
    S* omega = &d.f.omega[module.omega + at(pass.begin + col) * at(module.columns) + at(pass.begin)];
    for (int other = 0; other <= col; ++other)
      for (int k = 0; k < n; ++k) omega[other] += moved[k] * epsilon[k * width + other];
    move_inside(d.k.X_up[at(i)], Z);
    columns[col] = Z;
  }
}

/// The columns' beta at one uncut joint of another right-hand side.
template <int fixed, class S, class Subspace>
KINETREE_INLINE void pass_beta(const Dial<S>& d, const Subspace&, const Module& module, const Passing& pass,
                               const S* y) {
  const int width = fixed > 0 ? fixed : pass.end - pass.begin;
  const S* epsilon = d.f.epsilon.data() + pass.epsilon;
  S* beta = d.f.beta.data() + module.lambda + pass.begin;
  for (int col = 0; col < width; ++col) {
    S sum = beta[col];
    for (int k = 0; k < Subspace::freedoms; ++k) sum -= epsilon[k * width + col] * y[k];
    beta[col] = sum;
  }
}

/// What the columns' forces do at one uncut joint: added to x, its u.
template <int fixed, class S, class Subspace>
KINETREE_INLINE void add_columns(const Dial<S>& d, const Subspace&, const Module& module, const Passing& pass, S* x) {
  const int width = fixed > 0 ? fixed : pass.end - pass.begin;
  const S* lambda = d.e.lambda.data() + module.lambda + pass.begin;
  const S* epsilon = d.f.epsilon.data() + pass.epsilon;
  for (int k = 0; k < Subspace::freedoms; ++k)
    for (int col = 0; col < width; ++col) x[k] += epsilon[k * width + col] * lambda[col];
}

}  // namespace kinetree::dial_detail
