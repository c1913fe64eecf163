#pragma once
// Scans over modules for a state that stands still: motions from the ground to tips and forces from tips to the ground,
// in O(log N) depth at grain 1. One map of motions per open joint serves all of a state's scans; what bodies add to
// what comes to them is known before a scan begins.

#include "engine/algorithm/dial/force_scan.hpp"

namespace kinetree::inline inner {

template <class S>
struct ProductScans : MotionScan<S>, ForceScan<S> {
  std::vector<Force<S>> up;  ///< over bodies: what the joint hands to the parent body

  ProductScans(const ModelData& model, const Modules& m) : MotionScan<S>(m), ForceScan<S>(m), up(model.parent.size()) {}
  std::size_t bytes() const { return MotionScan<S>::bytes() + ForceScan<S>::bytes() + bytes_of(up); }
};

namespace scans_detail {

/// w of a module's maps; X is known.
template <class S>
void compose_own(const Context<S>& x, const Kinematics<S>& k, const std::vector<Motion<S>>& own, ProductScans<S>& scan,
                 const Step& s) {
  const Module& module = x.modules->modules[at(s.module)];
  for (int o = s.first_boundary; o < s.last_boundary; ++o) {
    const CutJoint& cut = x.modules->cuts[at(x.modules->boundary[at(o)])];
    if (cut.body == module.base) continue;
    const int tip = x.parent(cut.body);
    Motion<S>& w = scan.map[at(o)].w;
    w = Motion<S>{};
    outwards(*x.modules, module, [&](int i) {
      if (i > tip || x.model->subtree_end[at(i)] <= tip) return;  // not on the way
      if (i != module.base) to_child(k.X_up[at(i)], w);
      w += own[at(i)];
    });
  }
}

/// The same at a merge.
template <class S>
void compose_merged(const Modules& m, ProductScans<S>& scan, const Step& s) {
  const Step &upper = m.steps[at(s.upper)], &lower = m.steps[at(s.lower)];
  const Motion<S>& through = map_to_merged(m, scan, s).w;
  int o = s.first_boundary;
  for (int u = upper.first_boundary; u < upper.last_boundary; ++u)
    if (m.boundary[at(u)] != s.cut) scan.map[at(o++)].w = scan.map[at(u)].w;
  for (int l = lower.first_boundary + 1; l < lower.last_boundary; ++l, ++o)
    scan.map[at(o)].w = scan.map[at(l)].X * through + scan.map[at(l)].w;
}

/// Gather: adds up the forces of a step's bodies. Forces through the step's open joints are left out.
template <class S>
void gather_forces(const Context<S>& x, const Kinematics<S>& k, const std::vector<Force<S>>& own, ProductScans<S>& scan,
                   int index) {
  const Modules& m = *x.modules;
  const Step& step = m.steps[at(index)];
  if (step.module < 0) {
    merge_forces<S>(m, scan, scan, index);
  } else {
    const Module& module = x.module_of_step(index);
    inwards(m, module, [&](int i) {
      const Force<S> f = transpose_times(k.X_up[at(i)], plus_children(x, i, own[at(i)], scan.up));
      (i == module.base && module.cut >= 0 ? scan.total[at(index)] : scan.up[at(i)]) = f;
    });
  }
  if (step.closes >= 0) scan.up[at(m.cuts[at(step.closes)].body)] = scan.total[at(index)];
}

/// Scatter: forces through the cut joints.
template <class S>
void hand_forces(const Context<S>& x, ProductScans<S>& scan, int index) {
  const Modules& m = *x.modules;
  const Step& step = m.steps[at(index)];
  if (step.closes >= 0) scan.through[at(step.closes)] = scan.total[at(index)];
  if (step.module >= 0) return;
  scan.up[at(m.cuts[at(step.cut)].body)] = hand_force<S>(m, scan, scan, step);
}

}  // namespace scans_detail

/// motion[i] = X motion[parent] + own[i], of the ground: `ground`. use(i, in): motion[i] is known; in: X
/// motion[parent].
template <class S, class Use>
void scan_outwards(const Context<S>& x, const Kinematics<S>& k, ProductScans<S>& scan, const Motion<S>& ground,
                   const std::vector<Motion<S>>& own, std::vector<Motion<S>>& motion, Use&& use) {
  const Modules& m = *x.modules;
  const int steps = static_cast<int>(m.steps.size());
  for (int s = 0; s < steps; ++s)
    x.sweeps(s) ? scans_detail::compose_own(x, k, own, scan, m.steps[at(s)])
                : scans_detail::compose_merged(m, scan, m.steps[at(s)]);
  for (int s = steps - 1; s >= 0; --s) {
    hand_to_step(x, scan, s, [&](int p) -> const Motion<S>& { return p < 0 ? ground : motion[at(p)]; });
    if (!x.sweeps(s)) continue;
    const Module& module = x.module_of_step(s);
    outwards(m, module, [&](int i) {
      const bool first = i == module.base || x.parent(i) < 0;
      const Motion<S> in = k.X_up[at(i)] * (first ? scan.m[at(s)] : motion[at(x.parent(i))]);
      motion[at(i)] = in + own[at(i)];
      use(i, in);
    });
  }
}

/// f = own[i] + the sum over children of X_cᵀ f_c, of every body: use(i, f).
template <class S, class Use>
void scan_inwards(const Context<S>& x, const Kinematics<S>& k, ProductScans<S>& scan, const std::vector<Force<S>>& own,
                  Use&& use) {
  const Modules& m = *x.modules;
  const int steps = static_cast<int>(m.steps.size());
  for (const CutJoint& cut : m.cuts) scan.up[at(cut.body)] = Force<S>{};
  for (int s = 0; s < steps; ++s) scans_detail::gather_forces(x, k, own, scan, s);
  for (int s = steps - 1; s >= 0; --s) scans_detail::hand_forces(x, scan, s);
  for (const Module& module : m.modules)
    inwards(m, module, [&](int i) {
      const Force<S> f = plus_children(x, i, own[at(i)], scan.up);
      if (i != module.base) scan.up[at(i)] = transpose_times(k.X_up[at(i)], f);
      use(i, f);
    });
}

}  // namespace kinetree::inline inner
