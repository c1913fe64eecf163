#pragma once
// What a caller may choose (design: the public face).

#include <kinetree/algorithm/plan.hpp>

namespace kinetree {

enum class ExecutorKind { serial, tbb, openmp };

struct Options {
  Algorithm algorithm = Algorithm::automatic;
  ExecutorKind executor = ExecutorKind::tbb;  ///< with one thread every executor runs the passes in place
  int threads = 1;                            ///< at most; 0: as many physical cores as the process may use
  /// States of a batch that go through the kernels side by side, one per lane of a register of doubles (of floats twice
  /// as many): 0: as many as the best instruction set here has (AVX-512: 8, AVX2: 4, any x86-64: 2); 1: one by one.
  /// Models with loops or multipliers go one by one. One state uses the best instruction set in any case;
  /// KINETREE_ISA=baseline, avx2 or avx512 in the environment takes a lesser one.
  int lanes = 0;
  /// Branches of one state that are alike up to numbers (legs, arms, fingers) side by side in double, by `ab` and
  /// `automatic`: 0: `automatic` decides, `ab` takes none; 1: none; else so many at most (AVX-512: 4 or 8, AVX2: 4, any
  /// x86-64: 2). By `modular` and `automatic` also modules of the chains that end in a tip, of `grain`
  /// bodies each, 0: one pack of them. No model with loops or couplings does so.
  int branches = 0;
  int grain = 0;  ///< modular: bodies per module; 0: planned
  Cuts cuts = Cuts::paths;
  int corrections = -1;  ///< -1: 1 for cfa and modular, 0 for the rest
  Elimination elimination = Elimination::cyclic;
  Formulation formulation = Formulation::direct;
  Factorization factorization = Factorization::sparse;
  Loops loops = Loops::embed;  ///< ab: how loops and couplings hold; the other algorithms embed

  // Where the algorithm is left open these are planned, with no more threads than there are physical cores and than
  // pay; with a named algorithm 0 stands for all threads, whatever the number of columns.
  int one_threads = 0;         ///< threads that one state goes over
  int batch_threads = 0;       ///< threads that the columns of a batch are shared among
  int batch_from = 0;          ///< packs of `lanes` columns from which on they are; fewer go on the caller's thread
  bool batches_by_ab = false;  ///< several columns go by `ab` whatever one state goes by
};

}  // namespace kinetree
