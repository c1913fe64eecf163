#pragma once
// Solver<S>, to be instantiated where a scalar is at home.

#include "engine/algorithm/solver/compliance_solver.hpp"
#include "engine/algorithm/solver/composite_solver.hpp"
#include "engine/algorithm/solver/dial_solver.hpp"
#include "engine/algorithm/solver/energy_solver.hpp"
#include "engine/algorithm/solver/inverse_solver.hpp"
#include "engine/algorithm/solver/kinematics_solver.hpp"
#include "engine/algorithm/solver/loop_choice.hpp"
#include "engine/algorithm/solver/mass_matrix_solver.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/make_modules.hpp"

namespace kinetree::inline inner {

namespace solver_detail {

template <class S>
std::unique_ptr<typename Solver<S>::Space> make_space(const Model& model, const Method& method,
                                                      std::shared_ptr<const Modules> modules, Packs<S> packs) {
  const Function f = method.function;
  switch (f) {
    case Function::inverse_dynamics:
    case Function::coriolis_forces:
      return std::make_unique<InverseSolver<S>>(model, std::move(modules), f == Function::coriolis_forces);
    case Function::mass_matrix:
      return std::make_unique<MassMatrixSolver<S>>(model, std::move(modules));
    case Function::energy:
      return std::make_unique<EnergySolver<S>>(model, std::move(modules));
    case Function::poses:
    case Function::lever_arms:
    case Function::point_velocities:
    case Function::point_kinematics:
      return std::make_unique<PointKinematicsSolver<S>>(model, std::move(modules), f);
    case Function::jacobians:
    case Function::jacobian_rates:
      return std::make_unique<JacobianSolver<S>>(model, std::move(modules), f == Function::jacobian_rates,
                                                 method.coordinates);
    case Function::momentum:
    case Function::momentum_matrix:
      return std::make_unique<MomentumSolver<S>>(model, std::move(modules), f == Function::momentum_matrix);
    case Function::compliance:
      if (has_aggregates(model.data())) return std::make_unique<EmbeddedComplianceSolver<S>>(model, std::move(modules));
      return std::make_unique<TreeComplianceSolver<S>>(model, std::move(modules));
    case Function::forward_dynamics:
      break;
  }
  if (method.algorithm == Algorithm::crb) {
    if (has_aggregates(model.data())) return std::make_unique<EmbeddedCompositeSolver<S>>(model, std::move(modules));
    if (method.factorization == Factorization::dense)
      return std::make_unique<DenseCompositeSolver<S>>(model, std::move(modules));
    return std::make_unique<SparseCompositeSolver<S>>(model, std::move(modules));
  }
  packs.nodes.multipliers = multiplier_aggregates(model.data(), method.loops);
  if (modules->any_cut()) return std::make_unique<DialSolver<S>>(model, method, std::move(modules), std::move(packs));
  return std::make_unique<ArticulatedSolver<S>>(model, std::move(modules), std::move(packs));
}

}  // namespace solver_detail

template <class S>
Solver<S>::Solver(Model model, const Method& method)
    : Solver(model, method, std::make_shared<const Modules>(make_modules(model.data(), method.modules))) {}
template <class S>
Solver<S>::Solver(Model model, const Method& method, std::shared_ptr<const Modules> modules, Packs<S> packs)
    : space_(solver_detail::make_space<S>(model, method, std::move(modules), std::move(packs))) {}
template <class S>
Solver<S>::~Solver() = default;
template <class S>
Solver<S>::Solver(Solver&&) noexcept = default;
template <class S>
Solver<S>& Solver<S>::operator=(Solver&&) noexcept = default;

template <class S>
void Solver<S>::set(const State<S>& state) {
  space_->set(state);
}
template <class S>
void Solver<S>::ask(const Asked& asked) {
  space_->ask(asked);
}
template <class S>
void Solver<S>::expect_external_forces() {
  space_->expect_external_forces();
}
template <class S>
std::span<const Pass> Solver<S>::passes() const {
  return space_->passes;
}
template <class S>
std::size_t Solver<S>::first_pass_of_tau() const {
  return space_->first_pass_of_tau;
}
template <class S>
void* Solver<S>::space() {
  return space_.get();
}
template <class S>
int Solver<S>::step_count() const {
  return static_cast<int>(space_->modules->steps.size());
}
template <class S>
Borders* Solver<S>::borders() {
  return space_->borders();
}
template <class S>
std::size_t Solver<S>::result_count() const {
  return space_->result_count();
}
template <class S>
const std::vector<std::size_t>* Solver<S>::places_of_sixes() const {
  return space_->places_of_sixes();
}
template <class S>
void Solver<S>::leave_out_zeros() {
  space_->leave_out_zeros();
}
template <class S>
const Modules& Solver<S>::modules() const {
  return *space_->modules;
}
template <class S>
Status Solver<S>::loop_fault(int lane) const {
  Status fault = space_->loop_fault(lane);
  fault.body = space_->x.model->whole_of(fault.body);
  return fault;
}
template <class S>
int Solver<S>::idle_body(int lane) const {
  return space_->x.model->whole_of(space_->idle_body(lane));
}
template <class S>
int Solver<S>::singular_body() const {
  return space_->x.model->whole_of(space_->singular_body());
}
template <class S>
std::size_t Solver<S>::memory() const {
  return space_->bytes();
}

}  // namespace kinetree::inline inner
