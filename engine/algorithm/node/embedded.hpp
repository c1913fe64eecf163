#pragma once
// Embedded aggregates: bodies tied by constraints, swept as one node with independent coordinates (Jain 2012 II,
// Lemma 6, Eq. 50, 51, 54-57). Towards its parent a node is 6 x 6 like any other; children hang from the member bodies.
// Notation of the articulated bodies; v_S = X_S v_R, a_S = X_S a_R + g.
//
// A gather takes the members one by one, outboard first; each adds its own share to D, U and u of the node and gives
// the rest to the body it hangs from: a member, or the aggregate's parent. The last eliminates the coordinates.
// The simplest shape, that of gears, has kernels whose sizes the compiler knows: transmission.hpp.

#include "engine/algorithm/node/transmission.hpp"

namespace kinetree::inline inner {

namespace embedded_detail {

/// sum over the freedoms f of a member's joint of X_S[f, r] term(f): what its joint does to coordinate r. `X`: the
/// joint's rows of X_S, n coordinates each.
template <class T, int freedoms, class S, class Term>
KINETREE_INLINE T along(const S* X, int n, int r, Term&& term) {
  T sum = X[r] * term(0);
  for (int f = 1; f < freedoms; ++f) sum += X[f * n + r] * term(f);
  return sum;
}

/// What the members that hang from one body give to it: the first to be met sets it.
template <class T, class Share>
KINETREE_INLINE void give(const EmbeddedMember& member, T& inboard, const Share& share) {
  if (member.begins)
    inboard = T(share);
  else
    inboard += share;
}

/// Gather, before the first member: clears D, and stores in b.a the members' accelerations for zero acceleration of
/// the aggregate's parent and of the independent coordinates (c_m of the design). The scatter overwrites b.a.
template <class S>
void open_aggregate(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, EmbeddedNode<S>& node) {
  const Aggregate& a = *node.aggregate;
  std::fill(node.D.begin(), node.D.end(), S(0));
  for (const EmbeddedMember& member : node.member) {
    const int i = member.body;
    Motion<S>& acceleration = b.a[at(i)];
    acceleration = k.c[at(i)];
    if (!a.constant())
      with_subspace(x, k, i, [&](auto subspace) { subspace.add(&node.map.g[at(member.column)], acceleration); });
    if (member.inboard >= 0) acceleration += k.X_up[at(i)] * b.a[at(x.parent(i))];
  }
}

/// Adds member p's share to D, and its forces for unit accelerations of the coordinates to U or the inboard member's F.
template <class S, class Subspace>
KINETREE_INLINE void member_factor(const Context<S>& x, const Kinematics<S>& k, EmbeddedNode<S>& node, int p,
                                   const Subspace& subspace, const ArticulatedInertia<S>& P) {
  constexpr int freedoms = Subspace::freedoms;
  const EmbeddedMember& member = node.member[at(p)];
  const int n = node.freedoms(), i = member.body;
  const S* X = node.map.X.data() + member.column * n;
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
    if (member.carries_member) {  // J_cᵀ F_r, into (r, c) and (c, r): the diagonal twice
      const Force<S>& outboard = node.F[at(p * n + r)];
      subspace.transpose_times(outboard, felt);
      for (int c = 0; c < n; ++c) {
        const S product = along<S, freedoms>(X, n, c, [&](int f) -> const S& { return felt[f]; });
        D[std::max(r, c) * n + std::min(r, c)] += product;
        if (r == c) D[r * n + r] += product;
      }
      F += outboard;
    }
    give(member, member.inboard < 0 ? node.U[at(r)] : node.F[at(member.inboard * n + r)],
         transpose_times(transform_of(subspace, k.X_up[at(i)]), F));
  }
}

/// One member's share of u, and its bias given on. `rest`: what is left of its joint's forces.
template <class S, class Subspace>
KINETREE_INLINE void member_bias(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b,
                                 EmbeddedNode<S>& node, int p, const Subspace& subspace, const Force<S>& z, S* rest) {
  constexpr int freedoms = Subspace::freedoms;
  const EmbeddedMember& member = node.member[at(p)];
  const int n = node.freedoms(), i = member.body;
  const S* X = node.map.X.data() + member.column * n;
  S felt[freedoms];
  subspace.transpose_times(z, felt);
  for (int f = 0; f < freedoms; ++f) rest[f] -= felt[f];
  const bool first = at(p + 1) == node.member.size();
  for (int r = 0; r < n; ++r) {
    const S share = along<S, freedoms>(X, n, r, [&](int f) -> const S& { return rest[f]; });
    node.u[at(r)] = first ? share : node.u[at(r)] + share;
  }
  if (x.parent(i) < 0) return;
  give(member, member.inboard < 0 ? b.z_up[node.slot] : node.z[at(member.inboard)],
       transpose_times(transform_of(subspace, k.X_up[at(i)]), z));
}

/// Gather, behind the last member: the coordinates eliminated from the inertia that the parent feels.
template <class S>
KINETREE_INLINE void eliminate_inertia(ArticulatedBody<S>& b, EmbeddedNode<S>& node) {
  const int n = node.freedoms();
  S* D = node.D.data();
  ldl_factor(D, n);
  if (node.parent < 0) return;
  ArticulatedInertia<S>& P = b.P_up[node.slot];
  std::vector<Force<S>>& W = node.F;  // L⁻¹ Uᵀ, row by row
  for (int r = 0; r < n; ++r) {
    W[at(r)] = node.U[at(r)];
    for (int c = 0; c < r; ++c) W[at(r)] -= D[r * n + c] * W[at(c)];
    P.downdate(W[at(r)], D[r * n + r] * W[at(r)]);
  }
}

/// The same of the bias.
template <class S>
KINETREE_INLINE void eliminate_bias(ArticulatedBody<S>& b, EmbeddedNode<S>& node) {
  if (node.parent < 0) return;
  const int n = node.freedoms();
  Force<S>& z = b.z_up[node.slot];
  for (int r = 0; r < n; ++r) node.x[at(r)] = node.u[at(r)];
  ldl_solve(node.D.data(), n, node.x.data());
  for (int r = 0; r < n; ++r) z += node.x[at(r)] * node.U[at(r)];
}

/// A kernel of its own, called with values, as those of joints (articulated_body.hpp).
template <class S, class Subspace, class Bias>
[[gnu::noinline]] void articulate_member(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b,
                                         EmbeddedNode<S>& node, int p, Subspace subspace, Bias bias) {
  constexpr int freedoms = Subspace::freedoms;
  const Aggregate& a = *node.aggregate;
  const EmbeddedMember& member = node.member[at(p)];
  const int i = member.body;
  ArticulatedInertia<S> P = gather_inertia(x, b, i);
  Force<S> z = bias(i);
  z += member.is_tip ? x.link[at(i)].I * b.a[at(i)] : P * b.a[at(i)];
  if (member.carries_member) P += node.P[at(p)], z += node.z[at(p)];
  member_factor(x, k, node, p, subspace, P);
  S rest[freedoms];
  const S* rotor = x.rotor(i);
  for (int f = 0; f < freedoms; ++f) {
    rest[f] = x.state.tau[x.v_index(i) + f];
    if (rotor != nullptr && !a.constant()) rest[f] -= rotor[f] * node.map.g[at(member.column + f)];
  }
  member_bias(x, k, b, node, p, subspace, z, rest);
  if (x.parent(i) < 0) return;  // the ground has no use for inertia
  ArticulatedInertia<S>& inboard = member.inboard < 0 ? b.P_up[node.slot] : node.P[at(member.inboard)];
  if (member.is_tip) {
    RigidInertia<S> moved = x.link[at(i)].I;
    to_parent(transform_of(subspace, k.X_up[at(i)]), moved);
    give(member, inboard, moved);
  } else {
    to_parent(transform_of(subspace, k.X_up[at(i)]), P);
    give(member, inboard, P);
  }
}

}  // namespace embedded_detail

