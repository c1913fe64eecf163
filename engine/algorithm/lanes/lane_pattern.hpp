#pragma once
// A group of parts as the kernels see it: a model of their pattern on packs, one part per lane.

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "engine/algorithm/dial/refinement.hpp"
#include "engine/algorithm/lanes/lane_links.hpp"
#include "engine/model/light_joints.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/tree.hpp"
#include "engine/partition/lane_group.hpp"
#include "engine/partition/module_list.hpp"
#include "engine/partition/part_modules.hpp"
#include "engine/scalar/lanes/side_by_side.hpp"

namespace kinetree::inline inner {

/// P: the pack. One: the scalar of the rest of the tree, laid out like P::Number. Body 0 of the pattern stands for what
/// the parts hang from; place p is body p + 1. Modules: what kernels sweep of it.
template <class P, class One>
class LanePattern {
 public:
  using T = typename P::Number;

  /// `next`: as module_of_pattern takes it. `refined`: whether refinements of the dial follow.
  LanePattern(const ModelData& m, const LaneGroup& group, int next, bool refined)
      : model_(std::make_unique<ModelData>(pattern_of(m, group))),
        modules_(std::make_unique<Modules>(module_of_pattern(*model_, next))),
        lanes_(group.lanes()),
        aggregate_(group.aggregate),
        x(*model_, *modules_),
        k(*model_),
        b(x),
        f(*model_, *modules_, refined),
        e(*modules_) {
    for (int lane = 0; lane < P::width; ++lane) parent_.push_back(m.parent[at(group.body.front()[at(owner(lane))])]);
    for (int place = 0; place < group.places(); ++place) add_place(m, group, place);
    for (EmbeddedNode<P>& node : b.embedded) set_constraints(m, node);
    find_light_joints(group);
    q_.resize(q_index_.size() / P::width);
    v_.resize(v_index_.size() / P::width), tau_ = result_ = v_;
    one_parent_ = std::count(parent_.begin(), parent_.end(), parent_.front()) == P::width;
    in_rows_ = stands_in_rows(q_index_) && stands_in_rows(v_index_);
    if (!x.rotors.empty()) gather(m.armature.data(), v_index_, x.rotors, T(LaneGroup::padding_rotor));
    x.state = {q_.data(), v_.data(), nullptr, tau_.data(), nullptr, result_.data()};
  }

  int lanes() const { return lanes_; }
  int places() const { return static_cast<int>(body_.size()); }
  /// Lanes left over repeat the last part.
  int owner(int lane) const { return std::min(lane, lanes_ - 1); }
  /// The body of the tree at body i of the pattern, i >= 1, in this lane. -1: the lane is padded there.
  int body(int i, int lane) const { return body_[at(i - 1)][at(lane)]; }
  /// The aggregate at an aggregate of the pattern.
  int aggregate(int index, int lane) const { return aggregate_[at(index)][at(lane)]; }
  const Modules& modules() const { return *modules_; }
  Dial<P> dial() { return {x, k, b, f, e}; }

  void expect_external_forces() {
    k.expect_external_forces();
    f_.resize(6 * (body_.size() + 1));
  }

  /// Takes the parts' numbers from a state of the whole tree.
  void load(const State<One>& state) {
    load(state.q, q_index_, q_), load(state.v, v_index_, v_), load(state.tau, v_index_, tau_);
    x.state.f_ext = state.f_ext ? f_.data() : nullptr;
    if (!state.f_ext) return;
    const T* f_ext = reinterpret_cast<const T*>(state.f_ext);
    for (std::size_t place = 0; place < body_.size(); ++place)
      for (int c = 0; c < 6; ++c)
        f_[6 * (place + 1) + at(c)] = side_by_side<P>([&](std::size_t lane) {
          const int i = whole_[place][at(owner(static_cast<int>(lane)))];
          return i < 0 ? T(0) : f_ext[6 * i + c];
        });
  }

  /// What each part hangs from has: one of the tree's bodies, or the ground.
  template <template <class> class Quantity>
  void take_inboard(const std::vector<Quantity<One>>& bodies, const Quantity<One>& ground, Quantity<P>& all) const {
    const auto inboard = [&](int lane) KINETREE_INLINE_LAMBDA -> const Quantity<One>& {
      return parent_[at(lane)] < 0 ? ground : bodies[at(parent_[at(lane)])];
    };
    if (one_parent_)
      put_in_all(all, inboard(0));
    else
      put_together(all, inboard);
  }

  /// Hands the accelerations of bodies [first, last) of the pattern to the tree's.
  void store(const State<One>& state, int first, int last) const {
    T* out = reinterpret_cast<T*>(state.result);
    const std::size_t begin = at(x.v_index(first)), end = at(x.v_index(last));
    const int* index = v_index_.data() + begin * P::width;
    if (in_rows_)
      return take_apart(result_.data() + begin, end - begin, lanes_,
                        [&](int lane) KINETREE_INLINE_LAMBDA { return out + index[lane]; });
    for (std::size_t j = begin; j < end; ++j, index += P::width)
      for (int lane = 0; lane < lanes_; ++lane)
        if (index[lane] >= 0) out[index[lane]] = result_[j].lane(lane);
  }

