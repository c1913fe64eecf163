#pragma once
// Limbs side by side, one per lane: swept by the kernels of a tree, from and to what they hang from.

#include "engine/algorithm/lanes/lane_pattern.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/part_modules.hpp"

namespace kinetree::inline inner {

/// P: the pack. One: the scalar of the tree.
template <class P, class One>
class LimbPack final : public LaneLimbs<One> {
 public:
  LimbPack(const ModelData& m, const LaneGroup& group, bool refined)
      : all_(m, group, 0, refined), sums_(sums_of(m, group)) {}

  void expect_external_forces() override { all_.expect_external_forces(); }

  /// Kinematics go with the gather: nothing else reads them, and here they are still in the cache.
  void articulate(const Context<One>& x, const Kinematics<One>& k, ArticulatedBody<One>& tree) override {
    find_kinematics(x.state, k);
    Nodes<P>& b = all_.b;
    if (!b.embedded.empty()) constrain(all_.x, all_.k, b, 0);
    kinetree::articulate(all_.x, all_.k, b, 0);
    add_up(b.P_up[all_.x.slot(1)], sums_,
           [&](const LimbSum& s) -> ArticulatedInertia<One>& { return tree.P_up[x.slot(s.first)]; });
    add_up_bias(x, tree);
  }

  void accelerate(const Context<One>& x, const std::vector<Motion<One>>& a, RightSide side) override {
    const Motion<One> ground = side == RightSide::problem ? x.ground_acceleration : Motion<One>{};
    all_.take_inboard(a, ground, last_accelerations(all_.dial(), side)[0]);
    if (all_.f.refined)
      accelerate_modules(all_.dial(), side, 0);
    else
      kinetree::accelerate(all_.x, all_.k, all_.b, 0);
    all_.store(x.state, 0, all_.places() + 1);
  }

  void articulate(const Dial<One>& d, int) override { articulate(d.x, d.k, d.b); }
  void accelerate(const Dial<One>& d, RightSide side, int) override {
    accelerate(d.x, last_accelerations(d, side), side);
  }
  void correct(const Dial<One>& d, int) override {
    correct_modules(all_.dial(), 0);
    add_up_bias(d.x, d.b);
    const Force<P> f = sum_of(all_.x.model->children_of(0), all_.f.f_up);
    add_up(f, sums_, [&](const LimbSum& s) -> Force<One>& { return d.f.f_up[at(s.first)]; });
  }

  int singular_body() const override { return all_.singular_body(); }
  int idle_body() const override { return all_.idle_body(); }
  Status loop_fault() const override { return all_.loop_fault(); }

  std::size_t bytes() const override { return sizeof(*this) + bytes_of(all_, sums_); }

 private:
  /// Positions and velocities, from those of the tree.
  void find_kinematics(const State<One>& state, const Kinematics<One>& tree) {
    all_.load(state);
    all_.take_inboard(tree.v, Motion<One>{}, all_.k.v[0]);
    if (state.f_ext) all_.take_inboard(tree.R, Matrix3<One>::identity(), all_.k.R[0]);
    kinetree::kinematics(all_.x, all_.k, 0);
  }
  void add_up_bias(const Context<One>& x, ArticulatedBody<One>& tree) {
    add_up(all_.b.z_up[all_.x.slot(1)], sums_,
           [&](const LimbSum& s) -> Force<One>& { return tree.z_up[x.slot(s.first)]; });
  }

  LanePattern<P, One> all_;
  std::vector<LimbSum> sums_;
};

}  // namespace kinetree::inline inner