/// Gather: inertia and bias. bias(i): what gathers at body i.
template <class S, class Bias>
void articulate_embedded(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, EmbeddedNode<S>& node,
                         Bias&& bias) {
  using namespace embedded_detail;
  if (node.transmission) return articulate_transmission(x, k, b, node, bias);
  open_aggregate(x, k, b, node);
  for (int p = node.members(); p-- > 0;)
    with_subspace(x, k, node.body(p), [&](auto subspace) { articulate_member(x, k, b, node, p, subspace, bias); });
  eliminate_inertia(b, node);
  eliminate_bias(b, node);
}
template <class S>
void articulate_embedded(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, EmbeddedNode<S>& node) {
  articulate_embedded(x, k, b, node, [&](int i) KINETREE_INLINE_LAMBDA { return gather_bias(x, k, b, i); });
}

/// Gather, of another right-hand side: the bias alone. residual(i, subspace, z, rest): the bias z that gathers at
/// member body i, and what is left of its joint's forces.
template <class S, class Residual>
void bias_embedded(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, EmbeddedNode<S>& node,
                   Residual&& residual) {
  using namespace embedded_detail;
  for (int p = node.members(); p-- > 0;)
    with_subspace(x, k, node.body(p), [&](auto subspace) {
      Force<S> z;
      S rest[decltype(subspace)::freedoms];
      residual(node.body(p), subspace, z, rest);
      if (node.member[at(p)].carries_member) z += node.z[at(p)];
      member_bias(x, k, b, node, p, subspace, z, rest);
    });
  eliminate_bias(b, node);
}

