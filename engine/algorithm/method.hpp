#pragma once
// What a Solver runs: an algorithm and its settings. On one instruction set they determine the result bit for bit.

#include <kinetree/function.hpp>
#include <kinetree/link_point.hpp>
#include <kinetree/options.hpp>
#include <span>

#include "engine/partition/make_modules.hpp"
#include "engine/partition/modules.hpp"

namespace kinetree::inline inner {

/// What a Solver computes. From Method::algorithm on, all but forward_dynamics read `modules` alone, with grain 0.
using boundary::Function;

/// Which functions are handed accelerations; a row that takes them is named here (library/function_table.hpp asserts
/// it).
constexpr bool reads_accelerations(Function f) {
  return f == Function::inverse_dynamics || f == Function::point_kinematics;
}

/// What functions of points on links are asked for; `points` are read when this is handed over.
struct Asked {
  std::span<const LinkPoint> points;
  Axes axes = Axes::link;
};

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
