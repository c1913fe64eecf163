#pragma once
// Options: what a user asks of forward dynamics. What is left open is chosen; Plan (kinetree/plan.hpp) has the choices.

#include <functional>
#include <kinetree/export.hpp>
#include <stdexcept>

namespace kinetree {

/// Forward dynamics by articulated bodies, composite bodies, or constraint forces (every joint cut, or any grain).
enum class Algorithm { automatic, ab, crb, cfa, modular };

/// How `cfa` and `modular` treat velocities and gravity: as part of the bias forces (direct), or removed by inverse
/// dynamics first (literal: Featherstone & Fijany 1999, Eq. 16 as printed).
enum class Formulation { direct, literal };

/// How the mass matrix of `crb` is factorized: branch-induced sparsity LᵀDL, or dense.
enum class Factorization { sparse, dense };

/// How `ab`, `cfa` and `modular` hold loops and couplings: by independent coordinates (constraint embedding), by
/// constraint forces on the spanning tree, or each aggregate by what is predicted to take fewer operations; the model
/// alone decides that.
enum class Loops { automatic, embed, multipliers };

/// Where `cfa` and `modular` cut joints: along every long path (paths: rake and compress), along the longest path only
/// (main), or every joint that may be cut (all).
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
class KINETREE_EXPORT OptionError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Thrown where Cuts::all would make a module with more than 16 cut joints.
class KINETREE_EXPORT TooManyCuts : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Settings of ForwardDynamics. Its constructor chooses those that are left open: `algorithm` and `loops` `automatic`;
/// `lanes`, `limbs`, `grain` 0; `refinements` -1 (0 is none). It throws OptionError for a value out of range and for a
/// setting that the algorithm ignores; docs/using.md, "Options of the algorithm", has the rules.
struct Options {
  Algorithm algorithm = Algorithm::automatic;
  ExecutorKind executor = ExecutorKind::team;  ///< with one thread every executor runs the passes in place
  /// The most threads of a call; 0: all physical cores that the process may use; 1 with `serial`. `automatic` takes as
  /// many as are predicted to pay; a named algorithm takes all that its executor gives (oneTBB may give fewer).
  int threads = 1;
  Pinning pinning = Pinning::none;  ///< executor `team` only; the caller's own thread is never pinned
  /// How many states of a batch the kernels take at once, one in each lane of a register of doubles (of floats twice as
  /// many). 0: as many as the best instruction set here has (AVX-512: 8, AVX2: 4, any x86-64: 2). 1: one by one.
  /// Multipliers, crb on models with loops, and crb that takes too much memory solve states one by one, and refuse more
  /// than 1. `loops` automatic embeds where lanes are predicted to make that faster than multipliers one by one.
  /// One state uses the best instruction set at any value. KINETREE_ISA=baseline, avx2 or avx512 in the environment
  /// sets the best one that is used.
  int lanes = 0;
  /// Like parts of one state that the kernels take at once, one in each lane: limbs alike up to numbers (legs, arms,
  /// fingers; ab, automatic), and modules of one end chain, of `grain` bodies each (modular, automatic; grain 0: as
  /// many modules as fill one pack). 0: `automatic` decides, ab and modular take none. 1: none. Else the most parts in
  /// a pack: 4 or 8 on AVX-512, 4 on AVX2, 2 on baseline; others are refused. Limbs held by multipliers, end chains
  /// beside multipliers, and fewer than four parts in float are solved body by body.
  int limbs = 0;
  /// modular: bodies per module; 0: chosen. ab with `limbs` above 1: the most bodies of a limb, so that threads have
  /// several packs; 0: any number.
  int grain = 0;
  Cuts cuts = Cuts::paths;
  /// How many times the constraint forces of cut joints are refined, each time by the residual of the accelerations
  /// so far (cfa, modular; automatic where it cuts). -1: once. Without a cut joint there is nothing to refine.
  int refinements = -1;
  Elimination elimination = Elimination::cyclic;
  Formulation formulation = Formulation::direct;
  Factorization factorization = Factorization::sparse;
  Loops loops = Loops::embed;  ///< crb always embeds
};

}  // namespace kinetree
