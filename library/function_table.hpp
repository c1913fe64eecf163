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

/// A number of rows or columns, in what a model and a call have.
struct Extent {
  int plain = 0, of_point = 0;
  bool of_velocity = false;     ///< one for each velocity, or for each independent one, as Coordinates say
  bool of_independent = false;  ///< one for each independent velocity

  std::ptrdiff_t of(const ModelData& m, std::size_t points, Coordinates coordinates) const {
    const bool independent = of_independent || (of_velocity && coordinates == Coordinates::independent);
    const std::ptrdiff_t all = independent ? independent_count(m) : of_velocity ? m.v_index.back() : 0;
    return plain + of_point * static_cast<std::ptrdiff_t>(points) + all;
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
  Result results[3];        ///< several: one below the other, point by point, in what the solver gives
  Extent columns{1};        ///< of a state's result
  bool one_by_one = false;  ///< with loops or couplings each state asks for an order of operations of its own
};

inline constexpr Extent each_velocity{.of_velocity = true}, each_independent{.of_independent = true};
constexpr Extent each_point(int numbers) { return {.of_point = numbers}; }

// clang-format off
inline constexpr FunctionRow function_table[] = {
  //                            v             a             f_ext         points  results
  {Function::inverse_dynamics, Reads::may,   Reads::may,   Reads::may,   false, {{"tau", each_velocity}}},
  {Function::coriolis_forces,  Reads::must,  Reads::never, Reads::never, false, {{"tau", each_velocity}}},
  {Function::mass_matrix,      Reads::never, Reads::never, Reads::never, false, {{"H", each_independent}},
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
  {Function::jacobian_rates,   Reads::must,  Reads::never, Reads::never, true,  {{"result", each_point(6)}}},
  {Function::momentum,         Reads::must,  Reads::never, Reads::never, false, {{"result", {12}}}},
  {Function::momentum_matrix,  Reads::never, Reads::never, Reads::never, false, {{"result", {6}}},
   each_velocity},
  {Function::compliance,       Reads::never, Reads::never, Reads::never, true,  {{"result", each_point(6)}},
   each_point(6), true},
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
