#pragma once
// The mass matrix as a list of passes.

#include <optional>

#include "engine/algorithm/node/embedded_mass_matrix.hpp"
#include "engine/algorithm/solver/solver_space.hpp"

namespace kinetree::inline inner {

/// Result: both triangles, or the lower one and zeros, column by column. A model with aggregates has H_R in the
/// Model's independent coordinates, which are the same in every state, so that lanes agree on them.
template <class S>
class MassMatrixSolver final : public SolverSpace<S> {
 public:
  using Base = SolverSpace<S>;
  using Base::kinematics;
  using Base::model;
  using Base::x;

  MassMatrixSolver(Model m, std::shared_ptr<const Modules> modules, bool lower)
      : Base(std::move(m), std::move(modules), {}),
        composite_(model.data()),
        mass_(model.data()),
        size_(independent_count(model.data())),
        lower_(lower) {
    this->template add<&MassMatrixSolver::scatter>(Direction::scatter);
    if (has_aggregates(model.data())) {
      embedded_.emplace(x, IndependentCoordinates::models);
      this->template add<&MassMatrixSolver::embed>(Direction::each);
    }
    this->template add<&MassMatrixSolver::gather>(Direction::gather);
    this->template add<&MassMatrixSolver::write>(Direction::once);
  }

  std::size_t result_count() const override { return at(size_) * at(size_); }
  void leave_out_zeros() override { zeros_ = false; }
  Status loop_fault(int lane) const override {
    return embedded_ ? inner::loop_fault(embedded_->nodes, lane) : Status{};
  }
  std::size_t memory() const override {
    return Base::memory() + bytes_of(composite_, mass_) + (embedded_ ? embedded_->bytes() : 0);
  }

 private:
  void scatter(int step) {
    embedded_ ? inner::kinematics(x, kinematics, step) : positions(x, kinematics, step);
    root_arms(x, kinematics, mass_, step);
  }
  void embed(int step) { inner::embed(x, kinematics, embedded_->nodes, step); }
  void gather(int step) {
    composite_inertias(x, kinematics, composite_, step);
    if (embedded_) mass_rows(x, kinematics, composite_, mass_, step);
  }
  void write(int) {
    S* const H = x.state.result;
    if (embedded_) {
      embedded_->find(x, mass_);
      std::copy_n(embedded_->independent.data(), result_count(), H);
    } else {
      if (zeros_ && !mass_.full()) std::fill_n(H, result_count(), S(0));
      dense_mass_rows(x, kinematics, composite_, mass_, H, lower_);
      if (!lower_) mirror<upper_mass_rows<S>>(H, size_);
    }
    if (lower_ && (zeros_ || embedded_ || upper_mass_rows<S>))
      for (int column = 1; column < size_; ++column) std::fill_n(H + column * size_, column, S(0));
  }

  CompositeBody<S> composite_;
  MassMatrix<S> mass_;
  std::optional<EmbeddedMassMatrix<S>> embedded_;
  int size_;  ///< rows and columns
  bool lower_;
  bool zeros_ = true;  ///< whether the result's zeros are to be written
};

}  // namespace kinetree::inline inner
