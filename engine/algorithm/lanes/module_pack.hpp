#pragma once
// Modules of a chain side by side, one per lane, between two cut joints each: swept by the kernels of the dial.

#include "engine/algorithm/dial/refinement.hpp"
#include "engine/algorithm/dial/velocity_scan.hpp"
#include "engine/algorithm/lanes/lane_pattern.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/part_modules.hpp"

namespace kinetree::inline inner {

/// The pattern's body 0 stands for what a module hangs from, bodies 1 to n are its own, and body n + 1 stands for the
/// next module, whose base joint is cut.
template <class P, class One>
class ModulePack {
 public:
  ModulePack(const ModelData& m, const LaneGroup& group, bool refined)
      : all(m, group, module_between_cuts(velocities_of(m, group))),
        f_(*all.x.model, all.modules(), refined),
        e_(all.modules()),
        scan_(all.modules()) {}

  static constexpr int base = 1;
  int rows() const { return all.modules().cuts[0].rows; }
  int tip() const { return all.places() - 1; }
  Dial<P> dial() { return {all.x, all.k, all.b, f_, e_}; }
  /// How a motion is handed from what a module hangs from to its tip.
  const MotionMap<P>& through() const { return scan_.map[1]; }

  /// Joint positions, constraint bases, and the map of velocities through each module.
  void compose(const State<One>& state) {
    all.load(state);
    for (int i = base; i <= tip() + 1; ++i) joint_kernel(all.x, all.k, i);
    for (const CutJoint& cut : all.modules().cuts) constraint_basis(dial(), cut);
    compose_velocities(all.x, all.k, scan_, all.modules().steps[0]);
  }

  /// Velocities and biases, from what body 0 stands for.
  void velocities() {
    kinetree::velocities<false>(all.x, all.k, 0, [&](int i) -> const Motion<P>& { return all.k.v[at(i - 1)]; });
    if (all.x.state.f_ext)
      for (int i = base; i <= tip(); ++i) external_force_kernel(all.x, all.k, i, all.k.R[at(i - 1)]);
  }

  /// The group that a pack's first lane closes.
  const Step& closing() const { return all.modules().steps[1]; }

  LanePattern<P, One> all;

 private:
  /// Over the pattern's bodies.
  static std::vector<int> velocities_of(const ModelData& m, const LaneGroup& group) {
    std::vector<int> count{0};
    for (const std::vector<int>& place : group.body) count.push_back(velocity_count(m.joint_type[at(place.front())]));
    return count;
  }

  ConstraintForce<P> f_;
  CutSystem<P> e_;
  MotionScan<P> scan_;
};

}  // namespace kinetree::inline inner
