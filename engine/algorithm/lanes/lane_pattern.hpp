#pragma once
// A group of parts as the kernels see it: a model of their pattern on packs, one part per lane.

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "engine/algorithm/lanes/lane_links.hpp"
#include "engine/algorithm/node/nodes.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/tree.hpp"
#include "engine/partition/lane_group.hpp"
#include "engine/scalar/lanes/side_by_side.hpp"

namespace kinetree::inline inner {

/// P: the pack. One: the scalar of the rest of the tree, laid out like P::Number. Body 0 of the pattern stands for what
/// the parts hang from; place p is body p + 1. Modules: what kernels sweep of it.
template <class P, class One>
class LanePattern {
 public:
  using T = typename P::Number;

  /// `nodes`: of the pattern's bodies.
  LanePattern(const ModelData& m, const LaneGroup& group, Modules parts, const NodeOptions& nodes = {})
      : model_(std::make_unique<ModelData>(pattern_of(m, group))),
        modules_(std::make_unique<Modules>(std::move(parts))),
        lanes_(group.lanes()),
        aggregate_(group.aggregate),
        x(*model_, *modules_, nodes),
        k(*model_),
        b(x) {
    for (int lane = 0; lane < P::width; ++lane) parent_.push_back(m.parent[at(group.body.front()[at(owner(lane))])]);
    for (int place = 0; place < group.places(); ++place) add_place(m, group, place);
    for (EmbeddedNode<P>& node : b.embedded) set_constraints(m, node);
    q_.resize(q_index_.size() / P::width);
    v_.resize(v_index_.size() / P::width), tau_ = result_ = v_;
    if (!x.rotors.empty()) gather(m.armature.data(), v_index_, x.rotors, T(LaneGroup::padding_rotor));
    x.state = {q_.data(), v_.data(), nullptr, tau_.data(), nullptr, result_.data()};
  }

  int lanes() const { return lanes_; }
  int places() const { return static_cast<int>(body_.size()); }
  /// Lanes left over repeat the last part.
  int owner(int lane) const { return std::min(lane, lanes_ - 1); }
  /// The body that the part of a lane hangs from; -1: the ground.
  int inboard(int lane) const { return parent_[at(lane)]; }
  /// The body at body i of the pattern, which is none that it hangs from; -1: padding.
  int body(int i, int lane) const { return body_[at(i - 1)][at(lane)]; }
  /// The aggregate at an aggregate of the pattern.
  int aggregate(int index, int lane) const { return aggregate_[at(index)][at(lane)]; }
  const Modules& modules() const { return *modules_; }

  void expect_external_forces() {
    k.expect_external_forces();
    f_.resize(6 * (body_.size() + 1));
  }

  /// Takes the parts' numbers from a state of the whole tree.
  void load(const State<One>& state) {
    gather(reinterpret_cast<const T*>(state.q), q_index_, q_);
    gather(reinterpret_cast<const T*>(state.v), v_index_, v_);
    gather(reinterpret_cast<const T*>(state.tau), v_index_, tau_);
    x.state.f_ext = state.f_ext ? f_.data() : nullptr;
    if (!state.f_ext) return;
    const T* f_ext = reinterpret_cast<const T*>(state.f_ext);
    for (std::size_t place = 0; place < body_.size(); ++place)
      for (int c = 0; c < 6; ++c)
        f_[6 * (place + 1) + at(c)] = side_by_side<P>([&](std::size_t lane) {
          const int i = body_[place][at(owner(static_cast<int>(lane)))];
          return i < 0 ? T(0) : f_ext[6 * i + c];
        });
  }

  /// Hands the accelerations of the first velocities to the tree's.
  void store(const State<One>& state, int velocities) const {
    T* out = reinterpret_cast<T*>(state.result);
    T row[P::width];
    for (std::size_t j = 0; j < at(velocities); ++j) {
      result_[j].store(row);
      const int* index = v_index_.data() + j * P::width;
      for (int lane = 0; lane < lanes_; ++lane)
        if (index[lane] >= 0) out[index[lane]] = row[lane];
    }
  }

