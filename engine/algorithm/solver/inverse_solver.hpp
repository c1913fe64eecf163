#pragma once
// Inverse dynamics as a list of passes.

#include "engine/algorithm/inverse_dynamics.hpp"
#include "engine/algorithm/solver/solver_space.hpp"

namespace kinetree::inline inner {

/// Result: joint forces; `weightless`: without those of weight.
template <class S>
class InverseSolver final : public SolverSpace<S> {
 public:
  using Base = SolverSpace<S>;
  using Base::kinematics;
  using Base::model;
  using Base::x;

  InverseSolver(Model m, std::shared_ptr<const Modules> modules, bool weightless)
      : Base(std::move(m), std::move(modules), {}), inverse_(model.data()) {
    if (weightless) x.ground_acceleration = {}, this->up_ = nullptr;
    this->template add<&InverseSolver::scatter>(Direction::scatter);
    this->template add<&InverseSolver::gather>(Direction::gather);
  }
  std::size_t memory() const override { return Base::memory() + inverse_.bytes(); }

 private:
  void scatter(int step) {
    inner::kinematics(x, kinematics, step);
    accelerations(x, kinematics, inverse_, step);
  }
  void gather(int step) { joint_forces(x, kinematics, inverse_, x.state.result, step); }

  InverseDynamics<S> inverse_;
};

}  // namespace kinetree::inline inner
