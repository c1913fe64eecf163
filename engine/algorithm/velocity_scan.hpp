#pragma once
// Base velocities by a scan over modules: each module composes how velocity is handed from the body its base hangs from
// to the bodies its cut children hang from; merges compose those maps; a scatter hands the velocities down.
// With it positions and velocities take O(log N) depth (design: section 2).

#include <kinetree/algorithm/kinematics.hpp>

namespace kinetree {

/// v_out = X v_in + w, and the rotation that goes with X.
template <class S>
struct VelocityMap {
  Transform<S> X;
  Motion<S> w;
};

template <class S>
struct VelocityScan {
  std::vector<VelocityMap<S>> map;  ///< over Modules::outer, one per carried cut of a step; the base's own is unused
  std::vector<Motion<S>> v;         ///< over steps: velocity of the body from which the step's base hangs
  std::vector<Matrix3<S>> R;        ///< over steps: its rotation from world; only where external forces act

  explicit VelocityScan(const Modules& m) : map(m.outer.size()), v(m.steps.size()) {}
};

/// Gather: composes maps.
template <class S>
void compose(const Context<S>& x, Kinematics<S>& k, VelocityScan<S>& scan, int step) {
  const Modules& m = *x.modules;
  const Step& s = m.steps[at(step)];
  if (s.module >= 0) {
    const Module& module = m.modules[at(s.module)];
    outwards(m, module, [&](int i) { joint_kernel(x, k, i); });
    for (int o = s.first_outer; o < s.last_outer; ++o) {
      const CutJoint& cut = m.cuts[at(m.outer[at(o)])];
      if (cut.body == module.base) continue;
      // up from the body the cut child hangs from to the base, the base's joint included
      VelocityMap<S> map{Transform<S>::identity(), {}};
      for (int i = x.parent(cut.body);; i = x.parent(i)) {
        Motion<S> vJ{};
        with_subspace(x.type(i), &k.columns[at(x.v_index(i))], [&](auto subspace) { subspace.add(x.v(i), vJ); });
        map.w += map.X * vJ;
        map.X = map.X * k.X_up[at(i)];
        if (i == module.base) break;
      }
      scan.map[at(o)] = map;
    }
  } else {
    // the upper step's open joints keep their maps; the lower's are behind the upper's map to the merged joint
    const Step &upper = m.steps[at(s.upper)], &lower = m.steps[at(s.lower)];
    int o = s.first_outer;
    const VelocityMap<S>* through = nullptr;
    for (int u = upper.first_outer; u < upper.last_outer; ++u) {
      if (m.outer[at(u)] == s.cut)
        through = &scan.map[at(u)];
      else
        scan.map[at(o++)] = scan.map[at(u)];
    }
    for (int l = lower.first_outer + 1; l < lower.last_outer; ++l) {
      const VelocityMap<S>& below = scan.map[at(l)];
      scan.map[at(o++)] = {below.X * through->X, below.X * through->w + below.w};
    }
  }
}

/// Scatter: hands velocities to modules and finishes their bodies.
template <class S>
void hand_down(const Context<S>& x, Kinematics<S>& k, VelocityScan<S>& scan, int step) {
  const Modules& m = *x.modules;
  const Step& s = m.steps[at(step)];
  const bool rotations = x.state.f_ext != nullptr;
  const Step* user = s.parent >= 0 ? &m.steps[at(s.parent)] : nullptr;
  if (user != nullptr && user->module < 0) {  // part of a merge
    scan.v[at(step)] = scan.v[at(s.parent)];
    if (rotations) scan.R[at(step)] = scan.R[at(s.parent)];
    if (user->lower == step) {
      const Step& upper = m.steps[at(user->upper)];
      for (int u = upper.first_outer; u < upper.last_outer; ++u) {
        if (m.outer[at(u)] != user->cut) continue;
        scan.v[at(step)] = scan.map[at(u)].X * scan.v[at(step)] + scan.map[at(u)].w;
        if (rotations) scan.R[at(step)] = scan.map[at(u)].X.E * scan.R[at(step)];
      }
    }
  } else {  // hangs from a finished body, or from the ground
    const int base = m.modules[at(s.top_module)].base;
    scan.v[at(step)] = velocity_of(k, x.parent(base));
    if (rotations) scan.R[at(step)] = rotation_of(k, x.parent(base));
  }
  if (s.module < 0) return;
  const Module& module = m.modules[at(s.module)];
  outwards(m, module, [&](int i) {
    const bool base = i == module.base;
    velocity_kernel(x, k, i, base ? scan.v[at(step)] : k.v[at(x.parent(i))]);
    if (rotations) external_force_kernel(x, k, i, base ? scan.R[at(step)] : k.R[at(x.parent(i))]);
  });
}

}  // namespace kinetree
