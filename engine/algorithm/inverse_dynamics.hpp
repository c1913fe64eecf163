#pragma once
// Newton-Euler inverse dynamics: a scatter of accelerations and a gather of forces (Jain 2011, Alg. 3.1).

#include "engine/algorithm/kinematics.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/bytes.hpp"

namespace kinetree::inline inner {

template <class S>
struct InverseDynamics {
  std::vector<Motion<S>> a;    ///< accelerations, gravity as an upward acceleration of the ground
  std::vector<Force<S>> f_up;  ///< of a segment's first body: force through the joint, parent's coordinates

  explicit InverseDynamics(const ModelData& m) : a(m.parent.size()), f_up(m.parent.size()) {}
  std::size_t bytes() const { return bytes_of(a, f_up); }
  void came(int, const Motion<S>&) {}
  void goes(int, const Force<S>&) {}
  /// What moves body i, of its weight and of external forces too.
  KINETREE_INLINE Force<S> own_force(const Context<S>& x, const Kinematics<S>& k, int i) {
    return x.link[at(i)].I * a[at(i)] + bias_of_body(x, k, i);
  }
};

/// Scatter, along a segment, of a motion `m`: on entry that of the body that it hangs from. use(i, joint, m): m has
/// come to body i; adds what the joint does.
template <class S, class Joints, class Use>
KINETREE_INLINE void motions_along(const Context<S>& x, const Kinematics<S>& k, const Segment& segment,
                                   const Joints& joints, Motion<S> m, Use&& use) {
  joints(segment.begin).to_child_inboard(x.link[at(segment.begin)].placement, m);
  for (int i = segment.begin; i <= segment.last(); ++i) {
    const auto joint = joints(i);
    to_child(joint.transform(k.X_up[at(i)]), m);
    use(i, joint, m);
  }
}

/// Gather, along a segment, of forces. own(i): that of body i alone; use(i, joint, f): f goes through the joint; may
/// add what the parent alone feels. `up`: over bodies, what is handed to the parents.
template <class S, class Joints, class Own, class Use>
KINETREE_INLINE void forces_along(const Context<S>& x, const Kinematics<S>& k, std::vector<Force<S>>& up,
                                  const Segment& segment, const Joints& joints, Own&& own, Use&& use) {
  Force<S> outboard{};  // of the body before, the only one that this one carries
  for (int i = segment.last();; --i) {
    const auto joint = joints(i);
    Force<S> f = own(i);
    i == segment.last() ? f = plus_children(x, i, f, up) : f += outboard;
    use(i, joint, f);
    to_parent(joint.transform(k.X_up[at(i)]), f);
    if (i == segment.begin) {
      joint.to_parent_inboard(x.link[at(i)].placement, f);
      up[at(i)] = f;
      return;
    }
    outboard = f;
  }
}

// A kernel of its own for each kind of joint, called with values, as those of articulated bodies are. What `D` keeps
// more than InverseDynamics does, it is told of: came(i, a), of the parent's acceleration in body i's coordinates, and
// goes(i, f), of the force through its joint.

template <class S, class D, class Joints>
[[gnu::noinline]] void accelerations_of_segment(const Context<S>& x, const Kinematics<S>& k, D& d, Segment segment,
                                                Joints joints, const Motion<S>& inboard) {
  motions_along(x, k, segment, joints, inboard, [&](int i, const auto& joint, Motion<S>& a) KINETREE_INLINE_LAMBDA {
    d.came(i, a);
    add_bias(joint.subspace, k.c[at(i)], a);
    if (x.state.a != nullptr) joint.subspace.add(x.state.a + x.v_index(i), a);
    d.a[at(i)] = a;
  });
}

/// Scatter: accelerations; with state.a null the joints' own are zero (the bias forces).
template <class S, class D>
void accelerations(const Context<S>& x, const Kinematics<S>& k, D& d, int step) {
  segments_outwards(x, k, step, [&](const Segment& segment, const auto& joints) {
    const int p = x.parent(segment.begin);
    accelerations_of_segment(x, k, d, segment, joints, p < 0 ? x.ground_acceleration : d.a[at(p)]);
  });
}

template <class S, class D, class Joints>
[[gnu::noinline]] void forces_of_segment(const Context<S>& x, const Kinematics<S>& k, D& d, S* tau, Segment segment,
                                         Joints joints) {
  const bool rotors = x.state.a != nullptr && !x.rotors.empty();
  forces_along(
      x, k, d.f_up, segment, joints, [&](int i) KINETREE_INLINE_LAMBDA { return d.own_force(x, k, i); },
      [&](int i, const auto& joint, const Force<S>& f) KINETREE_INLINE_LAMBDA {
        d.goes(i, f);
        if (tau == nullptr) return;
        S* const own = tau + x.v_index(i);
        joint.subspace.transpose_times(f, own);
        if (rotors) [[unlikely]]
          for (int j = 0; j < std::remove_cvref_t<decltype(joint)>::freedoms; ++j)
            own[j] += x.rotors[at(x.v_index(i) + j)] * x.state.a[x.v_index(i) + j];
      });
}

/// Gather: joint forces, written to `tau` (nv entries) unless it is null.
template <class S, class D>
void joint_forces(const Context<S>& x, const Kinematics<S>& k, D& d, S* tau, int step) {
  segments_inwards(x, k, step, [&](const Segment& segment, const auto& joints) {
    forces_of_segment(x, k, d, tau, segment, joints);
  });
}

}  // namespace kinetree::inline inner
