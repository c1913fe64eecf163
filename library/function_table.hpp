#pragma once
// The free functions of a state, one row each, in the order of Function (kinetree/function.hpp): what a function reads,
// and what it gives. Checks, batches, lanes, both scalar types and the adapters' boundary follow from the row.
// CONTRIBUTING.md says how to add one.

#include <cstddef>
#include <kinetree/function.hpp>

#include "engine/algorithm/method.hpp"
#include "engine/algorithm/node/embedded_node.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

using boundary::Function;

/// Whether a function reads an argument.
enum class Reads { never, may, must };

/// What a call's points give a result rows or columns for.
struct PointCounts {
  std::size_t points = 0;
  std::size_t moving = 0;  ///< velocities that move them, each counted for every point
};

/// A number of rows or columns, in what a model and a call have.
struct Extent {
  int plain = 0, of_point = 0;
  bool of_velocity = false;     ///< one for each velocity, or for each independent one, as Coordinates say
  bool of_independent = false;  ///< one for each independent velocity
  bool of_parameter = false;    ///< one for each number that joint forces are linear in
  bool of_path = false;         ///< one for each velocity that moves a point, for each point

  /// Whether it is another number than the same for all models and calls.
  bool varies() const { return of_point != 0 || of_velocity || of_independent || of_parameter || of_path; }
  std::ptrdiff_t of(const ModelData& m, const PointCounts& counts, Coordinates coordinates) const {
    const bool independent = of_independent || (of_velocity && coordinates == Coordinates::independent);
    const std::ptrdiff_t all = independent ? independent_count(m) : of_velocity ? m.v_index.back() : 0;
    const std::ptrdiff_t numbers =
        of_parameter ? parameter_count(static_cast<int>(m.parent.size()), m.v_index.back()) : 0;
    return plain + of_point * static_cast<std::ptrdiff_t>(counts.points) + all + numbers +
           (of_path ? static_cast<std::ptrdiff_t>(counts.moving) : 0);
  }
};

struct Result {
  const char* name = nullptr;  ///< null: there is none
  Extent rows{};
};

struct FunctionRow {
  Function function;
  Reads v, a, f_ext;        ///< beside q
  bool points;              ///< of points on links
  Result results[3];        ///< several, in what the solver gives: one below the other, point by point; matrices of
                            ///< velocities one after the other
  Extent columns{1};        ///< of a state's result
  bool one_by_one = false;  ///< with loops or couplings each state asks for an order of operations of its own
  bool symmetric = false;   ///< matrices that are
  Reads tau = Reads::never;
  bool constant_maps = false;  ///< refuses constraints whose map depends on the state
  /// Of products: what each direction has, one below the other in what the solver reads; results have a column for each
  /// direction of each state.
  Result directions[3]{};

  bool several() const { return results[1].name != nullptr; }
  bool is_product() const { return directions[0].name != nullptr; }
};

inline constexpr Extent each_velocity{.of_velocity = true}, each_independent{.of_independent = true},
    each_parameter{.of_parameter = true}, each_moving{.of_path = true};
constexpr Extent each_point(int numbers) { return {.of_point = numbers}; }

