#pragma once
// Articulated bodies over a model's nodes: three passes, and one for what loops ask of the state.

#include "engine/algorithm/solver_space.hpp"

namespace kinetree::inline inner {

template <class S>
class ArticulatedSolver : public Solver<S>::Space {
 public:
  using Base = typename Solver<S>::Space;
  using Base::kinematics;
  using Base::model;
  using Base::x;

  ArticulatedSolver(Model m, std::shared_ptr<const Modules> modules, std::vector<bool> multipliers)
      : Base(std::move(m), std::move(modules), std::move(multipliers)), articulated(x) {
    if (!may_choose<S> && (!articulated.multipliers.empty() || has_loops(model.data())))
      throw std::logic_error("loops ask for kernels that take one state at a time");
    if (this->modules->any_cut()) return;
    this->template add<&ArticulatedSolver::find_kinematics>(Direction::scatter);
    add_constraints();
    this->template add<&ArticulatedSolver::articulate>(Direction::gather);
    this->template add<&ArticulatedSolver::accelerate>(Direction::scatter);
  }

  int singular_body() const override { return inner::singular_body(x, articulated); }

  int idle_body(int lane) const override {
    for (const EmbeddedNode<S>& node : articulated.embedded)
      if (!node.aggregate->constant())  // couplings alone add positive numbers
        if (const int body = idle_member(node); body >= 0) return body;
    return this->first_idle([&](const LightJoint& joint) {
      const int n = velocity_count(x.type(joint.body));
      return moves_idly(FactorizedInertia<S>{articulated.D_of(joint.body), n, lane}, joint.carried);
    });
  }

  int singular_aggregate(double* pivot) const override {
    if (const EmbeddedNode<S>* node = inner::singular_aggregate(articulated.embedded)) {
      *pivot = node->map.pivot;
      return node->index;
    }
    if constexpr (may_choose<S>)
      if (const MultiplierNode<S>* node = inner::singular_aggregate(articulated.multipliers)) {
        *pivot = node->omega.pivot;
        return node->index;
      }
    return -1;
  }

  std::size_t bytes() const override { return Base::bytes() + articulated.bytes(); }

 protected:
  /// The passes between positions and inertias: maps and rows of constraints that depend on the state.
  void add_constraints() {
    if (has_loops(model.data())) this->template add<&ArticulatedSolver::embed>(Direction::each);
    if constexpr (may_choose<S>)
      if (!articulated.multipliers.empty()) this->template add<&ArticulatedSolver::constrain>(Direction::each);
  }

  Nodes<S> articulated;

 private:
  void find_kinematics(int step) { inner::kinematics(x, kinematics, step); }
  void embed(int step) { inner::embed(x, kinematics, articulated.embedded, step); }
  void constrain(int step) { inner::constrain(x, kinematics, articulated.multipliers, step); }
  void articulate(int step) { inner::articulate(x, kinematics, articulated, step); }
  void accelerate(int step) { inner::accelerate(x, kinematics, articulated, step); }
};

}  // namespace kinetree::inline inner
