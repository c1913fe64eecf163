#pragma once
// A finished group of modules as a node: what it gives the body that it hangs from, and takes of that body's
// acceleration (design: The node; P_up and z_up of the group's topmost body).

#include "engine/algorithm/dial/dial.hpp"

namespace kinetree::inline inner {

/// Over bodies, the accelerations that `side` was solved for last: those of the problem are the answer so far, b.a.
template <class S>
std::vector<Motion<S>>& last_accelerations(const Dial<S>& d, RightSide side) {
  return side == RightSide::problem ? d.b.a : d.f.change;
}

namespace dial_detail {

/// Rakes a finished group of modules into its parent body: factorizes its matrix and writes P_up (z_up: rake_vector).
template <class S>
void rake_matrix(const Dial<S>& d, const Step& step) {
  const CutJoint& cut = d.x.modules->cuts[at(step.closes)];
  S* J = d.e.matrix.data() + step.matrix;
  with_rows(cut.rows, [&](auto rows) { ldl_factor(J, rows); });
  if (d.x.parent(cut.body) < 0) return;
  ArticulatedInertia<S> P{};
  Force<S> W[6];
  for (int i = 0; i < cut.rows; ++i) {
    W[i] = transpose_times(d.k.X_up[at(cut.body)], d.f.T[at(cut.lambda + i)]);
    for (int j = 0; j < i; ++j) W[i] -= J[i * cut.rows + j] * W[j];
    P.downdate(W[i], -J[i * cut.rows + i] * W[i]);
  }
  d.b.P_up[d.x.slot(cut.body)] = P;
}

template <class S>
void rake_vector(const Dial<S>& d, const Step& step, Force<S> f) {
  const CutJoint& cut = d.x.modules->cuts[at(step.closes)];
  if (d.x.parent(cut.body) < 0) return;
  S y[6];
  for (int i = 0; i < cut.rows; ++i) y[i] = d.e.vector[step.vector + at(i)];
  with_rows(cut.rows, [&](auto rows) { ldl_solve(d.e.matrix.data() + step.matrix, rows, y); });
  for (int i = 0; i < cut.rows; ++i) f += y[i] * d.f.T[at(cut.lambda + i)];
  d.b.z_up[d.x.slot(cut.body)] = transpose_times(d.k.X_up[at(cut.body)], f);
}

}  // namespace dial_detail

/// The end of a step in a gather: where a group of modules is finished.
template <class S>
void rake(const Dial<S>& d, const Step& step) {
  if (step.closes < 0) return;
  dial_detail::rake_matrix(d, step);
  dial_detail::rake_vector(d, step, dial_detail::active(d, d.x.modules->cuts[at(step.closes)].body));
}

/// The same of a residual.
template <class S>
void rake_residual(const Dial<S>& d, const Step& step) {
  if (step.closes >= 0) dial_detail::rake_vector(d, step, Force<S>{});
}

/// The beginning of a step in a scatter: of a finished group, the force of the joint that it hangs from.
template <class S>
void close_group(const Dial<S>& d, RightSide side, const Step& step) {
  if (step.closes < 0) return;
  const CutJoint& cut = d.x.modules->cuts[at(step.closes)];
  const int p = d.x.parent(cut.body);
  const Motion<S> a = d.k.X_up[at(cut.body)] * (p >= 0                       ? last_accelerations(d, side)[at(p)]
                                                : side == RightSide::problem ? d.x.ground_acceleration
                                                                             : Motion<S>{});
  S* lambda = d.e.lambda.data() + cut.lambda;
  for (int i = 0; i < cut.rows; ++i) lambda[i] = d.e.vector[step.vector + at(i)] + dot(a, d.f.T[at(cut.lambda + i)]);
  with_rows(cut.rows, [&](auto rows) { ldl_solve(d.e.matrix.data() + step.matrix, rows, lambda); });
}

}  // namespace kinetree::inline inner
