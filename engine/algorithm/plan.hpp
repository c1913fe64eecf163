#pragma once
// What is to be run: an algorithm and its settings, nothing left open. A plan determines the result bit for bit.

#include <kinetree/options.hpp>

#include "engine/partition/make_modules.hpp"
#include "engine/partition/modules.hpp"

namespace kinetree::inline inner {

/// What a plan's passes find. `algorithm` and what follows it are read for forward dynamics alone.
enum class Function { forward_dynamics, inverse_dynamics, mass_matrix, energy };

struct Plan {
  Function function = Function::forward_dynamics;
  Algorithm algorithm = Algorithm::ab;  ///< ab, crb, or modular with modules.grain >= 1 (cfa: 1)
  ModuleOptions modules;
  int refinements = 0;
  Formulation formulation = Formulation::direct;
  Factorization factorization = Factorization::sparse;
  Loops loops = Loops::embed;  ///< ab alone; the rest embed
};

}  // namespace kinetree::inline inner
