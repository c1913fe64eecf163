#pragma once
// What a Solver runs: an algorithm and its settings. On one instruction set they determine the result bit for bit.

#include <kinetree/options.hpp>

#include "engine/partition/make_modules.hpp"
#include "engine/partition/modules.hpp"

namespace kinetree::inline inner {

/// What the passes find. `algorithm` and what follows it are read for forward dynamics alone.
enum class Function { forward_dynamics, inverse_dynamics, mass_matrix, energy };

struct Method {
  Function function = Function::forward_dynamics;
  Algorithm algorithm = Algorithm::ab;  ///< ab, crb, or modular with modules.grain >= 1 (cfa: 1)
  ModuleOptions modules;
  int refinements = 0;
  Formulation formulation = Formulation::direct;
  Factorization factorization = Factorization::sparse;
  Loops loops = Loops::embed;  ///< ab alone; the rest embed
};

}  // namespace kinetree::inline inner
