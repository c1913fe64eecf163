#pragma once
// A group of branches as the kernels see it: a model of their pattern on packs, one branch per lane.

#include <algorithm>
#include <kinetree/algorithm/articulated_body.hpp>
#include <kinetree/algorithm/lanes/lane_links.hpp>
#include <kinetree/model/branches.hpp>
#include <kinetree/scalar/lanes/side_by_side.hpp>
#include <memory>
#include <vector>

namespace kinetree {

/// P: the pack. One: the scalar of the rest of the tree, laid out like P::Number. Body 0 of the pattern stands for what
/// the branches hang from; kernels sweep the others.
template <class P, class One>
class BranchSweep {
 public:
  using T = typename P::Number;

  BranchSweep(const ModelData& m, const BranchGroup& group)
      : lanes_(group.lanes()),
        pattern_(std::make_unique<ModelData>(pattern_of(m, group))),
        modules_(std::make_unique<Modules>(one_module(group.places()))),
        x_(*pattern_, *modules_),
        k_(*pattern_),
        b_(*pattern_) {
    for (int lane = 0; lane < P::width; ++lane) parent_.push_back(m.parent[at(group.body.front()[at(owner(lane))])]);
    for (int lane = 0; lane < lanes_; ++lane) add_to_sums(m, group.body.front()[at(lane)], lane);
    for (int place = 0; place < group.places(); ++place) add_place(m, group, place);
    const auto armed = [&](int v) { return v >= 0 && m.armature[at(v)] != 0; };
    q_.resize(q_index_.size() / P::width);
    v_.resize(v_index_.size() / P::width), tau_ = result_ = v_;
    if (std::any_of(v_index_.begin(), v_index_.end(), armed)) {
      x_.rotor = v_;
      gather(m.armature.data(), v_index_, x_.rotor);
    }
    x_.state = {q_.data(), v_.data(), nullptr, tau_.data(), nullptr, result_.data()};
  }

  void expect_external_forces() {
    k_.R.resize(body_.size() + 1);
    f_.resize(6 * (body_.size() + 1));
  }

  /// Scatter: positions and velocities, from those of the tree.
  void kinematics(const State<One>& state, const Kinematics<One>& tree) {
    gather(reinterpret_cast<const T*>(state.q), q_index_, q_);
    gather(reinterpret_cast<const T*>(state.v), v_index_, v_);
    gather(reinterpret_cast<const T*>(state.tau), v_index_, tau_);
    x_.state.f_ext = state.f_ext ? f_.data() : nullptr;
    const Motion<One> ground{};
    put_together(k_.v[0], [&](int k) -> const Motion<One>& { return outer(k) < 0 ? ground : tree.v[at(outer(k))]; });
    if (state.f_ext) external_forces(reinterpret_cast<const T*>(state.f_ext), tree);
    kinetree::kinematics(x_, k_, 0);
  }

  /// The branches that hang from one body add to it as one: the first of them stands for all in the tree's P_up and
  /// z_up. None where they hang from the ground.
  const std::vector<LaneSum>& sums() const { return sums_; }

  /// Gather: what the branches add to what they hang from.
  void articulate(ArticulatedBody<One>& tree) {
    kinetree::articulate(x_, k_, b_, 0, [&](int i) {
      if (!padded_[at(i - 1)]) return;
      scale(b_.P_up[at(i)], keep_[at(i - 1)]), scale(b_.z_up[at(i)], keep_[at(i - 1)]);
    });
    add_up(b_.P_up[1], sums_, [&](int i) -> ArticulatedInertia<One>& { return tree.P_up[at(i)]; });
    add_up(b_.z_up[1], sums_, [&](int i) -> Force<One>& { return tree.z_up[at(i)]; });
  }

  /// Scatter: accelerations, from those of the tree to its results.
  void accelerate(const Context<One>& x, const ArticulatedBody<One>& tree) {
    put_together(b_.a[0], [&](int k) -> const Motion<One>& {
      return outer(k) < 0 ? x.ground_acceleration : tree.a[at(outer(k))];
    });
    kinetree::accelerate(x_, k_, b_, 0);
    T* out = reinterpret_cast<T*>(x.state.result);
    T row[P::width];
    for (std::size_t j = 0; j < result_.size(); ++j) {
      result_[j].store(row);
      const int* index = v_index_.data() + j * P::width;
      for (int k = 0; k < lanes_; ++k)
        if (index[k] >= 0) out[index[k]] = row[k];
    }
  }

