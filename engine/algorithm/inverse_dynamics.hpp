#pragma once
// Newton-Euler inverse dynamics: a scatter of accelerations and a gather of forces (Jain 2011, Alg. 3.1).

#include "engine/algorithm/kinematics.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/bytes.hpp"

namespace kinetree::inline inner {

template <class S>
struct InverseDynamics {
  std::vector<Motion<S>> a;    ///< accelerations, gravity as an upward acceleration of the ground
  std::vector<Force<S>> f_up;  ///< force through the joint, parent's coordinates

  explicit InverseDynamics(const ModelData& m) : a(m.parent.size()), f_up(m.parent.size()) {}
  std::size_t bytes() const { return bytes_of(a, f_up); }
};

/// Scatter: accelerations; with state.a null the joints' own are zero (the bias forces).
template <class S>
void accelerations(const Context<S>& x, const Kinematics<S>& k, InverseDynamics<S>& d, int step) {
  outwards(*x.modules, x.module_of_step(step), [&](int i) {
    const int p = x.parent(i);
    Motion<S> a = k.X_up[at(i)] * (p < 0 ? x.ground_acceleration : d.a[at(p)]) + k.c[at(i)];
    if (x.state.a) with_subspace(x, k, i, [&](auto subspace) { subspace.add(x.state.a + x.v_index(i), a); });
    d.a[at(i)] = a;
  });
}

/// Gather: joint forces, written to `tau` (nv entries).
template <class S>
void joint_forces(const Context<S>& x, const Kinematics<S>& k, InverseDynamics<S>& d, S* tau, int step) {
  inwards(*x.modules, x.module_of_step(step), [&](int i) {
    const Force<S> f = plus_children(x, i, x.link[at(i)].I * d.a[at(i)] + bias_of_body(x, k, i), d.f_up);
    with_subspace(x, k, i, [&](auto subspace) { subspace.transpose_times(f, tau + x.v_index(i)); });
    if (x.state.a != nullptr && !x.rotors.empty())
      for (int j = x.v_index(i); j < x.v_index(i + 1); ++j) tau[j] += x.rotors[at(j)] * x.state.a[j];
    d.f_up[at(i)] = transpose_times(k.X_up[at(i)], f);
  });
}

}  // namespace kinetree::inline inner