  /// As Solver's: of all nodes and lanes at fault, that of the node whose first body has the highest number; -1: none.
  int singular_body() const {
    int found = -1, outermost = -1;
    for (const Node& node : x.nodes.nodes)
      for (int lane = 0; lane < lanes_; ++lane)
        if (const int first = body(node.segment.begin, lane); first > outermost)
          if (const int i = kinetree::singular_body(x, b, node, lane); i >= 0) found = body(i, lane), outermost = first;
    return found;
  }
  int idle_body() const {
    for (int lane = 0; lane < lanes_; ++lane)
      for (const EmbeddedNode<P>& node : b.embedded)
        if (const int i = node.may_idle ? idle_member(node, lane) : -1; i >= 0 && body(i, lane) >= 0)
          return body(i, lane);
    for (const LightJoint& joint : light_) {
      const FactorizedInertia<P> D{b.D_of(joint.body), velocity_count(x.type(joint.body)), joint.lane};
      if (moves_idly(D, joint.felt.data())) return body(joint.body, joint.lane);
    }
    return -1;
  }
  Status loop_fault() const {
    if (b.embedded.empty()) return {};  // asked after every state: 1 % of star:64x3
    for (int lane = 0; lane < lanes_; ++lane)
      for (const EmbeddedNode<P>& node : b.embedded)
        if (Status fault = kinetree::loop_fault(node, lane); !fault.ok() && body(fault.body, lane) >= 0) {
          fault.body = body(fault.body, lane);
          return fault;
        }
    return {};
  }

  std::size_t bytes() const {
    return sizeof(ModelData) + sizeof(Modules) +
           bytes_of(*model_, *modules_, aggregate_, parent_, body_, whole_, q_index_, v_index_, light_, q_, v_, tau_,
                    result_, f_, x, k, b, f, e);
  }

 private:
  void add_place(const ModelData& m, const LaneGroup& group, int place) {
    const std::vector<int>& body = body_.emplace_back(group.body[at(place)]);
    for (std::vector<int>& whole = whole_.emplace_back(body); int& i : whole) i = m.whole_of(i);
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

  /// A joint of the pattern, outside aggregates, that is watched in one lane, as the tree's solver watches its own.
  struct LightJoint {
    int body, lane;
    std::array<double, 6> felt;  ///< over its velocities (FeltInertia::most)
  };

  void find_light_joints(const LaneGroup& group) {
    ModelData part = *model_;
    for (int lane = 0; lane < lanes_; ++lane) {
      for (int place = 0; place < places(); ++place) part.link[at(place + 1)] = group.link[at(place)][at(lane)];
      const FeltInertia inertia = felt_inertia(part, joint_cuts(*modules_));
      const auto is_light = [&](int i) {
        return i > 0 && body(i, lane) >= 0 && std::binary_search(inertia.light.begin(), inertia.light.end(), i);
      };
      for (const int i : inertia.light)
        if (is_light(i) && aggregate_of(part, i) < 0) {
          light_.push_back({i, lane, {}});
          std::copy_n(&inertia.most[at(x.v_index(i))], velocity_count(x.type(i)), light_.back().felt.begin());
        }
      for (EmbeddedNode<P>& node : b.embedded) {
        for (std::size_t c = 0; c < node.felt.size(); ++c)
          set_number(node.felt[c], lane, P(static_cast<T>(inertia.most[at(node.velocity[c])])));
        node.may_idle = node.may_idle || std::ranges::any_of(node.aggregate->bodies, is_light);
      }
    }
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
    for (std::size_t h = 0; h < all.held.size(); ++h)
      all.held[h] = side_by_side<P>([&](std::size_t lane) { return lanes[lane].held[h]; });
    node.find_constant_map(*model_);
  }

  /// Whether every part's numbers stand in a row; in padding they do not.
  static bool stands_in_rows(const std::vector<int>& index) {
    for (std::size_t n = P::width; n < index.size(); ++n)
      if (index[n] != index[n - P::width] + 1) return false;
    return std::find(index.begin(), index.end(), -1) == index.end();
  }
  void load(const One* numbers, const std::vector<int>& index, std::vector<P>& packs) const {
    const T* all = reinterpret_cast<const T*>(numbers);
    if (in_rows_)
      put_together(packs.data(), packs.size(), [&](int lane) KINETREE_INLINE_LAMBDA { return all + index[at(lane)]; });
    else
      gather(all, index, packs);
  }
  /// One by one; `missing`: of padding.
  template <class Number>
  static void gather(const Number* numbers, const std::vector<int>& index, std::vector<P>& packs, T missing = T(0)) {
    for (std::size_t n = 0; n < packs.size(); ++n)
      packs[n] = side_by_side<P>([&](std::size_t k) {
        const int i = index[n * P::width + k];
        return i < 0 ? missing : static_cast<T>(numbers[i]);
      });
  }

  std::unique_ptr<ModelData> model_;
  std::unique_ptr<Modules> modules_;
  int lanes_;
  std::vector<std::vector<int>> aggregate_;  ///< over aggregates of the pattern, then parts
  std::vector<int> parent_;                  ///< over lanes: the body that the part hangs from; -1: the ground
  bool one_parent_ = false;                  ///< whether all parts hang from one body, or all from the ground
  std::vector<std::vector<int>> body_;       ///< over places, then parts; -1: padding
  std::vector<std::vector<int>> whole_;      ///< of the same the user's bodies
  std::vector<int> q_index_, v_index_;  ///< over the pattern's positions or velocities, then lanes; v: -1 in padding
  bool in_rows_ = false;                ///< whether each part's indices rise by one, in q_index_ and in v_index_
  std::vector<LightJoint> light_;
  std::vector<P> q_, v_, tau_, result_, f_;

 public:
  Context<P> x;
  Kinematics<P> k;
  Nodes<P> b;
  ModuleEquations<P> f;
  CutSystem<P> e;
};

}  // namespace kinetree::inline inner
