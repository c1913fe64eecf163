#pragma once
// The articulated-body algorithm (Featherstone 2008, Sec. 7.3, Table 7.1; Jain 2011, Alg. 6.1). After positions and
// velocities (kinematics.hpp) a gather finds articulated inertias P and biases z, and a scatter the accelerations.
// z is Featherstone's pA, without P c.

#include "engine/algorithm/kinematics.hpp"
#include "engine/scalar/bytes.hpp"

namespace kinetree::inline inner {

template <class S>
struct ArticulatedBody {
  std::vector<ArticulatedInertia<S>> P_up;  ///< over slots: what a body and all outboard of it contribute to the parent
  std::vector<Force<S>> z_up;               ///< the bias that goes with it
  std::vector<Force<S>> U;                  ///< over velocities: P S
  std::vector<S> D;                         ///< SᵀP S, factorized (ldl_factor), n x n per joint at d_index
  std::vector<S> u;                         ///< over velocities: tau - Sᵀz
  std::vector<Motion<S>> a;                 ///< over bodies: accelerations, gravity included
  std::vector<std::size_t> d_index;

  ArticulatedBody(const ModelData& m, const NodeTable& nodes)
      : P_up(at(nodes.slots)), z_up(P_up.size()), U(at(m.v_index.back())), u(U.size()), a(m.parent.size()) {
    for (const JointType type : m.joint_type) {
      d_index.push_back(D.size());
      D.resize(D.size() + at(velocity_count(type)) * at(velocity_count(type)));
    }
  }
  S* D_of(int i) { return &D[d_index[at(i)]]; }
  const S* D_of(int i) const { return &D[d_index[at(i)]]; }
  std::size_t bytes() const { return bytes_of(P_up, z_up, U, D, u, a, d_index); }
};

/// The articulated inertia P of body i: its rigid inertia plus the contributions of the nodes that hang from it.
template <class S>
KINETREE_INLINE ArticulatedInertia<S> gather_inertia(const Context<S>& x, const ArticulatedBody<S>& b, int i) {
  const std::span<const int> slots = x.nodes.contributions_to(i);
  if (slots.empty()) return ArticulatedInertia<S>(x.link[at(i)].I);
  ArticulatedInertia<S> P = sum_of(slots, b.P_up);
  return P += x.link[at(i)].I;
}

/// The bias that goes with it.
template <class S>
KINETREE_INLINE Force<S> gather_bias(const Context<S>& x, const Kinematics<S>& k, const ArticulatedBody<S>& b, int i) {
  Force<S> z = bias_of_body(x, k, i);
  if (const std::span<const int> slots = x.nodes.contributions_to(i); !slots.empty()) z += sum_of(slots, b.z_up);
  return z;
}

/// In place of biases: inertias alone are asked for.
struct NoBias {};

/// Gather, along a segment: Table 7.1, second loop. bias(i): what gathers at body i.
template <class S, class Joints, class Bias>
KINETREE_INLINE void articulate_segment(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b,
                                        const Segment& segment, const Joints& joints, Bias&& bias) {
  constexpr bool biased = !std::is_same_v<std::remove_cvref_t<Bias>, NoBias>;
  ArticulatedInertia<S> P = gather_inertia(x, b, segment.last());
  for (int i = segment.last();; --i) {
    const auto joint = joints(i);
    const int j = x.v_index(i);
    joint.factor(P, &b.U[at(j)], b.D_of(i));
    Force<S> z;  // not before: registers would not hold both
    if constexpr (biased) {
      z = bias(i);
      S y[decltype(joint)::freedoms];
      joint.template bias<false>(x.state.tau + j, &b.U[at(j)], b.D_of(i), &b.u[at(j)], y, z);
    }
    if (x.parent(i) < 0) return;
    const std::size_t slot = x.slot(i);
    if constexpr (biased) joint.inertia.add_bias(joint.subspace, P, k.c[at(i)], z);
    ArticulatedInertia<S> up;  // declared further out it would be in memory
    joint.inertia.to_parent(joint.transform(k.X_up[at(i)]), P, up);
    if constexpr (biased) {
      to_parent(joint.transform(k.X_up[at(i)]), z);
      b.z_up[slot] = z;
    }
    if (i == segment.begin) {
      b.P_up[slot] = up;
      if constexpr (biased)
        return joint.to_parent_inboard(x.link[at(i)].placement, b.P_up[slot], b.z_up[slot]);
      else
        return joint.to_parent_inboard(x.link[at(i)].placement, b.P_up[slot]);
    }
    P = up;
    P += x.link[at(i - 1)].I;
  }
}

/// The acceleration of the body that body i hangs from.
template <class S>
KINETREE_INLINE const Motion<S>& parent_acceleration(const Context<S>& x, const ArticulatedBody<S>& b, int i) {
  return x.parent(i) < 0 ? x.ground_acceleration : b.a[at(x.parent(i))];
}

/// Scatter, along a segment: Table 7.1, third loop. `a`: the acceleration of the body that it hangs from.
/// prepare(i, joint, u, a): adds to u of joint i, and to a the joint's c; take(i, x, n, a): n accelerations of joint i,
/// and that of body i.
template <class S, class Joints, class Prepare, class Take>
KINETREE_INLINE void accelerate_segment(const Context<S>& x, const Kinematics<S>& k, const ArticulatedBody<S>& b,
                                        const Segment& segment, const Joints& joints, Motion<S> a, Prepare&& prepare,
                                        Take&& take) {
  joints(segment.begin).to_child_inboard(x.link[at(segment.begin)].placement, a);
  for (int i = segment.begin; i <= segment.last(); ++i) {
    const auto joint = joints(i);
    constexpr int n = decltype(joint)::freedoms;
    to_child(joint.transform(k.X_up[at(i)]), a);
    S rate[n];
    for (int f = 0; f < n; ++f) rate[f] = b.u[at(x.v_index(i) + f)];
    prepare(i, joint, rate, a);
    joint.acceleration(&b.U[at(x.v_index(i))], b.D_of(i), rate, a);
    take(i, rate, n, a);
  }
}

// The same of plain AB. A kernel of its own for each kind of joint, called with values: through references to what it
// captures, a lambda's pointers would be read again after each store.

template <class S, class Joints>
[[gnu::noinline]] void articulate_joints(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b,
                                         Segment segment, Joints joints) {
  const auto bias = [&](int i) KINETREE_INLINE_LAMBDA { return gather_bias(x, k, b, i); };
  articulate_segment(x, k, b, segment, joints, bias);
}
/// Only the last body's acceleration is kept: no other body asks for those before.
template <class S, class Joints>
[[gnu::noinline]] void accelerate_joints(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b,
                                         Segment segment, Joints joints) {
  accelerate_segment(
      x, k, b, segment, joints, parent_acceleration(x, b, segment.begin),
      [&](int i, const auto& joint, S*, Motion<S>& a)
          KINETREE_INLINE_LAMBDA { add_bias(joint.subspace, k.c[at(i)], a); },
      [&](int i, const S* rate, int n, const Motion<S>& a) KINETREE_INLINE_LAMBDA {
        for (int f = 0; f < n; ++f) x.state.result[x.v_index(i) + f] = rate[f];
        if (i == segment.last()) b.a[at(i)] = a;
      });
}

template <class S>
void articulate(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, const Segment& segment) {
  with_joints(x, k, segment, [&](const auto& joints) { articulate_joints(x, k, b, segment, joints); });
}
template <class S>
void accelerate(const Context<S>& x, const Kinematics<S>& k, ArticulatedBody<S>& b, const Segment& segment) {
  with_joints<false>(x, k, segment, [&](const auto& joints) { accelerate_joints(x, k, b, segment, joints); });
}

}  // namespace kinetree::inline inner
