#pragma once
// Aggregates: bodies tied by constraints, swept as one node with independent coordinates (Jain 2012 II, Lemma 6,
// Eq. 50, 51, 54-57). Towards its parent a node is 6 x 6 like any other; children hang from the member bodies.
// Notation of the articulated bodies; v_S = X_S v_R, a_S = X_S a_R + g.

#include <kinetree/algorithm/articulated_joint.hpp>

namespace kinetree {

namespace aggregate_detail {

/// Calls use(place, body) for the members, outboard first.
template <class Use>
void members_inwards(const Aggregate& a, Use&& use) {
  for (std::size_t b = a.bodies.size(); b-- > 0;) use(static_cast<int>(b), a.bodies[b]);
}

inline int place_of(const Aggregate& a, int body) {
  int place = 0;
  while (a.bodies[at(place)] != body) ++place;
  return place;
}

/// sum over the freedoms f of member p's joint of X_S[f, r] term(f): what its joint does to coordinate r.
template <class T, class S, class Term>
T along(const Aggregate& a, const AggregateNode<S>& node, int p, int r, int freedoms, Term&& term) {
  const S* X = node.map.X.data() + a.column[at(p)] * a.freedoms + r;
  T sum = X[0] * term(0);
  for (int f = 1; f < freedoms; ++f) sum += X[f * a.freedoms] * term(f);
  return sum;
}

/// Rotor inertias of a member's joint, as the independent coordinates see them.
template <class S>
void add_rotors(const Context<S>& x, const Aggregate& a, AggregateNode<S>& node, int p, int i) {
  const int n = a.freedoms;
  for (int f = 0; f < velocity_count(x.type(i)); ++f) {
    const S* X = node.map.X.data() + (a.column[at(p)] + f) * n;
    for (int r = 0; r < n; ++r)
      for (int c = 0; c <= r; ++c) node.D[at(r * n + c)] += x.armature()[x.v_index(i) + f] * (X[r] * X[c]);
  }
}

}  // namespace aggregate_detail

/// Gather, at a member body: keeps the bias it carries from outside; the aggregate's first body goes on from there.
template <class S>
void keep_bias(const ModelData& m, ArticulatedBody<S>& b, int i, const Force<S>& z) {
  const int index = m.aggregate_of[at(i)];
  b.aggregates.node[at(index)].z[at(aggregate_detail::place_of(m.aggregates[at(index)], i))] = z;
}

/// The same for inertia and bias.
template <class S>
void keep_member(const ModelData& m, ArticulatedBody<S>& b, int i, const ArticulatedInertia<S>& P, const Force<S>& z) {
  const int index = m.aggregate_of[at(i)];
  b.aggregates.node[at(index)].P[at(aggregate_detail::place_of(m.aggregates[at(index)], i))] = P;
  keep_bias(m, b, i, z);
}

/// Gather, at the body that stands for an aggregate, after all its members: composite inertias with the independent
/// coordinates held, then D and U of the node, and the inertia it adds to its parent. `fixed`: the number of freedoms
/// where the compiler is to know it, else 0.
template <int fixed, class S>
void factor_aggregate(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, int index) {
  using namespace aggregate_detail;
  const ModelData& m = *x.model;
  const Aggregate& a = m.aggregates[at(index)];
  AggregateNode<S>& node = b.aggregates.node[at(index)];
  const int n = fixed > 0 ? fixed : a.freedoms;
  S* D = node.D.data();
  Force<S>* U = node.U.data();
  ArticulatedInertia<S> P_parent{};
  bool first = true;  // nothing has been added to P_parent and U
  for (std::size_t p = 0; p < a.bodies.size(); ++p)
    if (node.inner[p])
      for (int r = 0; r < n; ++r) node.F[p * at(n) + at(r)] = Force<S>{};
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c <= r; ++c) D[r * n + c] = S(0);
  }
  members_inwards(a, [&](int p, int i) {
    Force<S>* F = node.F.data() + p * n;  // so far the forces that outboard members need for a unit of each coordinate
    with_subspace(x.type(i), &k.columns[at(x.v_index(i))], [&](auto subspace) {
      constexpr int freedoms = decltype(subspace)::freedoms;
      Force<S> image[freedoms];
      subspace.image(node.P[at(p)], image);
      for (int r = 0; r < n; ++r) {
        const Force<S> own = along<Force<S>>(a, node, p, r, freedoms, [&](int f) { return image[f]; });
        S felt[freedoms];
        const auto add = [&](const Force<S>& f, int row, int column) {
          subspace.transpose_times(f, felt);
          D[row * n + column] += along<S>(a, node, p, column, freedoms, [&](int g) { return felt[g]; });
        };
        for (int c = 0; c <= r; ++c) add(own, r, c);
        if (!node.inner[at(p)]) {
          F[r] = own;
          continue;
        }
        subspace.transpose_times(F[r], felt);
        for (int c = 0; c < n; ++c) {  // J_cᵀ F_r, into (r, c) and (c, r): the diagonal twice
          const S product = along<S>(a, node, p, c, freedoms, [&](int g) { return felt[g]; });
          D[std::max(r, c) * n + std::min(r, c)] += product;
          if (r == c) D[r * n + r] += product;
        }
        F[r] += own;
      }
    });
    if (x.armature() != nullptr) add_rotors(x, a, node, p, i);
    const int parent = x.parent(i);
    const JointTransform<S>& X = k.X_up[at(i)];
    const int q = parent == a.parent ? -1 : place_of(a, parent);
    if (q >= 0 || a.parent >= 0) {  // the ground has no use for inertia
      ArticulatedInertia<S>& outer = q < 0 ? P_parent : node.P[at(q)];
      if (node.rigid[at(p)])
        outer += congruence(X, x.link[at(i)].I);
      else if (q < 0 && first)
        outer = congruence(X, node.P[at(p)]);
      else
        outer += congruence(X, node.P[at(p)]);
    }
    for (int r = 0; r < n; ++r) {
      const Force<S> up = transpose_times(X, F[r]);
      if (q >= 0)
        node.F[at(q * n + r)] += up;
      else
        U[r] = first ? up : U[r] + up;
    }
    first = first && q >= 0;
  });
  ldl_factor(D, n, n);
  if (a.parent < 0) return;
  std::vector<Force<S>>& W = node.F;  // L⁻¹ Uᵀ, row by row
  for (int r = 0; r < n; ++r) {
    W[at(r)] = U[r];
    for (int c = 0; c < r; ++c) W[at(r)] -= D[r * n + c] * W[at(c)];
    P_parent.downdate(W[at(r)], D[r * n + r] * W[at(r)]);
  }
  b.P_up[at(a.bodies.front())] = P_parent;
}