// clang-format off
inline constexpr FunctionRow function_table[] = {
  //                            v             a             f_ext         points  results
  {Function::inverse_dynamics, Reads::may,   Reads::may,   Reads::may,   false, {{"tau", each_velocity}}},
  {Function::coriolis_forces,  Reads::must,  Reads::never, Reads::never, false, {{"tau", each_velocity}}},
  {Function::mass_matrix,      Reads::never, Reads::never, Reads::never, false, {{"H", each_independent}},
   each_independent, false, true},
  {Function::lower_mass_matrix, Reads::never, Reads::never, Reads::never, false, {{"H", each_independent}},
   each_independent},
  {Function::energy,           Reads::must,  Reads::never, Reads::never, false, {{"result", {2}}}},
  {Function::poses,            Reads::never, Reads::never, Reads::never, true,  {{"result", each_point(12)}}},
  {Function::lever_arms,       Reads::never, Reads::never, Reads::never, true,  {{"result", each_point(12)}}},
  {Function::point_velocities, Reads::must,  Reads::may,   Reads::never, true,
   {{"poses", each_point(12)}, {"velocities", each_point(6)}}},
  {Function::point_kinematics, Reads::must,  Reads::may,   Reads::never, true,
   {{"poses", each_point(12)}, {"velocities", each_point(6)}, {"accelerations", each_point(6)}}},
  {Function::jacobians,        Reads::never, Reads::never, Reads::never, true,  {{"result", each_point(6)}},
   each_velocity},
  {Function::sparse_jacobians, Reads::never, Reads::never, Reads::never, true,  {{"result", {6}}}, each_moving},
  {Function::jacobian_rates,   Reads::must,  Reads::never, Reads::never, true,  {{"result", each_point(6)}}},
  {Function::momentum,         Reads::must,  Reads::never, Reads::never, false, {{"result", {12}}}},
  {Function::momentum_matrix,  Reads::never, Reads::never, Reads::never, false, {{"result", {6}}},
   each_velocity},
  {Function::compliance,       Reads::never, Reads::never, Reads::never, true,  {{"result", each_point(6)}},
   each_point(6), true, true},
  {Function::inverse_dynamics_derivatives, Reads::must, Reads::must, Reads::may, false,
   {{"dtau_dq", each_velocity}, {"dtau_dv", each_velocity}}, each_velocity},
  {Function::forward_dynamics_derivatives, Reads::must, Reads::never, Reads::may, false,
   {{"da_dq", each_velocity}, {"da_dv", each_velocity}, {"da_dtau", each_velocity}}, each_velocity, false, false,
   Reads::must, true},
  // products with directions
  {Function::inverse_dynamics_tangent,   Reads::must,  Reads::must,  Reads::may,   false, {{"dtau", each_velocity}},
   {}, false, false, Reads::never, false, {{"dq", each_velocity}, {"dv", each_velocity}, {"da", each_velocity}}},
  {Function::inverse_dynamics_cotangent, Reads::must,  Reads::must,  Reads::may,   false,
   {{"q_bar", each_velocity}, {"v_bar", each_velocity}, {"a_bar", each_velocity}},
   {}, false, false, Reads::never, false, {{"tau_bar", each_velocity}}},
  {Function::forward_dynamics_tangent,   Reads::must,  Reads::must,  Reads::may,   false, {{"da", each_velocity}},
   {}, false, false, Reads::never, true, {{"dq", each_velocity}, {"dv", each_velocity}, {"dtau", each_velocity}}},
  {Function::forward_dynamics_cotangent, Reads::must,  Reads::must,  Reads::may,   false,
   {{"q_bar", each_velocity}, {"v_bar", each_velocity}, {"tau_bar", each_velocity}},
   {}, false, false, Reads::never, true, {{"a_bar", each_velocity}}},
  {Function::inverse_mass,               Reads::never, Reads::never, Reads::never, false, {{"accelerations", each_velocity}},
   {}, false, false, Reads::never, false, {{"forces", each_velocity}}},
  {Function::delassus,                   Reads::never, Reads::never, Reads::never, true,  {{"accelerations", each_point(6)}},
   {}, false, false, Reads::never, false, {{"forces", each_point(6)}}},
  // the regressor
  {Function::joint_torque_regressor, Reads::may, Reads::may, Reads::never, false, {{"Y", each_velocity}},
   each_parameter},
  // products with it
  {Function::joint_torque_regressor_product, Reads::may, Reads::may, Reads::never, false, {{"tau", each_velocity}},
   {}, false, false, Reads::never, false, {{"parameters", each_parameter}}},
  {Function::joint_torque_regressor_transpose_product, Reads::may, Reads::may, Reads::never, false,
   {{"result", each_parameter}}, {}, false, false, Reads::never, false, {{"tau", each_velocity}}},
};
// clang-format on

/// Not of forward dynamics, which has no row.
constexpr const FunctionRow& row_of(Function function) {
  return function_table[static_cast<std::size_t>(function) - 1];
}
static_assert(
    [] {
      for (const FunctionRow& row : function_table)
        if (&row_of(row.function) != &row) return false;
      return true;
    }(),
    "rows stand in the order of Function");
static_assert(
    [] {
      for (const FunctionRow& row : function_table)
        if (reads_accelerations(row.function) != (row.a != Reads::never) &&
            row.function != Function::point_velocities)  // takes them as point_kinematics does, and reads none
          return false;
      return true;
    }(),
    "reads_accelerations (engine/algorithm/method.hpp) names the rows that read accelerations");

}  // namespace kinetree::inline inner
