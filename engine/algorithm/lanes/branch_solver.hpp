#pragma once
// LaneSolver of one state whose branches go side by side: what is in no group is swept as ever, a group by its pattern.

#include <kinetree/algorithm/lanes/branch_sweep.hpp>
#include <kinetree/algorithm/lanes/lane_solver.hpp>
#include <kinetree/model/tree.hpp>

namespace kinetree {

/// Articulated bodies. Steps: the groups, then the rest of the tree, which every group hangs from.
template <class T, class One, class Many>
class BranchSolver final : public LaneSolver<T> {
 public:
  explicit BranchSolver(const lanes::Order& order)
      : m_(order.model->data()),
        modules_(modules_of(m_, *order.branches)),
        x_(m_, modules_),
        k_(m_),
        b_(m_),
        taken_(order.branches->taken) {
    for (const LaneGroup& group : order.branches->groups) groups_.emplace_back(m_, group);
    leave_sums();
  }

  int width() const override { return 1; }
  void set(std::span<const State<T>> states) override {
    const State<T>& s = states.front();
    const auto in = [](const T* x) { return reinterpret_cast<const One*>(x); };
    x_.state = {in(s.q), in(s.v), in(s.f_ext), in(s.tau), nullptr, reinterpret_cast<One*>(s.result)};
    if (s.f_ext) expect_external_forces();
  }
  void store() override {}
  void expect_external_forces() override {
    k_.R.resize(at(x_.bodies()));
    for (auto& group : groups_) group.expect_external_forces();
  }
  std::span<const Pass> passes() const override { return passes_; }
  void* space() override { return this; }
  int step_count() const override { return static_cast<int>(modules_.steps.size()); }
  const Modules& modules() const override { return modules_; }

  int singular_body() const override {
    int worst = -1;
    for (const auto& group : groups_) worst = std::max(worst, group.singular_body());
    for (int i = x_.bodies(); i-- > worst + 1;)
      if (!taken_[at(i)] && !positive(b_, x_, i)) return i;
    return worst;
  }
  int singular_aggregate(double*) const override { return -1; }

 private:
  using Group = BranchSweep<Many, One>;

  /// One module per group, and one for the rest, the root of the tree of steps.
  static Modules modules_of(const ModelData& m, const Branches& branches) {
    Modules all;
    const int count = static_cast<int>(branches.groups.size());
    const auto add = [&](int parent, const std::vector<int>& bodies) {  // ascending
      Module& module = all.modules.emplace_back();
      module.base = bodies.empty() ? 0 : bodies.front();
      module.first_range = static_cast<int>(all.ranges.size());
      for (const int i : bodies)
        if (static_cast<int>(all.ranges.size()) > module.first_range && all.ranges.back().end == i)
          ++all.ranges.back().end;
        else
          all.ranges.push_back({i, i + 1});
      module.last_range = static_cast<int>(all.ranges.size());
      Step& step = all.steps.emplace_back();
      step.module = step.top_module = module.step = static_cast<int>(all.steps.size()) - 1;
      step.parent = parent;
      for (const int i : bodies) all.module_of[at(i)] = step.module;
    };
    all.module_of.resize(m.parent.size());
    std::vector<int> bodies;
    for (const LaneGroup& group : branches.groups) {
      bodies.clear();
      for (const std::vector<int>& place : group.body)
        std::copy_if(place.begin(), place.end(), std::back_inserter(bodies), [](int i) { return i >= 0; });
      std::sort(bodies.begin(), bodies.end());
      add(count, bodies);
    }
    bodies.clear();
    for (int i = 0; i < static_cast<int>(m.parent.size()); ++i)
      if (!branches.taken[at(i)]) bodies.push_back(i);
    add(-1, bodies);
    return all;
  }

  /// Of the bodies in groups, those that stand for a sum alone are left among nodes.
  void leave_sums() {
    std::vector<bool> counts(taken_.size());
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = !taken_[i];
    for (const Group& group : groups_)
      for (const LaneSum& sum : group.sums()) counts[at(sum.owner)] = true;
    number_nodes(m_, counts);
  }

  template <void (BranchSolver::*rest)(int), void (BranchSolver::*group)(Group&)>
  static void call(void* space, int step) {
    BranchSolver& self = *static_cast<BranchSolver*>(space);
    if (at(step) < self.groups_.size())
      (self.*group)(self.groups_[at(step)]);
    else
      (self.*rest)(step);
  }
  void rest_kinematics(int step) { kinematics(x_, k_, step); }
  void group_kinematics(Group& group) { group.kinematics(x_.state, k_); }
  void rest_articulate(int step) { articulate(x_, k_, b_, step); }
  void group_articulate(Group& group) { group.articulate(b_); }
  void rest_accelerate(int step) { accelerate(x_, k_, b_, step); }
  void group_accelerate(Group& group) { group.accelerate(x_, b_); }

  ModelData m_;  ///< where what is grouped counts as its sums
  Modules modules_;
  Context<One> x_;
  Kinematics<One> k_;
  ArticulatedBody<One> b_;
  std::vector<bool> taken_;
  std::vector<Group> groups_;
  std::vector<Pass> passes_{
      {Direction::scatter, &call<&BranchSolver::rest_kinematics, &BranchSolver::group_kinematics>},
      {Direction::gather, &call<&BranchSolver::rest_articulate, &BranchSolver::group_articulate>},
      {Direction::scatter, &call<&BranchSolver::rest_accelerate, &BranchSolver::group_accelerate>}};
};

}  // namespace kinetree
