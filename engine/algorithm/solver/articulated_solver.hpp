#pragma once
// Articulated bodies over a model's nodes: three passes, and one for what loops ask of the state.

#include "engine/algorithm/solver/solver_space.hpp"

namespace kinetree::inline inner {

/// What articulated bodies and the dial share.
template <class S>
class ArticulatedSpace : public Solver<S>::Space {
 public:
  using Base = typename Solver<S>::Space;
  using Base::kinematics;
  using Base::model;
  using Base::x;

  ArticulatedSpace(Model m, std::shared_ptr<const Modules> modules, Packs<S>& packs)
      : Base(std::move(m), std::move(modules), packs.nodes), articulated(x, std::move(packs.parts)) {
    if (!may_choose<S> && !articulated.multipliers.empty())
      throw std::logic_error("multipliers ask for kernels that take one state at a time");
  }

  void expect_external_forces() override {
    Base::expect_external_forces();
    for (const auto& parts : articulated.lanes) parts->expect_external_forces();
  }

  int singular_body() const override { return inner::singular_body(x, articulated); }

  int idle_body(int lane) const override {
    if (const int body = inner::idle_body(articulated.embedded, lane); body >= 0) return body;
    for (const auto& parts : articulated.lanes)
      if (const int body = parts->idle_body(); body >= 0) return body;
    return this->first_idle([&](const LightJoint& joint) {
      const int n = velocity_count(x.type(joint.body));
      return moves_idly(FactorizedInertia<S>{articulated.D_of(joint.body), n, lane}, joint.carried);
    });
  }

  Status loop_fault(int lane) const override {
    if (const Status fault = inner::loop_fault(articulated.embedded, lane); !fault.ok()) return fault;
    for (const auto& parts : articulated.lanes)
      if (const Status fault = parts->loop_fault(); !fault.ok()) return fault;
    if constexpr (may_choose<S>) return inner::loop_fault(articulated.multipliers);
    return {};
  }

  std::size_t bytes() const override { return Base::bytes() + articulated.bytes(); }

 protected:
  /// The passes between positions and inertias: maps and rows of constraints that depend on the state.
  void add_constraints() {
    if (has_loops(model.data())) this->template add<&ArticulatedSpace::embed>(Direction::each);
    if constexpr (may_choose<S>)
      if (!articulated.multipliers.empty()) this->template add<&ArticulatedSpace::constrain>(Direction::each);
  }

  Nodes<S> articulated;

 private:
  void embed(int step) { inner::embed(x, kinematics, articulated.embedded, step); }
  void constrain(int step) { inner::constrain(x, kinematics, articulated.multipliers, step); }
};

template <class S>
class ArticulatedSolver final : public ArticulatedSpace<S> {
 public:
  using Base = ArticulatedSpace<S>;
  using Base::articulated;
  using Base::kinematics;
  using Base::x;

  ArticulatedSolver(Model m, std::shared_ptr<const Modules> modules, Packs<S> packs)
      : Base(std::move(m), std::move(modules), packs) {
    this->template add<&ArticulatedSolver::find_kinematics>(Direction::scatter);
    this->add_constraints();
    this->template add<&ArticulatedSolver::articulate>(Direction::gather);
    this->template add<&ArticulatedSolver::accelerate>(Direction::scatter);
  }

 private:
  void find_kinematics(int step) {
    if (!x.nodes.segments_of(step).empty()) inner::kinematics(x, kinematics, step);  // parts in lanes have their own
  }
  void articulate(int step) { inner::articulate(x, kinematics, articulated, step); }
  void accelerate(int step) { inner::accelerate(x, kinematics, articulated, step); }
};

}  // namespace kinetree::inline inner
