#pragma once
// A scan of motions over modules: each module composes how a motion is handed from the body its base hangs from to the
// bodies its carried cut children hang from; merges compose those maps; a scatter hands the motion down.
// With it a quantity that runs from base to tips takes O(log N) depth (design: Velocities).

#include "engine/algorithm/kinematics.hpp"
#include "engine/scalar/bytes.hpp"

namespace kinetree::inline inner {

/// m_out = X m_in + w
template <class S>
struct MotionMap {
  Transform<S> X;
  Motion<S> w;

  friend Motion<S> operator*(const MotionMap& map, const Motion<S>& m) { return map.X * m + map.w; }
};

/// One map, and behind it another.
template <class S>
MotionMap<S> then(const MotionMap<S>& inboard, const MotionMap<S>& outboard) {
  return {outboard.X * inboard.X, outboard.X * inboard.w + outboard.w};
}

template <class S>
struct MotionScan {
  std::vector<MotionMap<S>> map;  ///< over Modules::boundary, one per carried cut of a step; the base's own is unused
  std::vector<Motion<S>> m;       ///< over steps: the motion of the body from which the step's base hangs

  explicit MotionScan(const Modules& parts) : map(parts.boundary.size()), m(parts.steps.size()) {}
  std::size_t bytes() const { return bytes_of(map, m); }
};

/// Gather, a module's own maps: add_own(i, m) adds to m what body i's joint adds to its parent's motion.
template <class S, class AddOwn>
void compose_module(const Context<S>& x, const Kinematics<S>& k, MotionScan<S>& scan, const Step& s, AddOwn&& add_own) {
  const Module& module = x.modules->modules[at(s.module)];
  for (int o = s.first_boundary; o < s.last_boundary; ++o) {
    const CutJoint& cut = x.modules->cuts[at(x.modules->boundary[at(o)])];
    if (cut.body == module.base) continue;
    // from the base, its joint included, to the body the cut child hangs from
    const int tip = x.parent(cut.body);
    MotionMap<S> map{Transform<S>::identity(), {}};
    outwards(*x.modules, module, [&](int i) KINETREE_INLINE_LAMBDA {
      if (i > tip || x.model->subtree_end[at(i)] <= tip) return;  // not on the way
      to_child(k.X_up[at(i)], map.w);
      add_own(i, map.w);
      extend(k.X_up[at(i)], map.X);
    });
    scan.map[at(o)] = map;
  }
}

/// The upper step's map to the joint over which a merge merges.
template <class S>
const MotionMap<S>& map_to_merged(const Modules& m, const MotionScan<S>& scan, const Step& merge) {
  const Step& upper = m.steps[at(merge.upper)];
  int u = upper.first_boundary;
  while (m.boundary[at(u)] != merge.cut) ++u;
  return scan.map[at(u)];
}

/// Gather, at a merge: the upper step's open joints keep their maps; the lower's are behind the merged joint.
template <class S>
void compose_merge(const Modules& m, MotionScan<S>& scan, const Step& s) {
  const Step &upper = m.steps[at(s.upper)], &lower = m.steps[at(s.lower)];
  const MotionMap<S>& through = map_to_merged(m, scan, s);
  int o = s.first_boundary;
  for (int u = upper.first_boundary; u < upper.last_boundary; ++u)
    if (m.boundary[at(u)] != s.cut) scan.map[at(o++)] = scan.map[at(u)];
  for (int l = lower.first_boundary + 1; l < lower.last_boundary; ++l)
    scan.map[at(o++)] = then(through, scan.map[at(l)]);
}

/// Whether a step is part of a merge; else its base hangs from a finished body, or from the ground.
inline bool is_merged(const Modules& m, const Step& s) { return s.parent >= 0 && m.steps[at(s.parent)].module < 0; }

/// Scatter: the motion at a step's base; finished(p) is that of body p, or of the ground, -1.
template <class S, class Finished>
void hand_to_step(const Context<S>& x, MotionScan<S>& scan, int step, Finished&& finished) {
  const Modules& m = *x.modules;
  const Step& s = m.steps[at(step)];
  if (!is_merged(m, s)) {
    scan.m[at(step)] = finished(x.parent(m.modules[at(s.top_module)].base));
    return;
  }
  const Step& user = m.steps[at(s.parent)];
  scan.m[at(step)] = scan.m[at(s.parent)];
  if (user.lower == step) scan.m[at(step)] = map_to_merged(m, scan, user) * scan.m[at(step)];
}

}  // namespace kinetree::inline inner