/// Gather, after factor_aggregate: u, and the bias the node adds to its parent. `rest(i)`: what is left of the joint
/// forces of member i, velocity_count entries, to be overwritten; node.z: the members' biases, to be overwritten too.
template <class S, class Rest>
void bias_aggregate(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, int index, Rest&& rest) {
  using namespace aggregate_detail;
  const Aggregate& a = x.model->aggregates[at(index)];
  AggregateNode<S>& node = b.aggregates.node[at(index)];
  const int n = a.freedoms;
  Force<S> z_parent{};
  for (int r = 0; r < n; ++r) node.u[at(r)] = S(0);
  members_inwards(a, [&](int p, int i) {
    S own[6];
    rest(p, i, own);
    with_subspace(x.type(i), &k.columns[at(x.v_index(i))], [&](auto subspace) {
      S felt[subspace.freedoms];
      subspace.transpose_times(node.z[at(p)], felt);
      for (int r = 0; r < n; ++r)
        node.u[at(r)] += along<S>(a, node, p, r, subspace.freedoms, [&](int f) { return own[f] - felt[f]; });
    });
    if (a.parent < 0 && x.parent(i) < 0) return;
    const Force<S> z_up = transpose_times(k.X_up[at(i)], node.z[at(p)]);
    (x.parent(i) == a.parent ? z_parent : node.z[at(place_of(a, x.parent(i)))]) += z_up;
  });
  if (a.parent < 0) return;
  for (int r = 0; r < n; ++r) node.x[at(r)] = node.u[at(r)];
  ldl_solve(node.D.data(), n, n, node.x.data());
  for (int r = 0; r < n; ++r) z_parent += node.x[at(r)] * node.U[at(r)];
  b.z_up[at(a.bodies.front())] = z_parent;
}

