#pragma once
// Transmissions: aggregates whose bodies all hang from their parent by joints of one freedom, with a constant X_S of
// one or two coordinates: gears and differentials. Equations and notation of embedded.hpp. A member is one row of X_S,
// so that its share fits into registers; between members it waits in the node, and the last eliminates before it
// stores. Tips (rotors) are summed apart from the others, as the rigid bodies that they are.

#include "engine/algorithm/node/embedded_node.hpp"

namespace kinetree::inline inner {

/// Calls use(the number of coordinates of a transmission), known to the compiler.
template <class S, class Use>
KINETREE_INLINE void with_coordinates(const EmbeddedNode<S>& node, Use&& use) {
  if (node.u.size() == 1)
    use(std::integral_constant<int, 1>());
  else
    use(std::integral_constant<int, 2>());
}

/// The coordinates eliminated from what the parent feels: inertia P and bias z. Destroys u and U.
template <int n, class S>
KINETREE_INLINE void eliminate_coordinates(const S* D, S* u, Force<S>* U, ArticulatedInertia<S>& P, Force<S>& z) {
  ldl_solve(D, n, u);
  for (int r = 0; r < n; ++r) {
    z += u[r] * U[r];
    for (int c = 0; c < r; ++c) U[r] -= D[r * n + c] * U[c];  // L⁻¹ Uᵀ, row by row
    P.downdate(U[r], D[r * n + r] * U[r]);
  }
}

/// Gather at member p, members in descending order. `P`, `z`, used up: inertia and bias of the member and of all
/// bodies outboard of it; a tip's P is rigid. Member 0 eliminates the independent coordinates, unless it is a tip.
template <int n, class S, class Subspace, template <class> class Inertia>
KINETREE_INLINE void gather_member(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b,
                                   EmbeddedNode<S>& node, int p, const Subspace& subspace, Inertia<S>& P, Force<S>& z) {
  constexpr bool tip = std::is_same_v<Inertia<S>, RigidInertia<S>>;
  const int i = node.body(p), j = x.v_index(i);
  const EmbeddedMember& member = node.member[at(p)];
  const bool eliminates = !tip && p == 0;
  const S* X = node.map.X.data() + p * n;  // one velocity each
  const S* rotor = x.rotor(i);
  z += bias_force(subspace, P, k.c[at(i)]);
  Force<S> image;
  subspace.image(ArticulatedInertia<S>(P), &image);
  S felt, rest;
  subspace.transpose_times(image, &felt);
  if (rotor != nullptr) felt += rotor[0];
  subspace.transpose_times(z, &rest);
  rest = x.state.tau[j] - rest;
  // once, whatever the number of coordinates; turning, a rigid body asks for no force along the axis
  if constexpr (tip && RevoluteSubspace<Subspace>)
    to_parent_across_axis(k.X_up[at(i)], image);
  else
    to_parent(transform_of(subspace, k.X_up[at(i)]), image);

  Force<S> U[n];
  S D[n * n], u[n];
  for (int r = 0; r < n; ++r) {
    U[r] = X[r] * image;
    u[r] = X[r] * rest;
    for (int c = 0; c <= r; ++c) D[r * n + c] = X[r] * X[c] * felt;
  }
  if (!member.begins)
    for (int r = 0; r < n; ++r) {
      U[r] += node.U[at(r)];
      u[r] += node.u[at(r)];
      for (int c = 0; c <= r; ++c) D[r * n + c] += node.D[at(r * n + c)];
    }
  if (eliminates) ldl_factor(D, n);
  for (int r = 0; r < n; ++r) {
    node.U[at(r)] = U[r];
    node.u[at(r)] = u[r];
    for (int c = 0; c <= r; ++c) node.D[at(r * n + c)] = D[r * n + c];
  }
  if (x.parent(i) < 0) return;  // the ground has no use for inertia

  z = transpose_times(transform_of(subspace, k.X_up[at(i)]), z);
  if (!member.begins) z += b.z_up[node.slot];
  to_parent(transform_of(subspace, k.X_up[at(i)]), P);
  Inertia<S>* alike;  // the sum of members of its kind
  if constexpr (tip)
    alike = &node.tips;
  else
    alike = &b.P_up[node.slot];
  if (tip ? member.after_tips : member.after_others) P += *alike;
  if constexpr (!tip)
    if (eliminates) {
      if (member.after_tips) P += node.tips;
      eliminate_coordinates<n>(D, u, U, P, z);
    }
  *alike = P;
  b.z_up[node.slot] = z;
}

/// Gather, behind a tip that was the last: the end of a geared chain.
template <int n, class S>
void finish_transmission(ArticulatedBody<S>& b, EmbeddedNode<S>& node) {
  ldl_factor(node.D.data(), n);
  if (node.parent < 0) return;
  ArticulatedInertia<S>& P_up = b.P_up[node.slot];
  ArticulatedInertia<S> P(node.tips);
  if (node.member.front().after_others) P += P_up;
  Force<S> U[n];
  S u[n];
  for (int r = 0; r < n; ++r) U[r] = node.U[at(r)], u[r] = node.u[at(r)];
  eliminate_coordinates<n>(node.D.data(), u, U, P, b.z_up[node.slot]);
  P_up = P;
}

// A kernel of its own for tips and for other members, called with values, as those of joints (articulated_body.hpp).

template <int n, class S, class Subspace>
[[gnu::noinline]] void articulate_tip(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b,
                                      EmbeddedNode<S>& node, int p, Subspace subspace) {
  const int i = node.body(p);
  RigidInertia<S> P = x.link[at(i)].I;
  Force<S> z = bias_of_body(x, k, i);
  gather_member<n>(x, k, b, node, p, subspace, P, z);
}
/// bias(i): what gathers at body i.
template <int n, class S, class Subspace, class Bias>
[[gnu::noinline]] void articulate_geared(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b,
                                         EmbeddedNode<S>& node, int p, Subspace subspace, Bias bias) {
  const int i = node.body(p);
  ArticulatedInertia<S> P = gather_inertia(x, b, i);
  Force<S> z = bias(i);
  gather_member<n>(x, k, b, node, p, subspace, P, z);
}

/// Gather: inertia and bias.
template <class S, class Bias>
void articulate_transmission(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, EmbeddedNode<S>& node,
                             const Bias& bias) {
  with_coordinates(node, [&](auto n) {
    for (int p = node.members(); p-- > 0;)
      with_subspace(x, k, node.body(p), [&](auto subspace) {
        if constexpr (subspace.freedoms == 1) {
          if (node.member[at(p)].is_tip)
            articulate_tip<n>(x, k, b, node, p, subspace);
          else
            articulate_geared<n>(x, k, b, node, p, subspace, bias);
        }
      });
    if (node.member.front().is_tip) finish_transmission<n>(b, node);
  });
}

/// Scatter: accelerations of a transmission's joints, to `out` (over all velocities). prepare(x): adds to u.
template <class S, class Prepare>
void accelerate_transmission(const EmbeddedNode<S>& node, const Motion<S>& parent_acceleration, S* out,
                             Prepare&& prepare) {
  with_coordinates(node, [&](auto n) {
    S rate[n];
    for (int r = 0; r < n; ++r) rate[r] = node.u[at(r)] - dot(parent_acceleration, node.U[at(r)]);
    prepare(rate);
    ldl_solve(node.D.data(), n, rate);
    const S* X = node.map.X.data();
    for (const int j : node.velocity) {
      S sum = X[0] * rate[0];
      for (int r = 1; r < n; ++r) sum += X[r] * rate[r];
      out[j] = sum;
      X += n;
    }
  });
}

}  // namespace kinetree::inline inner
