#pragma once
// Aggregates: bodies tied by constraints, swept as one node with independent coordinates (Jain 2012 II, Lemma 6,
// Eq. 50, 51, 54-57). Towards its parent a node is 6 x 6 like any other; children hang from the member bodies.
// Notation of the articulated bodies; v_S = X_S v_R, a_S = X_S a_R + g.
//
// A gather meets the members one by one, outboard first; each adds its own share to D, U and u of the node and hands
// the rest to the body it hangs from: a member, or the aggregate's parent. The last eliminates the coordinates.
// The simplest shape, that of gears, has kernels whose sizes the compiler knows: aggregate_fan.hpp.

#include "engine/algorithm/aggregate_fan.hpp"

namespace kinetree::inline inner {

namespace aggregate_detail {

/// sum over the freedoms f of a member's joint of X_S[f, r] term(f): what its joint does to coordinate r. `X`: the
/// joint's rows of X_S, n coordinates each.
template <class T, int freedoms, class S, class Term>
KINETREE_INLINE T along(const S* X, int n, int r, Term&& term) {
  T sum = X[r] * term(0);
  for (int f = 1; f < freedoms; ++f) sum += X[f * n + r] * term(f);
  return sum;
}

/// What the members that hang from one body hand to it: the first to be met sets it.
template <class T, class Share>
KINETREE_INLINE void hand(const AggregateMember& member, T& inboard, const Share& share) {
  if (member.begins)
    inboard = T(share);
  else
    inboard += share;
}

/// Gather, before the first member: nothing has been added; and the members' accelerations while their parent's and the
/// coordinates' are zero. The scatter writes b.a anew.
template <class S>
void open_aggregate(const Context<S>& x, const Kinematics<S>& k, Nodes<S>& b, const Aggregate& a,
                    AggregateNode<S>& node) {
  std::fill(node.D.begin(), node.D.end(), S(0));
  for (const int i : a.bodies) {
    Motion<S>& acceleration = b.a[at(i)];
    acceleration = k.c[at(i)];
    if (!a.constant())
      with_subspace(x, k, i, [&](auto subspace) {
        subspace.add(&node.map.g[at(x.model->aggregate_column[at(i)])], acceleration);
      });
    if (x.parent(i) != a.parent) acceleration += k.X_up[at(i)] * b.a[at(x.parent(i))];
  }
}

/// One member's share of D, and its share of the forces that a unit of each coordinate asks for, handed on.
template <class S, class Subspace>
KINETREE_INLINE void member_factor(const Context<S>& x, const Kinematics<S>& k, const Aggregate& a,
                                   AggregateNode<S>& node, int p, const Subspace& subspace,
                                   const ArticulatedInertia<S>& P) {
  constexpr int freedoms = Subspace::freedoms;
  const int n = a.freedoms, i = a.bodies[at(p)];
  const AggregateMember& member = node.member[at(p)];
  const S* X = node.map.X.data() + a.column[at(p)] * n;
  const S* rotor = x.rotor(i);
  S* D = node.D.data();
  Force<S> image[freedoms];
  subspace.image(P, image);
  for (int r = 0; r < n; ++r) {
    Force<S> F = along<Force<S>, freedoms>(X, n, r, [&](int f) -> const Force<S>& { return image[f]; });
    S felt[freedoms];
    subspace.transpose_times(F, felt);
    for (int c = 0; c <= r; ++c) {
      D[r * n + c] += along<S, freedoms>(X, n, c, [&](int f) -> const S& { return felt[f]; });
      if (rotor != nullptr)
        for (int f = 0; f < freedoms; ++f) D[r * n + c] += rotor[f] * (X[f * n + r] * X[f * n + c]);
    }
    if (member.outboard) {  // J_cᵀ F_r, into (r, c) and (c, r): the diagonal twice
      const Force<S>& outboard = node.F[at(p * n + r)];
      subspace.transpose_times(outboard, felt);
      for (int c = 0; c < n; ++c) {
        const S product = along<S, freedoms>(X, n, c, [&](int f) -> const S& { return felt[f]; });
        D[std::max(r, c) * n + std::min(r, c)] += product;
        if (r == c) D[r * n + r] += product;
      }
      F += outboard;
    }
    hand(member, member.inboard < 0 ? node.U[at(r)] : node.F[at(member.inboard * n + r)],
         transpose_times(transform_of(subspace, k.X_up[at(i)]), F));
  }
}

/// One member's share of u, and its bias handed on. `rest`: what is left of its joint's forces.
template <class S, class Subspace>
KINETREE_INLINE void member_bias(const Context<S>& x, const Kinematics<S>& k, Nodes<S>& b, const Aggregate& a,
                                 AggregateNode<S>& node, int p, const Subspace& subspace, const Force<S>& z, S* rest) {
  constexpr int freedoms = Subspace::freedoms;
  const int n = a.freedoms, i = a.bodies[at(p)];
  const AggregateMember& member = node.member[at(p)];
  const S* X = node.map.X.data() + a.column[at(p)] * n;
  S felt[freedoms];
  subspace.transpose_times(z, felt);
  for (int f = 0; f < freedoms; ++f) rest[f] -= felt[f];
  const bool first = at(p + 1) == a.bodies.size();
  for (int r = 0; r < n; ++r) {
    const S share = along<S, freedoms>(X, n, r, [&](int f) -> const S& { return rest[f]; });
    node.u[at(r)] = first ? share : node.u[at(r)] + share;
  }
  if (x.parent(i) < 0) return;
  hand(member, member.inboard < 0 ? b.z_up[at(a.bodies.front())] : node.z[at(member.inboard)],
       transpose_times(transform_of(subspace, k.X_up[at(i)]), z));
}

/// Gather, behind the last member: the coordinates eliminated from the inertia that the parent feels.
template <class S>
KINETREE_INLINE void eliminate_inertia(Nodes<S>& b, const Aggregate& a, AggregateNode<S>& node) {
  const int n = a.freedoms;
  S* D = node.D.data();
  ldl_factor(D, n);
  if (a.parent < 0) return;
  ArticulatedInertia<S>& P = b.P_up[at(a.bodies.front())];
  std::vector<Force<S>>& W = node.F;  // L⁻¹ Uᵀ, row by row
  for (int r = 0; r < n; ++r) {
    W[at(r)] = node.U[at(r)];
    for (int c = 0; c < r; ++c) W[at(r)] -= D[r * n + c] * W[at(c)];
    P.downdate(W[at(r)], D[r * n + r] * W[at(r)]);
  }
}

/// The same of the bias.
template <class S>
KINETREE_INLINE void eliminate_bias(Nodes<S>& b, const Aggregate& a, AggregateNode<S>& node) {
  if (a.parent < 0) return;
  const int n = a.freedoms;
  Force<S>& z = b.z_up[at(a.bodies.front())];
  for (int r = 0; r < n; ++r) node.x[at(r)] = node.u[at(r)];
  ldl_solve(node.D.data(), n, node.x.data());
  for (int r = 0; r < n; ++r) z += node.x[at(r)] * node.U[at(r)];
}

template <class S, class Subspace>
KINETREE_INLINE void articulate_member(const Context<S>& x, const Kinematics<S>& k, Nodes<S>& b, const Aggregate& a,
                                       AggregateNode<S>& node, int i, const Subspace& subspace) {
  constexpr int freedoms = Subspace::freedoms;
  const int p = x.model->aggregate_place[at(i)];
  const AggregateMember& member = node.member[at(p)];
  ArticulatedInertia<S> P = gather_inertia(x, b, i);
  Force<S> z = gather_bias(x, k, b, i);
  z += member.rigid ? x.link[at(i)].I * b.a[at(i)] : P * b.a[at(i)];
  if (member.outboard) P += node.P[at(p)], z += node.z[at(p)];
  member_factor(x, k, a, node, p, subspace, P);
  S rest[freedoms];
  const S* rotor = x.rotor(i);
  for (int f = 0; f < freedoms; ++f) {
    rest[f] = x.state.tau[x.v_index(i) + f];
    if (rotor != nullptr && !a.constant()) rest[f] -= rotor[f] * node.map.g[at(a.column[at(p)] + f)];
  }
  member_bias(x, k, b, a, node, p, subspace, z, rest);
  if (x.parent(i) < 0) return;  // the ground has no use for inertia
  ArticulatedInertia<S>& inboard = member.inboard < 0 ? b.P_up[at(a.bodies.front())] : node.P[at(member.inboard)];
  if (member.rigid) {
    RigidInertia<S> moved = x.link[at(i)].I;
    to_parent(transform_of(subspace, k.X_up[at(i)]), moved);
    hand(member, inboard, moved);
  } else {
    to_parent(transform_of(subspace, k.X_up[at(i)]), P);
    hand(member, inboard, P);
  }
}

/// Gather, at a member body of what is no fan.
template <class S>
void articulate_members(const Context<S>& x, const Kinematics<S>& k, Nodes<S>& b, const Aggregate& a,
                        AggregateNode<S>& node, int i) {
  if (i == a.bodies.back()) open_aggregate(x, k, b, a, node);
  with_subspace(x, k, i, [&](auto subspace) { articulate_member(x, k, b, a, node, i, subspace); });
  if (i != a.bodies.front()) return;
  eliminate_inertia(b, a, node);
  eliminate_bias(b, a, node);
}

}  // namespace aggregate_detail

/// Gather, at a member body: inertias and biases.
template <class S>
void articulate_aggregate(const Context<S>& x, const Kinematics<S>& k, Nodes<S>& b, int i) {
  using namespace aggregate_detail;
  const int index = x.model->aggregate_of[at(i)];
  AggregateNode<S>& node = b.aggregates.node[at(index)];
  if (node.fan)
    articulate_fan(x, k, b, node, i);
  else
    articulate_members(x, k, b, x.model->aggregates[at(index)], node, i);
}

/// Gather, at a member body: its bias `z` alone, of another right-hand side. `rest`: what is left of its joint's
/// forces, to be overwritten.
template <class S>
void bias_aggregate(const Context<S>& x, const Kinematics<S>& k, Nodes<S>& b, int i, Force<S> z, S* rest) {
  using namespace aggregate_detail;
  const Aggregate& a = x.model->aggregates[at(x.model->aggregate_of[at(i)])];
  AggregateNode<S>& node = b.aggregates.node[at(x.model->aggregate_of[at(i)])];
  const int p = x.model->aggregate_place[at(i)];
  if (node.member[at(p)].outboard) z += node.z[at(p)];
  with_subspace(x, k, i, [&](auto subspace) { member_bias(x, k, b, a, node, p, subspace, z, rest); });
  if (i == a.bodies.front()) eliminate_bias(b, a, node);
}

/// Scatter, at the body that stands for an aggregate: accelerations of all its spanning joints, to `out` (over all
/// velocities). `drift`: whether g counts; it does not for the refinement of an answer.
template <class S>
void accelerate_aggregate(const Context<S>& x, Nodes<S>& b, int index, const Motion<S>& parent_acceleration, bool drift,
                          S* out) {
  const Aggregate& a = x.model->aggregates[at(index)];
  AggregateNode<S>& node = b.aggregates.node[at(index)];
  if (node.fan) return accelerate_fan(node, parent_acceleration, out);
  const int n = a.freedoms;
  for (int r = 0; r < n; ++r) node.x[at(r)] = node.u[at(r)] - dot(parent_acceleration, node.U[at(r)]);
  ldl_solve(node.D.data(), n, node.x.data());
  for (int j = 0; j < a.velocities; ++j) {
    const S* X = node.map.X.data() + j * n;
    S sum = n > 0 ? X[0] * node.x[0] : S(0);
    for (int r = 1; r < n; ++r) sum += X[r] * node.x[at(r)];
    out[node.velocity[at(j)]] = drift && !a.constant() ? sum + node.map.g[at(j)] : sum;
  }
}

/// Scatter, at a member body: the body's acceleration. The body that stands for the aggregate comes first, and with it
/// the accelerations of all the aggregate's joints.
template <class S>
void accelerate_member(const Context<S>& x, const Kinematics<S>& k, Nodes<S>& b, int i,
                       const Motion<S>& parent_acceleration) {
  if (stands_for(*x.model, i))
    accelerate_aggregate(x, b, aggregate_of(*x.model, i), parent_acceleration, true, x.state.result);
  if (x.model->children_of(i).empty()) return;  // no body asks for a tip's
  const int j = x.v_index(i);
  with_subspace(x, k, i, [&](auto subspace) {
    Motion<S> a = transform_of(subspace, k.X_up[at(i)]) * parent_acceleration;
    add_bias(subspace, k.c[at(i)], a);
    subspace.add(x.state.result + j, a);
    b.a[at(i)] = a;
  });
}

}  // namespace kinetree::inline inner
