#pragma once
// Articulated bodies: gather of inertias and biases, scatter of accelerations (Jain 2011, Alg. 6.1; Featherstone 2008,
// Sec. 7.3).

#include <kinetree/algorithm/aggregate.hpp>

namespace kinetree {

/// What a sweep does at a body beside its own work, where that is nothing.
struct NothingMore {
  void operator()(int) const {}
};

/// Gather: a module without columns whose base is not cut. `behind(i)`: what follows at body i, outside aggregates.
template <class S, class Hook = NothingMore>
void articulate(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, int step, Hook&& behind = {}) {
  inwards(*x.modules, x.module_of_step(step), [&](int i) {
    ArticulatedInertia<S> P = plus_children(x, i, ArticulatedInertia<S>(x.link[at(i)].I),
                                            [&](int c) -> const ArticulatedInertia<S>& { return b.P_up[at(c)]; });
    Force<S> z = plus_children(x, i, k.p[at(i)], [&](int c) -> const Force<S>& { return b.z_up[at(c)]; });
    if (aggregate_of(*x.model, i) >= 0) {
      keep_member(*x.model, b, i, P, z);
      if (stands_for(*x.model, i)) articulate_aggregate(x, k, b, aggregate_of(*x.model, i));
      return;
    }
    const int j = x.v_index(i);
    with_subspace(x.type(i), &k.columns[at(j)], [&](auto subspace) {
      S y[subspace.freedoms];
      joint_factor(subspace, rotors(x, j), P, &b.U[at(j)], &b.D[b.d_index[at(i)]]);
      z += joint_bias(subspace, z, x.state.tau + j, &b.U[at(j)], &b.D[b.d_index[at(i)]], &b.u[at(j)], y);
    });
    if (x.parent(i) >= 0) {
      z += P * k.c[at(i)];
      b.P_up[at(i)] = congruence(k.X_up[at(i)], P);
      b.z_up[at(i)] = transpose_times(k.X_up[at(i)], z);
    }
    behind(i);
  });
}

/// Scatter: accelerations of a module without columns whose base is not cut. `before(i)`: what comes first at body i.
template <class S, class Hook = NothingMore>
void accelerate(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, int step, Hook&& before = {}) {
  outwards(*x.modules, x.module_of_step(step), [&](int i) {
    before(i);
    const int p = x.parent(i), j = x.v_index(i);
    const int aggregate = aggregate_of(*x.model, i);
    if (aggregate >= 0 && stands_for(*x.model, i))
      accelerate_aggregate(x, b, aggregate, p < 0 ? x.ground_acceleration : b.a[at(p)], true, x.state.result);
    Motion<S> a = k.X_up[at(i)] * (p < 0 ? x.ground_acceleration : b.a[at(p)]) + k.c[at(i)];
    with_subspace(x.type(i), &k.columns[at(j)], [&](auto subspace) {
      if (aggregate >= 0) return subspace.add(x.state.result + j, a);
      for (int n = 0; n < subspace.freedoms; ++n) x.state.result[j + n] = b.u[at(j + n)];
      joint_acceleration(subspace, &b.U[at(j)], &b.D[b.d_index[at(i)]], x.state.result + j, a);
    });
    b.a[at(i)] = a;
  });
}

}  // namespace kinetree
