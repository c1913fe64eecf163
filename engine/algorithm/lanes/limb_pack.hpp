#pragma once
// Limbs side by side, one per lane: swept by the kernels of a tree, from and to what they hang from.

#include "engine/algorithm/lanes/lane_pattern.hpp"
#include "engine/algorithm/node/limb_sweep.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/part_modules.hpp"

namespace kinetree::inline inner {

/// P: the pack. One: the scalar of the tree.
template <class P, class One>
class LimbPack final : public LimbSweep<One> {
 public:
  using T = typename P::Number;

  LimbPack(const ModelData& m, const LaneGroup& group)
      : all_(m, group, module_of_pattern(group.places() + 1)), sums_(sums_of(m, group)) {}

  void expect_external_forces() override { all_.expect_external_forces(); }

  /// Kinematics go with the gather: nothing else reads them, and here they are still in the cache.
  void articulate(const Context<One>& x, const Kinematics<One>& k, ArticulatedBody<One>& tree) override {
    find_kinematics(x.state, k);
    Nodes<P>& b = all_.b;
    if (!b.embedded.empty()) embed(all_.x, all_.k, b.embedded, 0);
    kinetree::articulate(all_.x, all_.k, b, 0);
    const std::size_t first = all_.x.slot(1);
    const auto slot = [&](const LimbSum& sum) { return x.slot(sum.first); };
    add_up(b.P_up[first], sums_, [&](const LimbSum& s) -> ArticulatedInertia<One>& { return tree.P_up[slot(s)]; });
    add_up(b.z_up[first], sums_, [&](const LimbSum& s) -> Force<One>& { return tree.z_up[slot(s)]; });
  }

  void accelerate(const Context<One>& x, const ArticulatedBody<One>& tree) override {
    const auto acceleration = [&](int p) -> const Motion<One>& {
      return p < 0 ? x.ground_acceleration : tree.a[at(p)];
    };
    put_together(all_.b.a[0], [&](int lane) -> const Motion<One>& { return acceleration(all_.inboard(lane)); });
    kinetree::accelerate(all_.x, all_.k, all_.b, 0);
    all_.store(x.state, all_.x.model->v_index.back());
  }

  int singular_body() const override {
    int worst = -1;
    for (const Node& node : all_.x.nodes.nodes)
      for (int lane = 0; lane < all_.lanes(); ++lane)
        if (const int i = kinetree::singular_body(all_.x, all_.b, node, lane); i >= 0)
          worst = std::max(worst, all_.body(i, lane));
    return worst;
  }

  int idle_body() const override {
    for (int lane = 0; lane < all_.lanes(); ++lane)
      if (const int i = kinetree::idle_body(all_.b.embedded, lane); i >= 0) return all_.body(i, lane);
    return -1;
  }

  int singular_aggregate(double* pivot) const override {
    if (all_.b.embedded.empty()) return -1;  // asked after every state: 1 % of star:64x3
    for (int lane = 0; lane < all_.lanes(); ++lane)
      if (const int own = kinetree::singular_aggregate(all_.b.embedded, pivot, lane);
          own >= 0 && all_.aggregate(own, lane) >= 0)
        return all_.aggregate(own, lane);
    return -1;
  }

 private:
  /// Positions and velocities, from those of the tree.
  void find_kinematics(const State<One>& state, const Kinematics<One>& tree) {
    all_.load(state);
    const Motion<One> still{};
    const auto velocity = [&](int p) -> const Motion<One>& { return p < 0 ? still : tree.v[at(p)]; };
    put_together(all_.k.v[0], [&](int lane) -> const Motion<One>& { return velocity(all_.inboard(lane)); });
    if (state.f_ext) {
      const Matrix3<One> ground = Matrix3<One>::identity();
      const auto rotation = [&](int p) -> const Matrix3<One>& { return p < 0 ? ground : tree.R[at(p)]; };
      put_together(all_.k.R[0], [&](int lane) -> const Matrix3<One>& { return rotation(all_.inboard(lane)); });
    }
    kinetree::kinematics(all_.x, all_.k, 0);
  }

  LanePattern<P, One> all_;
  std::vector<LimbSum> sums_;
};

}  // namespace kinetree::inline inner
