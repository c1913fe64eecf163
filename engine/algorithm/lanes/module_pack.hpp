#pragma once
// Modules of a chain side by side, one per lane, between two cut joints each: swept by the kernels of the dial.

#include "engine/algorithm/dial/velocity_scan.hpp"
#include "engine/algorithm/lanes/lane_pattern.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/part_modules.hpp"

namespace kinetree::inline inner {

/// The pattern's body 0 stands for what a module hangs from, bodies 1 to n are its own, and body n + 1 stands for the
/// next module, whose base joint is cut.
template <class P, class One>
class ModulePack : public LanePattern<P, One> {
 public:
  using Base = LanePattern<P, One>;
  using Base::k;
  using Base::modules;
  using Base::x;

  ModulePack(const ModelData& m, const LaneGroup& group, bool refined)
      : Base(m, group, module_between_cuts(velocities_of(m, group)), refined), scan_(modules()) {}

  static constexpr int base = 1;
  int rows() const { return modules().cuts[0].rows; }
  int tip() const { return this->places() - 1; }
  /// The group that a pack's first lane closes.
  const Step& closing() const { return modules().steps[1]; }
  /// How a motion is handed from what a module hangs from to its tip.
  const MotionMap<P>& through() const { return scan_.map[1]; }

  /// Joint positions, constraint bases, and the map of velocities through each module.
  void compose(const State<One>& state) {
    this->load(state);
    for (int i = base; i <= tip() + 1; ++i) joint_kernel(x, k, i);
    for (const CutJoint& cut : modules().cuts) constraint_basis(this->dial(), cut);
    compose_velocities(x, k, scan_, modules().steps[0]);
  }

  /// Velocities and biases, from what body 0 stands for.
  void velocities() {
    kinetree::velocities<false>(x, k, 0, [&](int i) -> const Motion<P>& { return k.v[at(i - 1)]; });
    if (x.state.f_ext)
      for (int i = base; i <= tip(); ++i) external_force_kernel(x, k, i, k.R[at(i - 1)]);
  }

  /// The outermost body whose joint inertia is not positive, bases aside; -1: none.
  int singular_body() const {
    int worst = -1;
    for (int i = base + 1; i <= tip(); ++i)
      for (int lane = 0; lane < this->lanes(); ++lane)
        if (!positive(this->b, *x.model, i, lane)) worst = std::max(worst, this->body(i, lane));
    return worst;
  }

  std::size_t bytes() const { return Base::bytes() + scan_.bytes(); }

 private:
  /// Over the pattern's bodies.
  static std::vector<int> velocities_of(const ModelData& m, const LaneGroup& group) {
    std::vector<int> count{0};
    for (const std::vector<int>& place : group.body) count.push_back(velocity_count(m.joint_type[at(place.front())]));
    return count;
  }

  MotionScan<P> scan_;
};

}  // namespace kinetree::inline inner
