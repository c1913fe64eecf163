#pragma once
// What a caller may choose (design: the public face).

#include <kinetree/algorithm/plan.hpp>

namespace kinetree {

enum class ExecutorKind { serial, tbb, openmp };

struct Options {
  Algorithm algorithm = Algorithm::automatic;
  ExecutorKind executor = ExecutorKind::tbb;  ///< with one thread every executor runs the passes in place
  int threads = 1;                            ///< 0: as many physical cores as the process may use
  /// States of a batch that go through the kernels side by side, one per lane of a register of doubles (of floats twice
  /// as many): 0: as many as the best instruction set here has (AVX-512: 8, AVX2: 4, any x86-64: 2); 1: one by one.
  /// Models with loops or multipliers go one by one. One state uses the best instruction set in any case;
  /// KINETREE_ISA=baseline, avx2 or avx512 in the environment takes a lesser one.
  int lanes = 0;
  int grain = 0;  ///< modular: bodies per module; 0: planned
  Cuts cuts = Cuts::paths;
  int corrections = -1;  ///< -1: 1 for cfa and modular, 0 for the rest
  Elimination elimination = Elimination::cyclic;
  Formulation formulation = Formulation::direct;
  Factorization factorization = Factorization::sparse;
  Loops loops = Loops::embed;  ///< ab: how loops and couplings hold; the other algorithms embed
};

}  // namespace kinetree
