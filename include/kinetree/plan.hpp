#pragma once
// Plan: what forward dynamics runs, every choice made.

#include <kinetree/options.hpp>

namespace kinetree {

/// Every choice of a solver: ForwardDynamics::plan() returns it, and ForwardDynamics(model, plan) runs it again and
/// chooses nothing. On one instruction set a plan gives equal bits in every run and on any number of threads.
struct Plan {
  explicit Plan(Algorithm algorithm) : algorithm(algorithm), batch_algorithm(algorithm) {}

  // of one state
  Algorithm algorithm;  ///< never `automatic`
  int one_threads = 1;  ///< threads that solve one state together
  int limbs = 1;        ///< limbs alike that one pack of lanes holds at most; 1: none. ab; modular beside end chains
  int end_chains = 1;   ///< modules of an end chain that one pack of lanes holds; 1: none. modular
  int grain = 0;        ///< bodies per module, 1 with cfa; ab with `limbs`: the most bodies of a limb, 0: any number
  int refinements = 0;  ///< of the constraint forces; 0 with ab and crb
  Cuts cuts = Cuts::paths;
  Elimination elimination = Elimination::cyclic;
  Formulation formulation = Formulation::direct;
  Factorization factorization = Factorization::sparse;
  Loops loops = Loops::embed;  ///< `automatic`: some aggregates one way, some the other

  // of several columns
  Algorithm batch_algorithm;         ///< `algorithm` with its settings above, or ab; in float one state goes by it too
                                     ///< where float can't hold the cuts of `algorithm`
  Loops batch_loops = Loops::embed;  ///< `embed` where `lanes` is more than 1
  int lanes = 1;                     ///< columns that one pack holds in double; in float twice as many
  int batch_threads = 1;             ///< threads that share the packs
  int batch_from = 2;                ///< the least number of packs that are shared; the caller's thread solves fewer

  ExecutorKind executor = ExecutorKind::serial;
  Pinning pinning = Pinning::none;  ///< `none` on one thread

  bool operator==(const Plan&) const = default;
};

}  // namespace kinetree
