#pragma once
// How the free functions cross the library's boundary: all by one call, which tells the function by its row of the
// library's table (library/function_table.hpp). Users call the adapters of workspace.hpp and kinematics.hpp.

#include <kinetree/columns.hpp>
#include <kinetree/export.hpp>
#include <kinetree/link_point.hpp>
#include <kinetree/status.hpp>
#include <span>

namespace kinetree {

class Model;
class Workspace;

namespace boundary {

/// What is computed of a state.
enum class Function {
  forward_dynamics,  ///< not by `evaluate`: it is ForwardDynamics that has plans for it
  inverse_dynamics,
  coriolis_forces,
  mass_matrix,
  lower_mass_matrix,  ///< its lower triangle alone
  energy,
  poses,
  lever_arms,
  point_velocities,  ///< and poses
  point_kinematics,  ///< and accelerations
  jacobians,
  sparse_jacobians,  ///< their columns that are not zero throughout
  jacobian_rates,
  momentum,
  momentum_matrix,
  compliance,
  inverse_dynamics_derivatives,
  forward_dynamics_derivatives,
  // products with directions, of which a state may have several (kinetree/derivative_products.hpp)
  inverse_dynamics_tangent,
  inverse_dynamics_cotangent,
  forward_dynamics_tangent,
  forward_dynamics_cotangent,
  inverse_mass,  ///< of forces
  delassus,      ///< of forces on points
  // of the numbers that joint forces are linear in (kinetree/identification.hpp)
  joint_torque_regressor,
  joint_torque_regressor_product,            ///< of numbers
  joint_torque_regressor_transpose_product,  ///< of joint forces
};

/// What products are taken with. Of each call's: as many columns for each state as it has directions, those of one
/// state side by side.
template <class T>
struct ProductArguments {
  Columns<const T> directions[3]{};
  bool linear = false;  ///< of forces on points: without moments
  T damping = 0;        ///< times the direction, added to the result
};

/// Arguments of a call. A column is a state. Arguments that a function does not read stay empty.
template <class T>
struct Arguments {
  Columns<const T> q, v{}, a{}, tau{}, f_ext{};
  LinkPoints points = std::span<const LinkPoint>{};
  Axes axes = Axes::link;
  Coordinates coordinates = Coordinates::spanning;
  Columns<T> results[3]{};                       ///< those of the function's row, in its order
  const ProductArguments<T>* product = nullptr;  ///< of products alone: other calls would fill it for nothing
};

/// What is wrong with the states of a call whose result is symmetric_output of an R.
template <class R, class Q>
Status fault_of_symmetric(const Eigen::DenseBase<Q>& q) {
  if (!R::IsRowMajor || R::IsVectorAtCompileTime || q.cols() <= 1) return {};
  return {StatusCode::wrong_size, 0, -1, static_cast<double>(q.cols()), "q", 1, true};
}

KINETREE_EXPORT Status evaluate(Function function, const Model& model, Workspace& workspace,
                                const Arguments<double>& arguments);
KINETREE_EXPORT Status evaluate(Function function, const Model& model, Workspace& workspace,
                                const Arguments<float>& arguments);

/// Of a product.
template <class T>
Status evaluate(Function function, const Model& model, Workspace& workspace, const ProductArguments<T>& product,
                Arguments<T> arguments) {
  arguments.product = &product;
  return evaluate(function, model, workspace, arguments);
}

}  // namespace boundary

}  // namespace kinetree