/// Scatter: accelerations of all joints, to `out` (over all velocities). `drift`: whether g counts; it does not for the
/// refinement of an answer. prepare(x): adds to u of the coordinates.
template <class S, class Prepare>
void accelerate_coordinates(EmbeddedNode<S>& node, const Motion<S>& parent_acceleration, bool drift, S* out,
                            Prepare&& prepare) {
  const Aggregate& a = *node.aggregate;
  if (node.transmission) return accelerate_transmission(node, parent_acceleration, out, prepare);
  const int n = node.freedoms();
  for (int r = 0; r < n; ++r) node.x[at(r)] = node.u[at(r)] - dot(parent_acceleration, node.U[at(r)]);
  prepare(node.x.data());
  ldl_solve(node.D.data(), n, node.x.data());
  for (int j = 0; j < a.velocities; ++j) {
    const S* X = node.map.X.data() + j * n;
    S sum = n > 0 ? X[0] * node.x[0] : S(0);
    for (int r = 1; r < n; ++r) sum += X[r] * node.x[at(r)];
    out[node.velocity[at(j)]] = drift && !a.constant() ? sum + node.map.g[at(j)] : sum;
  }
}

/// Scatter: accelerations of all joints (accelerate_coordinates) and of the members' bodies; tips are left out unless
/// `tips`. acceleration(i) gives the acceleration of body i, or of the ground, -1. `drift`: whether g and c count.
/// prepare(x) adds to u of the coordinates. take(p, a) gets the acceleration of member p's body, from the parent out.
template <class S, class Acceleration, class Prepare, class Take>
KINETREE_INLINE void accelerate_embedded(const Context<S>& x, const Kinematics<S>& k, EmbeddedNode<S>& node, bool drift,
                                         bool tips, S* out, Acceleration&& acceleration, Prepare&& prepare,
                                         Take&& take) {
  accelerate_coordinates(node, acceleration(node.parent), drift, out, prepare);
  for (int p = 0; p < node.members(); ++p) {
    if (node.member[at(p)].is_tip && !tips) continue;
    const int i = node.body(p);
    with_subspace(x, k, i, [&](auto subspace) {
      Motion<S> a = transform_of(subspace, k.X_up[at(i)]) * acceleration(x.parent(i));
      if (drift) add_bias(subspace, k.c[at(i)], a);
      subspace.add(out + x.v_index(i), a);
      take(p, a);
    });
  }
}
/// Of plain AB; no body asks for the accelerations of tips.
template <class S>
void accelerate_embedded(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, EmbeddedNode<S>& node) {
  const auto acceleration = [&](int i) -> const Motion<S>& { return i < 0 ? x.ground_acceleration : b.a[at(i)]; };
  accelerate_embedded(
      x, k, node, true, false, x.state.result, acceleration, [](S*) {},
      [&](int p, const Motion<S>& a) { b.a[at(node.body(p))] = a; });
}

}  // namespace kinetree::inline inner
