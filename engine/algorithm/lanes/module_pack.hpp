#pragma once
// Modules of a chain side by side, one per lane, between two cut joints each: swept by the kernels of the dial.

#include "engine/algorithm/dial/velocity_scan.hpp"
#include "engine/algorithm/lanes/lane_pattern.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/part_modules.hpp"

namespace kinetree::inline inner {

/// Modules of end chains, one in each lane. The pattern has the bodies of a module, of which body 1 is the base, and
/// two more: body 0 is in the place of the body that the module hangs from, body `next` in that of the next module,
/// whose base joint is cut.
template <class P, class One>
class ModulePack : public LanePattern<P, One> {
 public:
  using Base = LanePattern<P, One>;
  using Base::b;
  using Base::k;
  using Base::modules;
  using Base::x;

  ModulePack(const ModelData& m, const LaneGroup& group, int next_place, bool refined)
      : Base(m, group, next_place + 1, refined), next_(next_place + 1), scan_(modules()) {}

  static constexpr int base = 1;
  int rows() const { return modules().cuts[0].rows; }
  /// The body that the next module hangs from.
  int tip() const { return x.parent(next_); }
  /// How a motion is handed from what a module hangs from to its tip.
  const MotionMap<P>& through() const { return scan_.map[1]; }

  /// Joint positions, constraint bases, and the map of velocities through each module.
  void compose(const State<One>& state) {
    this->load(state);
    for (int i = base; i < x.bodies(); ++i) joint_kernel(x, k, i);
    for (const CutJoint& cut : modules().cuts) constraint_basis(this->dial(), cut);
    compose_velocities(x, k, scan_, modules().steps[0]);
  }

  /// Velocities, external forces and embedded aggregates of the module, with the velocity that body 0 holds.
  void velocities() {
    kinetree::velocities<false>(x, k, 0, [&](int i) -> const Motion<P>& { return k.v[at(x.parent(i))]; });
    if (x.state.f_ext)
      outwards(modules(), modules().modules[0], [&](int i) { external_force_kernel(x, k, i, k.R[at(x.parent(i))]); });
    if (!b.embedded.empty()) constrain(x, k, b, 0);
  }

  /// Hands the accelerations of the modules' own bodies to the tree's.
  void store(const State<One>& state) const {
    Base::store(state, base, next_);
    Base::store(state, next_ + 1, x.bodies());
  }

  std::size_t bytes() const { return Base::bytes() + scan_.bytes(); }

 private:
  int next_;
  MotionScan<P> scan_;
};

}  // namespace kinetree::inline inner