/// Gather, at the body that stands for an aggregate: all of the above for the whole problem, where velocities count.
template <class S>
void articulate_aggregate(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, int index) {
  const Aggregate& a = x.model->aggregates[at(index)];
  AggregateNode<S>& node = b.aggregates.node[at(index)];
  for (std::size_t p = 0; p < a.bodies.size(); ++p) {
    // the acceleration of a member while its parent's and the coordinates' are zero; the scatter writes b.a anew
    const int i = a.bodies[p];
    Motion<S>& acceleration = b.a[at(i)];
    acceleration = k.c[at(i)];
    if (a.constant() && x.parent(i) == a.parent) {  // g is zero, and c may know where it is
      with_subspace(x.type(i), &k.columns[at(x.v_index(i))], [&](auto subspace) {
        node.z[p] += node.rigid[p] ? bias_force(subspace, x.link[at(i)].I, acceleration)
                                   : bias_force(subspace, node.P[p], acceleration);
      });
      continue;
    }
    if (!a.constant())
      with_subspace(x.type(i), &k.columns[at(x.v_index(i))],
                    [&](auto subspace) { subspace.add(&node.map.g[at(a.column[p])], acceleration); });
    if (x.parent(i) != a.parent) acceleration += k.X_up[at(i)] * b.a[at(x.parent(i))];
    // P: the member's own, before its inner children are added
    node.z[p] += node.rigid[p] ? x.link[at(i)].I * acceleration : node.P[p] * acceleration;
  }
  switch (a.freedoms) {  // a gear, a differential: loops unrolled
    case 1:
      factor_aggregate<1>(x, k, b, index);
      break;
    case 2:
      factor_aggregate<2>(x, k, b, index);
      break;
    default:
      factor_aggregate<0>(x, k, b, index);
  }
  bias_aggregate(x, k, b, index, [&](int p, int i, S* own) {
    for (int f = 0; f < velocity_count(x.type(i)); ++f) {
      own[f] = x.state.tau[x.v_index(i) + f];
      if (x.armature() != nullptr && !a.constant())
        own[f] -= x.armature()[x.v_index(i) + f] * node.map.g[at(a.column[at(p)] + f)];
    }
  });
}

/// Scatter, at the body that stands for an aggregate: accelerations of all its spanning joints, to `out` (over all
/// velocities). `drift`: whether g counts; it does not for the correction of an answer.
template <class S>
void accelerate_aggregate(const Context<S>& x, ArticulatedBody<S>& b, int index, const Motion<S>& parent_acceleration,
                          bool drift, S* out) {
  const Aggregate& a = x.model->aggregates[at(index)];
  AggregateNode<S>& node = b.aggregates.node[at(index)];
  const int n = a.freedoms;
  for (int r = 0; r < n; ++r) node.x[at(r)] = node.u[at(r)] - dot(parent_acceleration, node.U[at(r)]);
  ldl_solve(node.D.data(), n, n, node.x.data());
  for (std::size_t p = 0; p < a.bodies.size(); ++p)
    for (int f = 0; f < velocity_count(x.type(a.bodies[p])); ++f) {
      S sum = drift ? node.map.g[at(a.column[p] + f)] : S(0);
      for (int r = 0; r < n; ++r) sum += node.map.X[at((a.column[p] + f) * n + r)] * node.x[at(r)];
      out[x.v_index(a.bodies[p]) + f] = sum;
    }
}

}  // namespace kinetree