  /// The outermost body, of places [first, last), whose joint inertia is not positive; -1: none.
  int singular_body(int first, int last) const {
    int worst = -1;
    for (int place = first; place < last; ++place) {
      for (int lane = 0; lane < lanes_; ++lane)
        if (!positive(b, *model_, place + 1, lane)) worst = std::max(worst, body_[at(place)][at(lane)]);
    }
    return worst;
  }

 private:
  void add_place(const ModelData& m, const LaneGroup& group, int place) {
    const std::vector<int>& body = body_.emplace_back(group.body[at(place)]);
    x.link[at(place + 1)] = side_by_side<P>(group.link[at(place)]);
    const auto add = [&](std::vector<int>& list, const std::vector<int>& index, int count, bool padding_too) {
      for (int n = 0; n < count; ++n)
        for (int lane = 0; lane < P::width; ++lane) {
          int i = body[at(owner(lane))];
          if (i < 0 && padding_too) i = body.front();
          list.push_back(i < 0 ? -1 : index[at(i)] + n);
        }
    };
    // padding stands where the first part does, since not all numbers are positions
    add(q_index_, m.q_index, position_count(x.type(place + 1)), true);
    add(v_index_, m.v_index, velocity_count(x.type(place + 1)), false);
  }

  /// What ties the members of an aggregate, lane by lane; padding is tied as the first part is.
  void set_constraints(const ModelData& m, EmbeddedNode<P>& node) {
    std::vector<ConstraintConstants<T>> lanes;
    for (int lane = 0; lane < P::width; ++lane) {
      const int own = aggregate(node.index, owner(lane));
      lanes.emplace_back(m, m.aggregates[at(own < 0 ? aggregate(node.index, 0) : own)]);
    }
    ConstraintConstants<P>& all = node.rows.constants;
    for (std::size_t l = 0; l < all.ends.size(); ++l) {
      put_together(all.ends[l].first, [&](int lane) -> const Transform<T>& { return lanes[at(lane)].ends[l].first; });
      put_together(all.ends[l].second, [&](int lane) -> const Transform<T>& { return lanes[at(lane)].ends[l].second; });
    }
    for (std::size_t c = 0; c < all.coefficient.size(); ++c)
      all.coefficient[c] = side_by_side<P>([&](std::size_t lane) { return lanes[lane].coefficient[c]; });
    for (int c = 0; c < node.aggregate->velocities; ++c)
      for (int lane = 0; lane < lanes_; ++lane)
        if (const int own = body(body_of_velocity(*model_, node.velocity[at(c)]), lane); own >= 0)
          node.own[at(c)] = std::max(node.own[at(c)], node.most_resisted(m.link[at(own)].I));
    node.find_constant_map(*model_);
  }

  /// `missing`: of padding.
  template <class Number>
  static void gather(const Number* numbers, const std::vector<int>& index, std::vector<P>& packs, T missing = T(0)) {
    for (std::size_t n = 0; n < packs.size(); ++n) {
      const int* of = index.data() + n * P::width;
      packs[n] = side_by_side<P>([&](std::size_t k) { return of[k] < 0 ? missing : static_cast<T>(numbers[of[k]]); });
    }
  }

  std::unique_ptr<ModelData> model_;
  std::unique_ptr<Modules> modules_;
  int lanes_;
  std::vector<std::vector<int>> aggregate_;  ///< over aggregates of the pattern, then parts
  std::vector<int> parent_;                  ///< over lanes
  std::vector<std::vector<int>> body_;       ///< over places, then parts; -1: padding
  std::vector<int> q_index_, v_index_;  ///< over the pattern's positions or velocities, then lanes; v: -1 in padding
  std::vector<P> q_, v_, tau_, result_, f_;

 public:
  Context<P> x;
  Kinematics<P> k;
  Nodes<P> b;
};

}  // namespace kinetree::inline inner
