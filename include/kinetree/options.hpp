#pragma once
// Options: what a user asks of forward dynamics. What is left open is chosen; Plan (kinetree/plan.hpp) has the choices.

#include <functional>
#include <stdexcept>

namespace kinetree {

/// Forward dynamics by articulated bodies, composite bodies, or constraint forces (every joint cut, or any grain).
enum class Algorithm { automatic, ab, crb, cfa, modular };

/// Velocity and gravity terms ride along in the biases, or are removed by inverse dynamics first
/// (Featherstone & Fijany 1999, Eq. 16 as printed).
enum class Formulation { direct, literal };

/// How the mass matrix of `crb` is factorized: branch-induced sparsity LᵀDL, or dense.
enum class Factorization { sparse, dense };

/// How `ab`, `cfa` and `modular` hold loops and couplings: by independent coordinates (constraint embedding), by
/// constraint forces on the spanning tree, or each aggregate by what is predicted to take fewer operations; the model
/// alone decides that.
enum class Loops { automatic, embed, multipliers };

/// Where the dial cuts: every long path (rake and compress), the longest path only, every joint.
enum class Cuts { paths, main, all };
/// The order in which the constraint forces of a path are eliminated: cyclic reduction, or leaves first (block Thomas).
enum class Elimination { cyclic, leaves_first };

/// Who runs the passes on threads: the calling thread alone; oneTBB; OpenMP; the calling thread with waiting threads of
/// the library's, or with those of a caller's Runner.
enum class ExecutorKind { serial, tbb, openmp, team };

/// Where the threads of `team` run: where the system puts them, or each on a core of its own.
enum class Pinning { none, cores };

/// A caller's own threads: calls task(context, k) for every k from 0 to count - 1, in any order, on any threads,
/// several at a time or one after another, and returns when all have returned. Its exceptions pass through solve, once
/// no task runs any more; accelerations of that call mean nothing.
using Runner = std::function<void(int count, void (*task)(void* context, int k), void* context)>;

/// Thrown where Options make no sense: the message names the option, its value, the rule and what to do, a line for
/// each.
class OptionError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Thrown where `all` would make a module with more than 16 cut joints.
class TooManyCuts : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Where a value is 0, -1 or `automatic`, it is chosen when a solver is made, which throws OptionError for a value that
/// makes no sense and for an option that the algorithm ignores; docs/using.md has the rules.
struct Options {
  Algorithm algorithm = Algorithm::automatic;
  ExecutorKind executor = ExecutorKind::team;  ///< with one thread every executor runs the passes in place
  /// At most; 0: as many physical cores as the process may use; serial: 1. `automatic` takes no more than there are
  /// physical cores and than pay; a named algorithm takes all, which oneTBB may give fewer of.
  int threads = 1;
  Pinning pinning = Pinning::none;  ///< team: of its threads beside the caller's, from the core after the maker's on
  /// States of a batch that go through the kernels side by side, one per lane of a register of doubles (of floats twice
  /// as many): 0: as many as the best instruction set here has (AVX-512: 8, AVX2: 4, any x86-64: 2); 1: one by one.
  /// One by one go multipliers, crb of models with loops, and crb that takes too much memory: they refuse more than 1.
  /// `loops` automatic embeds in lanes where that is predicted to be faster than multipliers one by one.
  /// One state uses the best instruction set in any case; KINETREE_ISA=baseline, avx2 or avx512 in the environment
  /// takes a lesser one.
  int lanes = 0;
  /// Limbs of one state that are alike up to numbers (legs, arms, fingers) side by side, by `ab` and `automatic`: 0:
  /// `automatic` decides, `ab` takes none; 1: none; else so many at most (AVX-512: 4 or 8, AVX2: 4, any x86-64: 2). By
  /// `modular` and `automatic` also modules of the chains that end in a tip, of `grain` bodies each, 0: one pack of
  /// them; `automatic` puts them beside limbs too. Limbs that multipliers hold, end chains beside multipliers, and in
  /// float fewer than four side by side go body by body.
  int limbs = 0;
  int grain = 0;  ///< modular: bodies per module; 0: planned
  Cuts cuts = Cuts::paths;
  /// Residual refinements where joints are cut: by cfa and modular, and by automatic where it cuts; -1: 1 there. Where
  /// none is cut there is nothing to correct: 0.
  int refinements = -1;
  Elimination elimination = Elimination::cyclic;
  Formulation formulation = Formulation::direct;
  Factorization factorization = Factorization::sparse;
  Loops loops = Loops::embed;  ///< ab, automatic: how loops and couplings hold; the other algorithms embed
};

}  // namespace kinetree
