#pragma once
// LaneSolver of one state whose branches go side by side, a group by its pattern.

#include "engine/algorithm/lanes/branch_sweep.hpp"
#include "engine/algorithm/lanes/parted_solver.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/part_modules.hpp"

namespace kinetree::inline inner {

/// Articulated bodies. Steps: the groups, then the rest of the tree, which every group hangs from. A group's kinematics
/// go with its gather: nobody else asks for them, and there they are still in the cache.
template <class T, class One, class Many>
class BranchSolver final : public PartedSolver<T, One, BranchSweep<Many, One>> {
 public:
  explicit BranchSolver(const lanes::Order& order)
      : Parted(order.model->data(), modules_of(order.model->data(), *order.branches),
               nodes_of(order.model->data(), *order.branches)) {
    for (const LaneGroup& group : order.branches->groups) sweeps_.emplace_back(*x_.model, group);
    passes_ = {{Direction::once, &rest_kinematics},
               {Direction::gather, &call<&BranchSolver::rest_articulate, &BranchSolver::group_articulate>},
               {Direction::scatter, &call<&BranchSolver::rest_accelerate, &BranchSolver::group_accelerate>}};
  }

  void* space() override { return this; }

 private:
  using Group = BranchSweep<Many, One>;
  using Parted = PartedSolver<T, One, Group>;
  using Parted::b_;
  using Parted::k_;
  using Parted::passes_;
  using Parted::sweeps_;
  using Parted::x_;

  static NodeOptions nodes_of(const ModelData& m, const Branches& branches) {
    NodeOptions parts{.packed = branches.taken};
    for (const LaneGroup& group : branches.groups)
      for (const LaneSum& sum : Group::sums_of(m, group)) parts.packs.push_back(sum.owner);
    return parts;
  }

  /// One module per group, and one for the rest, the root of the tree of steps.
  static Modules modules_of(const ModelData& m, const Branches& branches) {
    std::vector<PartStep> steps;
    for (const LaneGroup& group : branches.groups) {
      std::vector<int>& bodies = steps.emplace_back().bodies;
      for (const std::vector<int>& place : group.body)
        std::copy_if(place.begin(), place.end(), std::back_inserter(bodies), [](int i) { return i >= 0; });
      std::sort(bodies.begin(), bodies.end());
    }
    return modules_of_parts(static_cast<int>(m.parent.size()), steps);
  }

  template <void (BranchSolver::*rest)(int), void (BranchSolver::*group)(Group&)>
  static void call(void* space, int step) {
    BranchSolver& self = *static_cast<BranchSolver*>(space);
    if (at(step) < self.sweeps_.size())
      (self.*group)(self.sweeps_[at(step)]);
    else
      (self.*rest)(step);
  }
  static void rest_kinematics(void* space, int) {
    BranchSolver& self = *static_cast<BranchSolver*>(space);
    kinematics(self.x_, self.k_, self.step_count() - 1);
  }
  void rest_articulate(int step) { articulate(x_, k_, b_, step); }
  void group_articulate(Group& group) {
    group.kinematics(x_.state, k_);
    group.articulate(x_, b_);
  }
  void rest_accelerate(int step) { accelerate(x_, k_, b_, step); }
  void group_accelerate(Group& group) { group.accelerate(x_, b_); }
};

}  // namespace kinetree::inline inner
