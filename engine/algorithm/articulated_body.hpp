#pragma once
// Articulated bodies: gather of inertias and biases, scatter of accelerations (Jain 2011, Alg. 6.1; Featherstone 2008,
// Sec. 7.3).

#include "engine/algorithm/aggregate.hpp"

namespace kinetree::inline inner {

/// What a sweep does at a body beside its own work, where that is nothing; only then it may take runs at once.
struct NothingMore {
  void operator()(int) const {}
};

/// Gather, at one joint: P, the inertia of everything outboard of it, and bias(), what gathers there, become what the
/// joint passes on. `y`: D⁻¹ u; `asks_y`: as in joint_bias.
template <bool asks_y, class S, class Subspace, class Bias>
KINETREE_INLINE Force<S> eliminate_joint(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, int i,
                                         const Subspace& subspace, const S* rotor, ArticulatedInertia<S>& P,
                                         Bias&& bias, S* y) {
  const int j = x.v_index(i);
  Force<S>* U = &b.U[at(j)];
  S* D = &b.D[b.d_index[at(i)]];
  joint_factor(subspace, rotor, P, U, D);
  Force<S> z = bias();  // not before: registers would not hold both
  joint_bias<asks_y>(subspace, rotor, x.state.tau + j, U, D, &b.u[at(j)], y, z);
  if (x.parent(i) >= 0) add_bias_inside(subspace, rotor, P, k.c[at(i)], z);
  return z;
}

/// One body outside aggregates.
template <bool asks_y, class S, class Subspace, class Bias>
KINETREE_INLINE void articulate_body(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, int i,
                                     const Subspace& subspace, Bias&& bias, S* y) {
  ArticulatedInertia<S> P = gather_inertia(x, b, i);
  const S* rotor = rotors(x, x.v_index(i));
  const Force<S> z = eliminate_joint<asks_y>(x, k, b, i, subspace, rotor, P, bias, y);
  if (x.parent(i) < 0) return;
  inertia_inside(subspace, rotor, k.X_up[at(i)], P, b.P_up[at(i)]);
  b.z_up[at(i)] = transpose_times(transform_of(subspace, k.X_up[at(i)]), z);
}

/// The same along a turn run, from body `last` in to `first`; the inertia stays in registers. `has_rotors`: whether
/// the model has any.
template <bool has_rotors, class S, class Bias>
KINETREE_INLINE void articulate_turns(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, int first,
                                      int last, Bias&& bias) {
  ArticulatedInertia<S> P = gather_inertia(x, b, last);
  for (int i = last;; --i) {
    const S* rotor = has_rotors ? rotors(x, x.v_index(i)) : nullptr;
    S y[1];
    Force<S> z = eliminate_joint<false>(
        x, k, b, i, TurnZ{}, rotor, P, [&]() KINETREE_INLINE_LAMBDA { return bias(i); }, y);
    if (x.parent(i) < 0) return;
    ArticulatedInertia<S> up;  // declared further out it would be in memory
    const OuterTransform<S> X_up(k.X_up[at(i)]);
    if constexpr (has_rotors)
      move_inside(X_up, P, up);
    else
      move_inside_free_turn(X_up, P, up);
    move_inside(X_up, z);
    b.z_up[at(i)] = z;
    if (i == first) {
      b.P_up[at(i)] = up;
      if (!X_up.placed.has_inner()) return;
      move_inside_inner(X_up.placed, b.P_up[at(i)]);
      return move_inside_inner(X_up.placed, b.z_up[at(i)]);
    }
    P = up;
    P += x.link[at(i - 1)].I;
  }
}

/// The same, of any joint: one function for all sweeps.
template <class S>
void articulate_plain(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, int i) {
  with_subspace(x, k, i, [&](auto subspace) {
    S y[decltype(subspace)::freedoms];
    articulate_body<false>(
        x, k, b, i, subspace, [&]() KINETREE_INLINE_LAMBDA { return gather_bias(x, k, b, i); }, y);
  });
}
template <bool has_rotors, class S>
[[gnu::noinline]] void articulate_run_with(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b,
                                           int first, int last) {
  articulate_turns<has_rotors>(x, k, b, first, last,
                               [&](int i) KINETREE_INLINE_LAMBDA { return gather_bias(x, k, b, i); });
}
template <class S>
void articulate_run(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, int first, int last) {
  x.armature() == nullptr ? articulate_run_with<false>(x, k, b, first, last)
                          : articulate_run_with<true>(x, k, b, first, last);
}

/// Gather: a module without columns whose base is not cut. `behind(i)`: what follows at body i, outside aggregates.
template <class S, class Hook = NothingMore>
void articulate(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, int step, Hook&& behind = {}) {
  const auto body = [&](int i) {
    if (aggregate_of(*x.model, i) >= 0) return articulate_aggregate(x, k, b, i);
    articulate_plain(x, k, b, i);
    behind(i);
  };
  if constexpr (std::is_same_v<Hook, NothingMore>)
    inwards_by_runs(
        x, x.module_of_step(step), -1, [&](int first, int last) { articulate_run(x, k, b, first, last); }, body);
  else
    inwards(*x.modules, x.module_of_step(step), body);
}

/// Scatter, one body outside aggregates; `a`: on entry its parent's acceleration in the body's coordinates.
template <class S, class Subspace>
KINETREE_INLINE void accelerate_body(const Context<S>& x, const Kinematics<S>& k, const ArticulatedBody<S>& b, int i,
                                     const Subspace& subspace, Motion<S>& a) {
  const int j = x.v_index(i);
  add_bias(subspace, k.c[at(i)], a);
  S rate[Subspace::freedoms];
  for (int n = 0; n < subspace.freedoms; ++n) rate[n] = b.u[at(j + n)];
  joint_acceleration(subspace, rotors(x, j), &b.U[at(j)], &b.D[b.d_index[at(i)]], rate, a);
  for (int n = 0; n < subspace.freedoms; ++n) x.state.result[j + n] = rate[n];
}

/// The acceleration of what body i hangs from.
template <class S>
KINETREE_INLINE const Motion<S>& outer_acceleration(const Context<S>& x, const ArticulatedBody<S>& b, int i) {
  return x.parent(i) < 0 ? x.ground_acceleration : b.a[at(x.parent(i))];
}

/// The same, of any joint: one function for all sweeps.
template <class S>
void accelerate_plain(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, int i) {
  with_subspace(x, k, i, [&](auto subspace) {
    Motion<S> a = transform_of(subspace, k.X_up[at(i)]) * outer_acceleration(x, b, i);
    accelerate_body(x, k, b, i, subspace, a);
    b.a[at(i)] = a;
  });
}
/// Along a turn run; only the last body's is kept, since nobody else asks for those before.
template <class S>
[[gnu::noinline]] void accelerate_run(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, int first,
                                      int last) {
  Motion<S> a = outer_acceleration(x, b, first);
  move_outside_inner(x.link[at(first)].placement, a);
  for (int i = first; i <= last; ++i) {
    move_outside(OuterTransform<S>(k.X_up[at(i)]), a);
    accelerate_body(x, k, b, i, TurnZ{}, a);
  }
  b.a[at(last)] = a;
}

/// Scatter: accelerations of a module without columns whose base is not cut. `before(i)`: what comes first at body i.
template <class S, class Hook = NothingMore>
void accelerate(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, int step, Hook&& before = {}) {
  const auto body = [&](int i) {
    before(i);
    const int j = x.v_index(i), aggregate = aggregate_of(*x.model, i);
    if (aggregate < 0) return accelerate_plain(x, k, b, i);
    const Motion<S>& outer = outer_acceleration(x, b, i);
    if (stands_for(*x.model, i)) accelerate_aggregate(x, b, aggregate, outer, true, x.state.result);
    if (x.model->children_of(i).empty()) return;  // nobody asks for a tip's
    with_subspace(x.type(i), &k.columns[at(j)], [&](auto subspace) {
      Motion<S> a = transform_of(subspace, k.X_up[at(i)]) * outer;
      add_bias(subspace, k.c[at(i)], a);
      subspace.add(x.state.result + j, a);
      b.a[at(i)] = a;
    });
  };
  if constexpr (std::is_same_v<Hook, NothingMore>)
    outwards_by_runs(
        x, x.module_of_step(step), -1, [&](int first, int last) { accelerate_run(x, k, b, first, last); }, body);
  else
    outwards(*x.modules, x.module_of_step(step), body);
}

}  // namespace kinetree::inline inner
