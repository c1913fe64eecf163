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

/// Where the upper step's map to the joint stands over which a merge merges.
inline std::size_t place_of_merged(const Modules& m, const Step& merge) {
  int u = m.steps[at(merge.upper)].first_boundary;
  while (m.boundary[at(u)] != merge.cut) ++u;
  return at(u);
}
template <class S>
const MotionMap<S>& map_to_merged(const Modules& m, const MotionScan<S>& scan, const Step& merge) {
  return scan.map[place_of_merged(m, merge)];
}

/// Over the open joints of a merge, by their places in Modules::boundary: keep(place, that in the upper step), or
/// pass(place, that in the lower step), which is behind the merged joint.
template <class Keep, class Pass>
void for_open_joints(const Modules& m, const Step& merge, Keep&& keep, Pass&& pass) {
  const Step &upper = m.steps[at(merge.upper)], &lower = m.steps[at(merge.lower)];
  std::size_t o = at(merge.first_boundary);
  for (int u = upper.first_boundary; u < upper.last_boundary; ++u)
    if (m.boundary[at(u)] != merge.cut) keep(o++, at(u));
  for (int l = lower.first_boundary + 1; l < lower.last_boundary; ++l) pass(o++, at(l));
}

/// Gather, at a merge: the upper step's open joints keep their maps; the lower's are behind the merged joint.
template <class S>
void compose_merge(const Modules& m, MotionScan<S>& scan, const Step& s) {
  const MotionMap<S>& through = map_to_merged(m, scan, s);
  for_open_joints(
      m, s, [&](std::size_t o, std::size_t u) { scan.map[o] = scan.map[u]; },
      [&](std::size_t o, std::size_t l) { scan.map[o] = then(through, scan.map[l]); });
}

/// Whether a step is part of a merge; else its base hangs from a finished body, or from the ground.
inline bool is_merged(const Modules& m, const Step& s) { return s.parent >= 0 && m.steps[at(s.parent)].module < 0; }

/// Scatter: the motion at a step's base, `motion` over steps; finished(p) is that of body p, or of the ground, -1;
/// over(merge, m): what m is behind the joint that is merged over.
template <class S, class Finished, class Over>
void hand_to_step(const Context<S>& x, std::vector<Motion<S>>& motion, int step, Finished&& finished, Over&& over) {
  const Modules& m = *x.modules;
  const Step& s = m.steps[at(step)];
  if (!is_merged(m, s)) {
    motion[at(step)] = finished(x.parent(m.modules[at(s.top_module)].base));
    return;
  }
  motion[at(step)] = motion[at(s.parent)];
  if (m.steps[at(s.parent)].lower == step) motion[at(step)] = over(s.parent, motion[at(step)]);
}
template <class S, class Finished>
void hand_to_step(const Context<S>& x, MotionScan<S>& scan, int step, Finished&& finished) {
  hand_to_step(x, scan.m, step, finished, [&](int merge, const Motion<S>& m) {
    return map_to_merged(*x.modules, scan, x.modules->steps[at(merge)]) * m;
  });
}

}  // namespace kinetree::inline inner
