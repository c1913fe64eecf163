#pragma once
// What a caller may choose (design: the public face).

#include <kinetree/model/modules.hpp>

namespace kinetree {

enum class Algorithm { automatic, ab, crb, cfa, modular };
enum class ExecutorKind { serial, tbb, openmp };
/// Velocity and gravity terms ride along in the biases, or are removed by inverse dynamics first
/// (Featherstone & Fijany 1999, Eq. 16 as printed).
enum class Formulation { direct, literal };
/// How the mass matrix of `crb` is factorized: branch-induced sparsity L'DL, or dense Cholesky.
enum class Factorization { sparse, dense };

struct Options {
  Algorithm algorithm = Algorithm::automatic;
  ExecutorKind executor = ExecutorKind::tbb;
  int threads = 1;        ///< 0: as many physical cores as the process may use
  int grain = 0;          ///< modular: bodies per module; 0: planned
  Cuts cuts = Cuts::paths;
  int corrections = -1;   ///< -1: 1 for cfa and modular, 0 for the rest
  Elimination elimination = Elimination::cyclic;
  Formulation formulation = Formulation::direct;
  Factorization factorization = Factorization::sparse;
};

}  // namespace kinetree
