#pragma once
// Limbs side by side, one per lane: swept by the kernels of a tree, from and to what they hang from.

#include "engine/algorithm/lanes/lane_pattern.hpp"
#include "engine/algorithm/limb_sweep.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/part_modules.hpp"

namespace kinetree::inline inner {

/// P: the pack. One: the scalar of the tree.
template <class P, class One>
class LimbPack final : public LimbSweep<One> {
 public:
  using T = typename P::Number;

  LimbPack(const ModelData& m, const LaneGroup& group)
      : padded_(padded_bodies(group)),
        all_(m, group, module_of_pattern(group.places() + 1), {.begins = padded_}),
        keep_(padded_.size()),
        sums_(sums_of(m, group)) {
    for (int place = 0; place < group.places(); ++place) {
      const std::vector<int>& body = group.body[at(place)];
      const auto here = [&](std::size_t lane) { return T(body[at(all_.owner(static_cast<int>(lane)))] >= 0); };
      keep_[at(place + 1)] = side_by_side<P>(here);
    }
  }

  void expect_external_forces() override { all_.expect_external_forces(); }

  /// Kinematics go with the gather: nothing else reads them, and here they are still in the cache.
  void articulate(const Context<One>& x, const Kinematics<One>& k, ArticulatedBody<One>& tree) override {
    find_kinematics(x.state, k);
    Nodes<P>& b = all_.b;
    nodes_inwards(all_.x, 0, [&](const Node& node) {
      kinetree::articulate(all_.x, all_.k, b, node);
      const int i = node.segment.begin;
      if (!padded_[at(i)]) return;  // a segment begins here, so that padding is scaled before it goes on
      const std::size_t slot = all_.x.slot(i);
      scale(b.P_up[slot], keep_[at(i)]), scale(b.z_up[slot], keep_[at(i)]);
    });
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

  int singular_body() const override { return all_.singular_body(0, all_.places()); }

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

  static std::vector<bool> padded_bodies(const LaneGroup& group) {
    std::vector<bool> padded(at(group.places() + 1), false);
    for (int place = 0; place < group.places(); ++place) padded[at(place + 1)] = group.padded(place);
    return padded;
  }

  template <template <class> class Quantity>
  static void scale(Quantity<P>& quantity, const P& by) {
    P* numbers = reinterpret_cast<P*>(&quantity);
    for (std::size_t n = 0; n < sizeof(quantity) / sizeof(P); ++n) numbers[n] = numbers[n] * by;
  }

  // over the pattern's bodies
  std::vector<bool> padded_;  ///< whether in some lane
  LanePattern<P, One> all_;
  std::vector<P> keep_;  ///< 1, or 0 in lanes of padding
  std::vector<LimbSum> sums_;
};

}  // namespace kinetree::inline inner
