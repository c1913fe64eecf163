#pragma once
// Scans over modules for a state that stands still: motions from the ground to tips and forces from tips to the ground,
// in O(log N) depth at grain 1. The maps of a scan of velocities serve all of a state's scans: of a scan of its own each
// has only what bodies add, which is known before it begins. A step's kernels write what is its own, and read what is
// its parent's and its children's, so that steps may go on to the next pass while others are in this one.

#include "engine/algorithm/dial/force_scan.hpp"

namespace kinetree::inline inner {

/// motion[i] = X motion[parent] + own[i]
template <class S>
struct MotionTrack {
  std::vector<Motion<S>> w;     ///< over Modules::boundary: of the maps to open joints
  std::vector<Motion<S>> over;  ///< over steps, at merges: of the map to the joint that is merged over
  std::vector<Motion<S>> m;     ///< over steps: the motion of the body from which the step's base hangs

  MotionTrack() = default;
  explicit MotionTrack(const Modules& parts) : w(parts.boundary.size()), over(parts.steps.size()), m(over.size()) {}
  std::size_t bytes() const { return bytes_of(w, over, m); }
};

/// f[i] = own[i] + the sum over children of X_cᵀ f[c]
template <class S>
struct ForceTrack : ForceScan<S> {
  /// Over bodies: what the joint hands to the parent body. Zero at a carried joint until the scatter comes to it.
  std::vector<Force<S>> up;

  ForceTrack() = default;
  ForceTrack(const Modules& m, std::size_t bodies) : ForceScan<S>(m), up(bodies) {}
  std::size_t bytes() const { return ForceScan<S>::bytes() + bytes_of(up); }
};

/// Gather.
template <class S>
void compose_motions(const Context<S>& x, const Kinematics<S>& k, const MotionScan<S>& maps, MotionTrack<S>& track,
                     const std::vector<Motion<S>>& own, int index) {
  const Modules& m = *x.modules;
  const Step& s = m.steps[at(index)];
  if (s.module < 0) {
    const Motion<S>& over = track.over[at(index)] = track.w[place_of_merged(m, s)];
    return for_open_joints(
        m, s, [&](std::size_t o, std::size_t u) { track.w[o] = track.w[u]; },
        [&](std::size_t o, std::size_t l) { track.w[o] = maps.map[l].X * over + track.w[l]; });
  }
  const Module& module = m.modules[at(s.module)];
  for (int o = s.first_boundary; o < s.last_boundary; ++o) {
    const CutJoint& cut = m.cuts[at(m.boundary[at(o)])];
    if (cut.body == module.base) continue;
    const int tip = x.parent(cut.body);
    Motion<S> w{};
    outwards(m, module, [&](int i) {
      if (i > tip || x.model->subtree_end[at(i)] <= tip) return;  // not on the way
      if (i != module.base) to_child(k.X_up[at(i)], w);
      w += own[at(i)];
    });
    track.w[at(o)] = w;
  }
}

/// Scatter, of the ground: `ground`. use(i, in): motion[i] is known; in: X motion[parent].
template <class S, class Use>
void hand_motions(const Context<S>& x, const Kinematics<S>& k, const MotionScan<S>& maps, MotionTrack<S>& track,
                  const Motion<S>& ground, const std::vector<Motion<S>>& own, std::vector<Motion<S>>& motion, int index,
                  Use&& use) {
  const Modules& m = *x.modules;
  hand_to_step(
      x, track.m, index, [&](int p) -> const Motion<S>& { return p < 0 ? ground : motion[at(p)]; },
      [&](int merge, const Motion<S>& in) {
        return maps.map[place_of_merged(m, m.steps[at(merge)])].X * in + track.over[at(merge)];
      });
  if (!x.sweeps(index)) return;
  const Module& module = x.module_of_step(index);
  outwards(m, module, [&](int i) {
    const bool first = i == module.base || x.parent(i) < 0;
    const Motion<S> in = k.X_up[at(i)] * (first ? track.m[at(index)] : motion[at(x.parent(i))]);
    motion[at(i)] = in + own[at(i)];
    use(i, in);
  });
}

/// Gather: adds up the forces of a step's bodies. Forces through the step's open joints are left out.
template <class S>
void gather_forces(const Context<S>& x, const Kinematics<S>& k, const MotionScan<S>& maps, ForceTrack<S>& track,
                   const std::vector<Force<S>>& own, int index) {
  const Modules& m = *x.modules;
  const Step& step = m.steps[at(index)];
  if (step.module < 0) {
    merge_forces(m, maps, track, index);
  } else {
    const Module& module = x.module_of_step(index);
    inwards(m, module, [&](int i) {
      const Force<S> f = transpose_times(k.X_up[at(i)], plus_children(x, i, own[at(i)], track.up));
      (i == module.base && module.cut >= 0 ? track.total[at(index)] : track.up[at(i)]) = f;
    });
  }
  if (step.closes >= 0) track.up[at(m.cuts[at(step.closes)].body)] = track.total[at(index)];
}

/// Scatter: forces through the cut joints.
template <class S>
void hand_forces(const Context<S>& x, const MotionScan<S>& maps, ForceTrack<S>& track, int index) {
  const Modules& m = *x.modules;
  const Step& step = m.steps[at(index)];
  if (step.closes >= 0) track.through[at(step.closes)] = track.total[at(index)];
  if (step.module < 0) track.up[at(m.cuts[at(step.cut)].body)] = hand_force(m, maps, track, step);
}

/// After it, in the same pass or a later one: use(i, f[i]), which may write own[i].
template <class S, class Use>
void finish_forces(const Context<S>& x, const Kinematics<S>& k, ForceTrack<S>& track, const std::vector<Force<S>>& own,
                   int index, Use&& use) {
  if (!x.sweeps(index)) return;
  const Modules& m = *x.modules;
  const Module& module = x.module_of_step(index);
  inwards(m, module, [&](int i) {
    const Force<S> f = plus_children(x, i, own[at(i)], track.up);
    if (i != module.base) track.up[at(i)] = transpose_times(k.X_up[at(i)], f);
    use(i, f);
  });
  for (int c = module.first_carried; c < module.last_carried; ++c)
    track.up[at(m.cuts[at(m.carried[at(c)])].body)] = Force<S>{};
}

}  // namespace kinetree::inline inner
