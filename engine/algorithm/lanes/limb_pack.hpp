#pragma once
// Limbs side by side, one per lane: swept by the kernels of a tree, from and to what they hang from.

#include "engine/algorithm/lanes/lane_pattern.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/part_modules.hpp"

namespace kinetree::inline inner {

/// P: the pack. One: the scalar of the tree.
template <class P, class One>
class LimbPack final : public LaneParts<One> {
 public:
  LimbPack(const ModelData& m, const LaneGroup& group, bool refined)
      : all_(m, group, module_of_pattern(group), refined), sums_(sums_of(m, group)) {}

  void expect_external_forces() override { all_.expect_external_forces(); }

  /// Kinematics go with the gather: nothing else reads them, and here they are still in the cache.
  void articulate(int, const Context<One>& x, const Kinematics<One>& k, ArticulatedBody<One>& tree) override {
    find_kinematics(x.state, k);
    Nodes<P>& b = all_.b;
    if (!b.embedded.empty()) embed(all_.x, all_.k, b.embedded, 0);
    kinetree::articulate(all_.x, all_.k, b, 0);
    add_up(b.P_up[all_.x.slot(1)], sums_,
           [&](const LimbSum& s) -> ArticulatedInertia<One>& { return tree.P_up[x.slot(s.first)]; });
    add_up_bias(x, tree);
  }

  void accelerate(int, const Context<One>& x, const std::vector<Motion<One>>& a, RightSide side) override {
    const Motion<One> ground = side == RightSide::problem ? x.ground_acceleration : Motion<One>{};
    all_.take_inboard(a, ground, last_accelerations(all_.dial(), side)[0]);
    if (all_.f.refined)
      accelerate_modules(all_.dial(), side, 0);
    else
      kinetree::accelerate(all_.x, all_.k, all_.b, 0);
    all_.store(x.state, all_.x.model->v_index.back());
  }

  void correct(int, const Context<One>& x, ArticulatedBody<One>& tree, std::vector<Force<One>>& f_up) override {
    correct_modules(all_.dial(), 0);
    add_up_bias(x, tree);
    const Force<P> f = sum_of(all_.x.model->children_of(0), all_.f.f_up);
    add_up(f, sums_, [&](const LimbSum& s) -> Force<One>& { return f_up[at(s.first)]; });
  }

  int singular_body(int) const override {
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

  Status loop_fault() const override {
    if (all_.b.embedded.empty()) return {};  // asked after every state: 1 % of star:64x3
    for (int lane = 0; lane < all_.lanes(); ++lane)
      for (const EmbeddedNode<P>& node : all_.b.embedded)
        if (Status fault = kinetree::loop_fault(node, lane); !fault.ok() && all_.body(fault.body, lane) >= 0) {
          fault.body = all_.body(fault.body, lane);
          return fault;
        }
    return {};
  }

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
