#pragma once
// make_solver and make_function_solver, to be instantiated where a scalar is at home.

#include "engine/algorithm/solver/compliance_solver.hpp"
#include "engine/algorithm/solver/composite_solver.hpp"
#include "engine/algorithm/solver/dial_product_solver.hpp"
#include "engine/algorithm/solver/dial_solver.hpp"
#include "engine/algorithm/solver/energy_solver.hpp"
#include "engine/algorithm/solver/inverse_solver.hpp"
#include "engine/algorithm/solver/kinematics_solver.hpp"
#include "engine/algorithm/solver/loop_choice.hpp"
#include "engine/algorithm/solver/mass_matrix_solver.hpp"
#include "engine/algorithm/solver/product_solver.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/make_modules.hpp"

namespace kinetree::inline inner {

template <class S>
std::unique_ptr<Solver<S>> make_solver(const Model& model, const Method& method, std::shared_ptr<const Modules> modules,
                                       Packs<S> packs) {
  if (modules == nullptr) modules = std::make_shared<const Modules>(make_modules(model.data(), method.modules));
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

template <class S>
std::unique_ptr<Solver<S>> make_function_solver(const Model& model, const Method& method,
                                                std::shared_ptr<const Modules> modules) {
  const Function f = method.function;
  switch (f) {
    case Function::inverse_dynamics:
    case Function::coriolis_forces:
      return std::make_unique<InverseSolver<S>>(model, std::move(modules), f == Function::coriolis_forces);
    case Function::mass_matrix:
    case Function::lower_mass_matrix:
      return std::make_unique<MassMatrixSolver<S>>(model, std::move(modules), f == Function::lower_mass_matrix);
    case Function::energy:
      return std::make_unique<EnergySolver<S>>(model, std::move(modules));
    case Function::poses:
    case Function::lever_arms:
    case Function::point_velocities:
    case Function::point_kinematics:
      return std::make_unique<PointKinematicsSolver<S>>(model, std::move(modules), f);
    case Function::jacobians:
    case Function::sparse_jacobians:
    case Function::jacobian_rates:
      return std::make_unique<JacobianSolver<S>>(model, std::move(modules), f, method.coordinates);
    case Function::momentum:
    case Function::momentum_matrix:
      return std::make_unique<MomentumSolver<S>>(model, std::move(modules), f == Function::momentum_matrix);
    case Function::compliance:
      if (has_aggregates(model.data())) return std::make_unique<EmbeddedComplianceSolver<S>>(model, std::move(modules));
      return std::make_unique<TreeComplianceSolver<S>>(model, std::move(modules));
    case Function::inverse_dynamics_tangent:
    case Function::inverse_dynamics_cotangent:
      return std::make_unique<InverseProductSolver<S>>(model, std::move(modules),
                                                       f == Function::inverse_dynamics_cotangent);
    case Function::forward_dynamics_tangent:
    case Function::forward_dynamics_cotangent:
      if (modules->any_cut()) return make_dial_product_solver<S>(model, method, std::move(modules));
      [[fallthrough]];
    case Function::inverse_mass:
    case Function::delassus:
      return std::make_unique<MassProductSolver<S>>(model, std::move(modules), f);
    case Function::inverse_dynamics_derivatives:  // make_derivative_solver's
    case Function::forward_dynamics_derivatives:
    case Function::joint_torque_regressor:
    case Function::joint_torque_regressor_product:
    case Function::joint_torque_regressor_transpose_product:
    case Function::forward_dynamics:  // make_solver's
      break;
  }
  return nullptr;
}

}  // namespace kinetree::inline inner
