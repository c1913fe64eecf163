#pragma once
// Columns as they pass an embedded aggregate (design: Which joints may be cut). On its way from a member inwards a
// column meets the members' joints one by one, and what it does there to the independent coordinates adds up in
// epsilon; behind the last joint the coordinates are eliminated from it, as a joint's velocity is.

#include "engine/algorithm/dial/columns.hpp"

namespace kinetree::inline inner::dial_detail {

/// The columns at one member: its share of epsilon and beta; then Z goes to the body that the member hangs from.
template <class S, class Subspace>
KINETREE_INLINE void pass_member(const Dial<S>& d, const Module& module, const EmbeddedNode<S>& node, int p,
                                 const Subspace& subspace) {
  constexpr int freedoms = Subspace::freedoms;
  const int i = node.body(p), column = node.member[at(p)].column, n = node.freedoms();
  const Passing &pass = d.x.modules->passing[at(i)], &through = d.x.modules->through[at(node.index)];
  const S* X = node.map.X.data() + column * n;
  S* epsilon = d.f.epsilon.data() + through.epsilon;
  Motion<S> c = d.k.c[at(i)];
  if (!node.aggregate->constant()) subspace.add(&node.map.g[at(column)], c);
  for (int col = pass.begin; col < pass.end; ++col) {
    Force<S>& Z = d.f.Z[at(module.lambda + col)];
    S felt[freedoms];
    subspace.transpose_times(Z, felt);
    for (int r = 0; r < n; ++r)
      for (int f = 0; f < freedoms; ++f) epsilon[r * through.width() + col - through.begin] -= X[f * n + r] * felt[f];
    d.f.beta[at(module.lambda + col)] += dot(c, Z);
    to_parent(transform_of(subspace, d.k.X_up[at(i)]), Z);
  }
}

/// All of a node's columns, once its factors are known.
template <class S>
void pass_columns(const Dial<S>& d, const Module& module, EmbeddedNode<S>& node) {
  const Passing& through = d.x.modules->through[at(node.index)];
  const int n = node.freedoms(), width = through.width();
  if (width == 0) return;
  S* epsilon = d.f.epsilon.data() + through.epsilon;
  std::fill_n(epsilon, n * width, S(0));
  for (int p = node.members(); p-- > 0;)
    with_subspace(d.x, d.k, node.body(p), [&](auto subspace) { pass_member(d, module, node, p, subspace); });
  for (int col = 0; col < width; ++col) {
    const int own = module.lambda + through.begin + col;
    for (int r = 0; r < n; ++r) node.x[at(r)] = epsilon[r * width + col];
    ldl_solve(node.D.data(), n, node.x.data());
    for (int r = 0; r < n; ++r) {
      d.f.Z[at(own)] += node.x[at(r)] * node.U[at(r)];
      d.f.beta[at(own)] -= node.x[at(r)] * node.u[at(r)];
    }
    d.f.Z[at(own)] = without_faded(d.f.Z[at(own)]);
    S* omega = &d.f.omega[module.omega + at(through.begin + col) * at(module.columns) + at(through.begin)];
    for (int other = 0; other <= col; ++other)
      for (int r = 0; r < n; ++r) omega[other] += node.x[at(r)] * epsilon[r * width + other];
  }
}

/// The columns' beta of another right-hand side.
template <class S>
void pass_beta(const Dial<S>& d, const Module& module, EmbeddedNode<S>& node) {
  const Passing& through = d.x.modules->through[at(node.index)];
  const int n = node.freedoms(), width = through.width();
  if (width == 0) return;
  const S* epsilon = d.f.epsilon.data() + through.epsilon;
  for (int r = 0; r < n; ++r) node.x[at(r)] = node.u[at(r)];
  ldl_solve(node.D.data(), n, node.x.data());
  for (int col = 0; col < width; ++col)
    for (int r = 0; r < n; ++r)
      d.f.beta[at(module.lambda + through.begin + col)] -= epsilon[r * width + col] * node.x[at(r)];
}

/// What the columns' forces do to the coordinates: added to x, their u.
template <class S>
void add_columns(const Dial<S>& d, const Module& module, const EmbeddedNode<S>& node, S* x) {
  const Passing& through = d.x.modules->through[at(node.index)];
  const S* epsilon = d.f.epsilon.data() + through.epsilon;
  const S* lambda = d.e.lambda.data() + module.lambda + through.begin;
  for (int r = 0; r < node.freedoms(); ++r)
    for (int col = 0; col < through.width(); ++col) x[r] += epsilon[r * through.width() + col] * lambda[col];
}

}  // namespace kinetree::inline inner::dial_detail
