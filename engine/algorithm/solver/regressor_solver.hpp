#pragma once
// The joint-torque regressor and products with it, as a list of passes.

#include "engine/algorithm/regressor.hpp"
#include "engine/algorithm/solver/solver_space.hpp"

namespace kinetree::inline inner {

/// Result: Y column by column; or of each direction tau = Y p; or p = Yᵀ tau. Loops and couplings hold nothing here, as
/// in inverse dynamics.
template <class S>
class RegressorSolver final : public SolverSpace<S> {
 public:
  using Base = SolverSpace<S>;
  using Base::kinematics;
  using Base::model;
  using Base::x;

  RegressorSolver(Model m, std::shared_ptr<const Modules> modules, Function function)
      : Base(std::move(m), std::move(modules), {}), function_(function), regressor_(*x.model, function) {
    this->template add<&RegressorSolver::scatter>(Direction::scatter);
    if (function_ != Function::joint_torque_regressor) this->template add<&RegressorSolver::find>(Direction::once);
  }
  void ask(const Asked& asked) override { directions_ = asked.directions; }
  void set(const State<S>& state) override {
    Base::set(state);
    given_ = state.tau;
  }
  std::size_t result_count() const override {
    const std::size_t nv = at(model.nv()), numbers = at(parameter_count(model.body_count(), model.nv()));
    if (function_ == Function::joint_torque_regressor) return nv * numbers;
    return at(directions_) * (function_ == Function::joint_torque_regressor_product ? nv : numbers);
  }
  std::size_t memory() const override { return Base::memory() + regressor_.bytes(); }

 private:
  void scatter(int step) {
    positions(x, kinematics, step);
    link_motions(x, kinematics, regressor_, step);
    if (function_ == Function::joint_torque_regressor) regressor_columns(x, regressor_, x.state.result, step);
  }
  void find(int) {
    const std::ptrdiff_t nv = model.nv(), numbers = parameter_count(model.body_count(), model.nv());
    for (std::ptrdiff_t d = 0; d < directions_; ++d)
      if (function_ == Function::joint_torque_regressor_product)
        steps_inwards(
            x, [&](int step) { regressor_times(x, regressor_, given_ + numbers * d, x.state.result + nv * d, step); });
      else
        steps_outwards(x, [&](int step) {
          regressor_transpose_times(x, regressor_, given_ + nv * d, x.state.result + numbers * d, step);
        });
  }

  Function function_;
  Regressor<S> regressor_;
  int directions_ = 0;
  const S* given_ = nullptr;
};

}  // namespace kinetree::inline inner
