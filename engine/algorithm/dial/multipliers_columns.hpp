#pragma once
// Columns as they pass an aggregate held by multipliers (design: Which joints may be cut). They pass its spanning
// joints as any uncut joint's; then what they do along each constraint, Omega_Kc = sum over joints of u_K D⁻¹ epsilon,
// is eliminated with the multipliers. W = L⁻¹ Omega_Kc stands where an embedded aggregate has its epsilon, row by row.

#include "engine/algorithm/dial/columns.hpp"

namespace kinetree::inline inner::dial_detail {

/// Once multipliers are eliminated from what the parent feels.
template <class S>
void pass_columns(const Dial<S>& d, const Module& module, MultiplierNode<S>& g) {
  const Passing& through = d.x.modules->through[at(g.index)];
  const int width = through.width(), n = g.aggregate->velocities;
  if (width == 0 || !g.omega.regular()) return;
  S* W = d.f.epsilon.data() + through.epsilon;
  for (int col = 0; col < width; ++col) {
    const int own = module.lambda + through.begin + col;
    for (S& sum : g.rest) sum = S(0);
    for (int c = 0; c < g.constraints(); ++c)
      multipliers_detail::supporting(d.x, g, c, [&](int, int i, int column, int freedoms) {
        const Passing& pass = d.x.modules->passing[at(i)];
        const int k = through.begin + col - pass.begin;
        if (k < 0 || k >= pass.width()) return;
        for (int r = g.first_row[at(c)]; r < g.first_row[at(c + 1)]; ++r)
          for (int f = 0; f < freedoms; ++f)
            g.rest[at(r)] += g.y[at(r * n + column + f)] * d.f.epsilon[pass.epsilon + at(f * pass.width() + k)];
      });
    g.omega.forward(g.rest.data());
    for (int t = 0; t < g.omega.rank; ++t) {
      const int r = g.omega.taken(t);
      W[r * width + col] = g.rest[at(r)];
      const S over_d = g.omega.of(r, r) * g.rest[at(r)];
      d.f.Z[at(own)] -= over_d * g.B[at(r)];
      d.f.beta[at(own)] -= over_d * g.kappa[at(r)];
      S* omega = &d.f.omega[module.omega + at(through.begin + col) * at(module.columns) + at(through.begin)];
      for (int other = 0; other <= col; ++other) omega[other] -= over_d * W[r * width + other];
    }
    d.f.Z[at(own)] = without_faded(d.f.Z[at(own)]);
  }
}

/// The columns' beta of another right-hand side.
template <class S>
void pass_beta(const Dial<S>& d, const Module& module, MultiplierNode<S>& g) {
  const Passing& through = d.x.modules->through[at(g.index)];
  const S* W = d.f.epsilon.data() + through.epsilon;
  S* beta = d.f.beta.data() + module.lambda + through.begin;
  for (int t = 0; t < g.omega.rank; ++t) {
    const int r = g.omega.taken(t);
    const S over_d = g.omega.of(r, r) * g.kappa[at(r)];
    for (int col = 0; col < through.width(); ++col) beta[col] -= over_d * W[r * through.width() + col];
  }
}

/// What the columns' forces take from L⁻¹ (k - K a_free) of row r.
template <class S>
S share_of_columns(const Dial<S>& d, const Module& module, const MultiplierNode<S>& g, int r) {
  const Passing& through = d.x.modules->through[at(g.index)];
  const S* W = d.f.epsilon.data() + through.epsilon + r * through.width();
  const S* lambda = d.e.lambda.data() + module.lambda + through.begin;
  S sum(0);
  for (int col = 0; col < through.width(); ++col) sum += W[col] * lambda[col];
  return sum;
}

}  // namespace kinetree::inline inner::dial_detail
