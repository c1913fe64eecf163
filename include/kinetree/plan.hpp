#pragma once
// Plan: what forward dynamics runs, every choice made.

#include <kinetree/options.hpp>

namespace kinetree {

/// ForwardDynamics::plan() has the one it runs. Given to ForwardDynamics again it makes no choice anew, and gives the
/// same bits wherever the instruction set is the same; on how many threads it runs makes no difference to them.
struct Plan {
  explicit Plan(Algorithm algorithm) : algorithm(algorithm), batch_algorithm(algorithm) {}

  // of one state
  Algorithm algorithm;  ///< never `automatic`
  int one_threads = 1;  ///< threads that it goes over
  int limbs = 1;        ///< its limbs that go side by side at most; of modular only beside end chains
  int end_chains = 1;   ///< modules of each of its end chains that go side by side, beyond its limbs (modular)
  int grain = 0;        ///< bodies per module: 1 of cfa, more of modular, else 0
  int refinements = 0;  ///< 0 where no joint is cut
  Cuts cuts = Cuts::paths;
  Elimination elimination = Elimination::cyclic;
  Formulation formulation = Formulation::direct;
  Factorization factorization = Factorization::sparse;
  Loops loops = Loops::embed;  ///< `automatic`: some aggregates one way, some the other

  // of several columns
  Algorithm batch_algorithm;         ///< `algorithm`, with all that is said of it, or ab
  Loops batch_loops = Loops::embed;  ///< always so where lanes are more than one
  int lanes = 1;                     ///< states side by side, in double; in float twice as many
  int batch_threads = 1;             ///< threads that the columns are shared among
  int batch_from = 2;                ///< packs of columns from which on they are; fewer go on the caller's thread

  ExecutorKind executor = ExecutorKind::serial;
  Pinning pinning = Pinning::none;  ///< none where no more than one thread runs

  bool operator==(const Plan&) const = default;
};

}  // namespace kinetree
