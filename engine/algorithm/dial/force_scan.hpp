#pragma once
// A scan of forces over modules, through the maps of a scan of motions: merges add up what steps ask for, and a scatter
// finds the forces through the cut joints. So forces that run from tips to base take O(log N) depth.

#include "engine/algorithm/dial/motion_scan.hpp"

namespace kinetree::inline inner {

template <class S>
struct ForceScan {
  std::vector<Force<S>> total;    ///< over steps: of all its bodies, in the body its base hangs from
  std::vector<Force<S>> through;  ///< over cut joints: of all bodies outboard, in the parent body

  ForceScan() = default;
  explicit ForceScan(const Modules& m) : total(m.steps.size()), through(m.cuts.size()) {}
  std::size_t bytes() const { return bytes_of(total, through); }
};

/// Gather, at a merge: the sum of the forces of all bodies of both steps; forces through open joints are left out.
template <class S>
void merge_forces(const Modules& m, const MotionScan<S>& scan, ForceScan<S>& forces, int index) {
  const Step& step = m.steps[at(index)];
  forces.total[at(index)] = forces.total[at(step.upper)];
  forces.total[at(index)] += transpose_times(map_to_merged(m, scan, step).X, forces.total[at(step.lower)]);
}

/// Scatter, at a merge: the force through the cut joint that is merged over.
template <class S>
const Force<S>& hand_force(const Modules& m, const MotionScan<S>& scan, ForceScan<S>& forces, const Step& step) {
  const Step& lower = m.steps[at(step.lower)];
  Force<S>& f = forces.through[at(step.cut)];
  f = forces.total[at(step.lower)];
  for (int l = lower.first_boundary + 1; l < lower.last_boundary; ++l)
    f += transpose_times(scan.map[at(l)].X, forces.through[at(m.boundary[at(l)])]);
  return f;
}

}  // namespace kinetree::inline inner
