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

// A kernel of its own for each kind of joint, called with values, as those of articulated bodies are.

template <class S, class Joints>
[[gnu::noinline]] void accelerations_of_segment(const Context<S>& x, const Kinematics<S>& k, InverseDynamics<S>& d,
                                                Segment segment, Joints joints, Motion<S> a) {
  joints(segment.begin).to_child_inboard(x.link[at(segment.begin)].placement, a);
  for (int i = segment.begin; i <= segment.last(); ++i) {
    const auto joint = joints(i);
    to_child(joint.transform(k.X_up[at(i)]), a);
    add_bias(joint.subspace, k.c[at(i)], a);
    if (x.state.a != nullptr) joint.subspace.add(x.state.a + x.v_index(i), a);
    d.a[at(i)] = a;
  }
}

/// Scatter: accelerations; with state.a null the joints' own are zero (the bias forces).
template <class S>
void accelerations(const Context<S>& x, const Kinematics<S>& k, InverseDynamics<S>& d, int step) {
  for (const Segment& segment : x.nodes.segments_of(step))
    with_joints<false>(x, k, segment, [&](const auto& joints) {
      const int p = x.parent(segment.begin);
      accelerations_of_segment(x, k, d, segment, joints, p < 0 ? x.ground_acceleration : d.a[at(p)]);
    });
}

template <class S, class Joints>
[[gnu::noinline]] void forces_of_segment(const Context<S>& x, const Kinematics<S>& k, InverseDynamics<S>& d, S* tau,
                                         Segment segment, Joints joints) {
  const bool rotors = x.state.a != nullptr && !x.rotors.empty();
  Force<S> up{};  // of the body before, the only one that this one carries
  for (int i = segment.last();; --i) {
    const auto joint = joints(i);
    Force<S> f = x.link[at(i)].I * d.a[at(i)] + bias_of_body(x, k, i);
    i == segment.last() ? f = plus_children(x, i, f, d.f_up) : f += up;
    S* const own = tau + x.v_index(i);
    joint.subspace.transpose_times(f, own);
    if (rotors) [[unlikely]]
      for (int j = 0; j < decltype(joint)::freedoms; ++j)
        own[j] += x.rotors[at(x.v_index(i) + j)] * x.state.a[x.v_index(i) + j];
    to_parent(joint.transform(k.X_up[at(i)]), f);
    if (i == segment.begin) {
      joint.to_parent_inboard(x.link[at(i)].placement, f);
      d.f_up[at(i)] = f;
      return;
    }
    d.f_up[at(i)] = up = f;
  }
}

/// Gather: joint forces, written to `tau` (nv entries).
template <class S>
void joint_forces(const Context<S>& x, const Kinematics<S>& k, InverseDynamics<S>& d, S* tau, int step) {
  const std::span<const Segment> segments = x.nodes.segments_of(step);
  for (std::size_t s = segments.size(); s-- > 0;)
    with_joints<false>(x, k, segments[s],
                       [&](const auto& joints) { forces_of_segment(x, k, d, tau, segments[s], joints); });
}

}  // namespace kinetree::inline inner
