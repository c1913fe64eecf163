#pragma once
// What is to be run: an algorithm and its settings, nothing left open. A plan determines the result bit for bit.

#include <kinetree/model/modules.hpp>

namespace kinetree {

/// Forward dynamics by articulated bodies, composite bodies, or constraint forces (every joint cut, or any grain).
enum class Algorithm { automatic, ab, crb, cfa, modular };

/// Velocity and gravity terms ride along in the biases, or are removed by inverse dynamics first
/// (Featherstone & Fijany 1999, Eq. 16 as printed).
enum class Formulation { direct, literal };

/// How the mass matrix of `crb` is factorized: branch-induced sparsity LᵀDL, or dense.
enum class Factorization { sparse, dense };

/// How `ab` holds loops and couplings: by independent coordinates (constraint embedding), by constraint forces on the
/// spanning tree, or each aggregate by what is predicted to take fewer operations; the model alone decides that.
enum class Loops { automatic, embed, multipliers };

struct Plan {
  Algorithm algorithm = Algorithm::ab;  ///< ab, crb, or modular with modules.grain >= 1 (cfa: 1)
  ModuleOptions modules;
  int refinements = 0;
  Formulation formulation = Formulation::direct;
  Factorization factorization = Factorization::sparse;
  Loops loops = Loops::embed;  ///< ab alone; the rest embed
};

}  // namespace kinetree
