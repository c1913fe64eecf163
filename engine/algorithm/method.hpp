#pragma once
// What a Solver runs: an algorithm and its settings. On one instruction set they determine the result bit for bit.

#include <kinetree/function.hpp>
#include <kinetree/link_point.hpp>
#include <kinetree/options.hpp>
#include <span>

#include "engine/partition/make_modules.hpp"
#include "engine/partition/modules.hpp"

namespace kinetree::inline inner {

/// What a Solver computes. From Method::algorithm on, all but forward_dynamics read `modules` alone, with grain 0;
/// tangents and cotangents of forward dynamics also with joints cut, and then `refinements`.
using boundary::Function;

/// Products of derivatives, which are taken at a state's accelerations.
constexpr bool is_of_derivatives(Function f) {
  return f == Function::inverse_dynamics_tangent || f == Function::inverse_dynamics_cotangent ||
         f == Function::forward_dynamics_tangent || f == Function::forward_dynamics_cotangent;
}
/// The regressor and its products.
constexpr bool is_of_parameters(Function f) {
  return f == Function::joint_torque_regressor || f == Function::joint_torque_regressor_product ||
         f == Function::joint_torque_regressor_transpose_product;
}
/// Numbers that joint forces are linear in: ten a body, then armature, damping and friction of each velocity.
constexpr int parameter_count(int bodies, int velocities) { return 10 * bodies + 3 * velocities; }
/// Which functions are handed accelerations; a row that takes them is named here (library/function_table.hpp asserts
/// it).
constexpr bool reads_accelerations(Function f) {
  return f == Function::inverse_dynamics || f == Function::point_kinematics ||
         f == Function::inverse_dynamics_derivatives || is_of_derivatives(f) || is_of_parameters(f);
}
constexpr bool reads_forces(Function f) {
  return f == Function::forward_dynamics || f == Function::forward_dynamics_derivatives;
}
/// Whether make_derivative_solver makes its solver: of matrices of derivatives, and of the regressor.
constexpr bool is_made_beside_derivatives(Function f) {
  return f == Function::inverse_dynamics_derivatives || f == Function::forward_dynamics_derivatives ||
         is_of_parameters(f);
}

/// What functions of points on links, and products, are asked for; `points` are read when this is handed over.
struct Asked {
  std::span<const LinkPoint> points;
  Axes axes = Axes::link;
  int directions = 0;   ///< of a state, for products
  bool linear = false;  ///< of products: forces on points have no moments
};

/// Numbers that each direction of a product has for a state.
inline int numbers_of_direction(Function f, int bodies, int velocities, const Asked& asked) {
  switch (f) {
    case Function::inverse_dynamics_tangent:
    case Function::forward_dynamics_tangent:
      return 3 * velocities;
    case Function::inverse_dynamics_cotangent:
    case Function::forward_dynamics_cotangent:
    case Function::inverse_mass:
    case Function::joint_torque_regressor_transpose_product:
      return velocities;
    case Function::joint_torque_regressor_product:
      return parameter_count(bodies, velocities);
    case Function::delassus:
      return (asked.linear ? 3 : 6) * static_cast<int>(asked.points.size());
    default:
      return 0;
  }
}

struct Method {
  Function function = Function::forward_dynamics;
  Coordinates coordinates = Coordinates::spanning;  ///< of Jacobians and their rates
  Algorithm algorithm = Algorithm::ab;              ///< ab, crb, or modular with modules.grain >= 1 (cfa: 1)
  ModuleOptions modules;
  int refinements = 0;
  Formulation formulation = Formulation::direct;
  Factorization factorization = Factorization::sparse;
  Loops loops = Loops::embed;  ///< how ab and modular hold loops and couplings; crb always embeds them
};

}  // namespace kinetree::inline inner
