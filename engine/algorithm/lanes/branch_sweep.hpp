#pragma once
// Branches side by side: swept by the kernels of a tree, from and to what they hang from.

#include "engine/algorithm/lanes/lane_pattern.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/part_modules.hpp"

namespace kinetree::inline inner {

template <class P, class One>
class BranchSweep {
 public:
  using T = typename P::Number;

  BranchSweep(const ModelData& m, const LaneGroup& group)
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

  void expect_external_forces() { all_.expect_external_forces(); }

  /// Positions and velocities, from those of the tree.
  void kinematics(const State<One>& state, const Kinematics<One>& tree) {
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

  /// The branches that hang from one body add to it as one: the first of them stands for all in the tree's P_up and
  /// z_up. None where they hang from the ground.
  static std::vector<LaneSum> sums_of(const ModelData& m, const LaneGroup& group) {
    std::vector<LaneSum> sums;
    for (int lane = 0; lane < group.lanes(); ++lane) {
      const int branch = group.body.front()[at(lane)];
      if (m.parent[at(branch)] < 0) continue;
      const auto same = [&](const LaneSum& sum) { return m.parent[at(sum.owner)] == m.parent[at(branch)]; };
      const auto found = std::find_if(sums.begin(), sums.end(), same);
      if (found != sums.end())
        found->lanes.push_back(lane);
      else
        sums.push_back({branch, {lane}});
    }
    return sums;
  }

  /// Gather: what the branches add to what they hang from.
  void articulate(const Context<One>& x, Nodes<One>& tree) {
    Nodes<P>& b = all_.b;
    nodes_inwards(all_.x, 0, [&](const Node& node) {
      kinetree::articulate(all_.x, all_.k, b, node);
      const int i = node.segment.begin;
      if (!padded_[at(i)]) return;  // a segment begins here, so that padding is scaled before it goes on
      const std::size_t slot = all_.x.slot(i);
      scale(b.P_up[slot], keep_[at(i)]), scale(b.z_up[slot], keep_[at(i)]);
    });
    const std::size_t first = all_.x.slot(1);
    add_up(b.P_up[first], sums_, [&](int i) -> ArticulatedInertia<One>& { return tree.P_up[x.slot(i)]; });
    add_up(b.z_up[first], sums_, [&](int i) -> Force<One>& { return tree.z_up[x.slot(i)]; });
  }

  /// Scatter: accelerations, from those of the tree to its results.
  void accelerate(const Context<One>& x, const Nodes<One>& tree) {
    const auto acceleration = [&](int p) -> const Motion<One>& {
      return p < 0 ? x.ground_acceleration : tree.a[at(p)];
    };
    put_together(all_.b.a[0], [&](int lane) -> const Motion<One>& { return acceleration(all_.inboard(lane)); });
    kinetree::accelerate(all_.x, all_.k, all_.b, 0);
    all_.store(x.state, all_.x.model->v_index.back());
  }

  int singular_body() const { return all_.singular_body(0, all_.places()); }

 private:
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
  std::vector<LaneSum> sums_;
};

}  // namespace kinetree::inline inner