  /// The outermost body whose joint inertia is not positive; -1: none.
  int singular_body() const {
    int worst = -1;
    for (std::size_t place = 0; place < body_.size(); ++place) {
      const int n = x_.v_index(static_cast<int>(place) + 2) - x_.v_index(static_cast<int>(place) + 1);
      for (int d = 0; d < n; ++d)
        for (int lane = 0; lane < lanes_; ++lane) {
          const double inverse = b_.D[b_.d_index[place + 1] + at(n * d + d)].lane(lane);
          if (!(inverse > 0) || !(inverse < 1e300)) worst = std::max(worst, body_[place][at(lane)]);
        }
    }
    return worst;
  }

 private:
  /// Lanes left over repeat the last branch.
  int owner(int lane) const { return std::min(lane, lanes_ - 1); }
  /// What the branch of a lane hangs from.
  int outer(int lane) const { return parent_[at(lane)]; }

  /// A branch adds to what it hangs from together with those before it that hang there too.
  void add_to_sums(const ModelData& m, int branch, int lane) {
    if (m.parent[at(branch)] < 0) return;
    const auto same = [&](const LaneSum& sum) { return m.parent[at(sum.owner)] == m.parent[at(branch)]; };
    const auto found = std::find_if(sums_.begin(), sums_.end(), same);
    if (found != sums_.end())
      found->lanes.push_back(lane);
    else
      sums_.push_back({branch, {lane}});
  }

  void add_place(const ModelData& m, const BranchGroup& group, int place) {
    const std::vector<int>& body = body_.emplace_back(group.body[at(place)]);
    x_.link[at(place + 1)] = side_by_side<P>(group.link[at(place)]);
    const auto body_of = [&](int lane) { return body[at(owner(lane))]; };
    const auto add = [&](std::vector<int>& list, const std::vector<int>& index, int count) {
      for (int n = 0; n < count; ++n)
        for (int lane = 0; lane < P::width; ++lane)
          list.push_back(body_of(lane) < 0 ? -1 : index[at(body_of(lane))] + n);
    };
    add(q_index_, m.q_index, position_count(x_.type(place + 1)));
    add(v_index_, m.v_index, velocity_count(x_.type(place + 1)));
    keep_.push_back(side_by_side<P>([&](std::size_t lane) { return T(body_of(static_cast<int>(lane)) >= 0); }));
    padded_.push_back(group.padded(place));
  }

  static Modules one_module(int places) {
    Modules modules;
    Module& module = modules.modules.emplace_back();
    module.base = 1;
    module.last_range = 1;
    module.step = 0;
    modules.ranges.push_back({1, places + 1});
    Step& step = modules.steps.emplace_back();
    step.module = step.top_module = 0;
    return modules;
  }

  static P number(const T* numbers, const int* index) {
    return side_by_side<P>([&](std::size_t k) { return index[k] < 0 ? T(0) : numbers[index[k]]; });
  }
  static void gather(const T* numbers, const std::vector<int>& index, std::vector<P>& packs) {
    for (std::size_t n = 0; n < packs.size(); ++n) packs[n] = number(numbers, index.data() + n * P::width);
  }

  void external_forces(const T* f_ext, const Kinematics<One>& tree) {
    const Matrix3<One> ground = Matrix3<One>::identity();
    put_together(k_.R[0], [&](int k) -> const Matrix3<One>& { return outer(k) < 0 ? ground : tree.R[at(outer(k))]; });
    for (std::size_t place = 0; place < body_.size(); ++place)
      for (int c = 0; c < 6; ++c)
        f_[6 * (place + 1) + at(c)] = side_by_side<P>([&](std::size_t lane) {
          const int i = body_[place][at(owner(static_cast<int>(lane)))];
          return i < 0 ? T(0) : f_ext[6 * i + c];
        });
  }

  template <template <class> class Quantity>
  static void scale(Quantity<P>& quantity, const P& by) {
    P* numbers = reinterpret_cast<P*>(&quantity);
    for (std::size_t n = 0; n < sizeof(quantity) / sizeof(P); ++n) numbers[n] = numbers[n] * by;
  }

  int lanes_;
  std::unique_ptr<ModelData> pattern_;
  std::unique_ptr<Modules> modules_;
  Context<P> x_;
  Kinematics<P> k_;
  ArticulatedBody<P> b_;
  std::vector<int> parent_;  ///< over lanes: body; -1: the ground
  std::vector<LaneSum> sums_;
  std::vector<std::vector<int>> body_;  ///< over places, then branches; -1: padding
  std::vector<int> q_index_, v_index_;  ///< over the pattern's positions or velocities, then lanes; -1: padding
  std::vector<P> keep_;                 ///< over places: 1, or 0 in lanes of padding
  std::vector<bool> padded_;
  std::vector<P> q_, v_, tau_, result_, f_;
};

}  // namespace kinetree
