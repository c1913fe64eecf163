#pragma once
// Articulated bodies: gather of inertias and biases, scatter of accelerations (Jain 2011, Alg. 6.1; Featherstone 2008,
// Sec. 7.3).

#include <kinetree/algorithm/aggregate.hpp>

namespace kinetree {

/// What a sweep does at a body beside its own work, where that is nothing.
struct NothingMore {
  void operator()(int) const {}
};

/// Gather, one body outside aggregates.
template <class S, class Subspace>
KINETREE_INLINE void articulate_body(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, int i,
                                     const Subspace& subspace) {
  ArticulatedInertia<S> P = gather_inertia(x, b, i);
  const int j = x.v_index(i);
  const S* rotor = rotors(x, j);
  Force<S>* U = &b.U[at(j)];
  S* D = &b.D[b.d_index[at(i)]];
  joint_factor(subspace, rotor, P, U, D);
  S y[Subspace::freedoms];
  Force<S> z = gather_bias(x, k, b, i);  // not before: registers would not hold both
  joint_bias(subspace, rotor, x.state.tau + j, U, D, &b.u[at(j)], y, z);
  if (x.parent(i) < 0) return;
  add_bias_inside(subspace, rotor, P, k.c[at(i)], z);
  inertia_inside(subspace, rotor, k.X_up[at(i)], P, b.P_up[at(i)]);
  b.z_up[at(i)] = transpose_times(k.X_up[at(i)], z);
}

/// The same, of any joint: one function for all sweeps.
template <class S>
void articulate_plain(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, int i) {
  with_subspace(x.type(i), &k.columns[at(x.v_index(i))], [&](auto subspace) { articulate_body(x, k, b, i, subspace); });
}

/// Gather: a module without columns whose base is not cut. `behind(i)`: what follows at body i, outside aggregates.
template <class S, class Hook = NothingMore>
void articulate(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, int step, Hook&& behind = {}) {
  inwards(*x.modules, x.module_of_step(step), [&](int i) {
    if (aggregate_of(*x.model, i) >= 0) return articulate_aggregate(x, k, b, i);
    articulate_plain(x, k, b, i);
    behind(i);
  });
}

/// Scatter, one body outside aggregates.
template <class S, class Subspace>
KINETREE_INLINE void accelerate_body(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, int i,
                                     const Subspace& subspace) {
  const int p = x.parent(i), j = x.v_index(i);
  Motion<S> a = k.X_up[at(i)] * (p < 0 ? x.ground_acceleration : b.a[at(p)]);
  add_bias(subspace, k.c[at(i)], a);
  S rate[Subspace::freedoms];
  for (int n = 0; n < subspace.freedoms; ++n) rate[n] = b.u[at(j + n)];
  joint_acceleration(subspace, &b.U[at(j)], &b.D[b.d_index[at(i)]], rate, a);
  for (int n = 0; n < subspace.freedoms; ++n) x.state.result[j + n] = rate[n];
  b.a[at(i)] = a;
}

/// The same, of any joint: one function for all sweeps.
template <class S>
void accelerate_plain(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, int i) {
  with_subspace(x.type(i), &k.columns[at(x.v_index(i))], [&](auto subspace) { accelerate_body(x, k, b, i, subspace); });
}

/// Scatter: accelerations of a module without columns whose base is not cut. `before(i)`: what comes first at body i.
template <class S, class Hook = NothingMore>
void accelerate(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, int step, Hook&& before = {}) {
  outwards(*x.modules, x.module_of_step(step), [&](int i) {
    before(i);
    const int p = x.parent(i), j = x.v_index(i);
    const int aggregate = aggregate_of(*x.model, i);
    if (aggregate < 0) return accelerate_plain(x, k, b, i);
    const Motion<S>& outer = p < 0 ? x.ground_acceleration : b.a[at(p)];
    if (stands_for(*x.model, i)) accelerate_aggregate(x, b, aggregate, outer, true, x.state.result);
    if (x.model->children_of(i).empty()) return;  // nobody asks for a tip's
    with_subspace(x.type(i), &k.columns[at(j)], [&](auto subspace) {
      Motion<S> a = k.X_up[at(i)] * outer;
      add_bias(subspace, k.c[at(i)], a);
      subspace.add(x.state.result + j, a);
      b.a[at(i)] = a;
    });
  });
}

}  // namespace kinetree
