#pragma once
// A pass: a direction over the tree of steps (engine/partition/modules.hpp) and a kernel that runs at each step. An
// algorithm is a list of passes. Where the direction leaves the order of steps open, an executor chooses it.

#include <cstddef>
#include <span>

namespace kinetree::inline inner {

enum class Direction {
  gather,   ///< a step runs after its children
  scatter,  ///< a step runs after its parent
  each,     ///< steps run in any order, after every kernel of the pass before and before any of the pass after
  once,     ///< no steps: the kernel is called once with step -1, alone
};

struct Pass {
  /// Parts of forward dynamics, in order. Each refinement runs `correct`, `accelerate_again` and `close_again` once.
  enum Phase : std::size_t {
    compose,     ///< dial: velocities of modules relative to their bases
    articulate,  ///< positions, velocities, constraints of loops; inertias, and constraint forces eliminated
    accelerate,  ///< accelerations, constraint forces
    close,       ///< dial: accelerations over cut joints
    correct,     ///< dial: forces that a residual asks for
    accelerate_again,
    close_again,
    phases,        ///< number of phases
    none = phases  ///< the phase of passes of other functions, such as inverse dynamics
  };

  Direction direction;
  void (*kernel)(void* space, int step);  ///< `space`: the solver's workspace
  Phase phase = none;
};

/// How often passes run for one state: passes before `first` once, the others `count` times, one round after another.
/// Products run a round for each direction.
struct Rounds {
  std::size_t first = 0;
  int count = 1;
};

/// Runs passes in order on this thread. Steps are numbered children first.
inline void run_serial(std::span<const Pass> passes, void* space, int steps) {
  for (const Pass& pass : passes) {
    if (pass.direction == Direction::once)
      pass.kernel(space, -1);
    else if (pass.direction == Direction::scatter)
      for (int s = steps - 1; s >= 0; --s) pass.kernel(space, s);
    else
      for (int s = 0; s < steps; ++s) pass.kernel(space, s);
  }
}
inline void run_serial(std::span<const Pass> passes, const Rounds& rounds, void* space, int steps) {
  run_serial(passes.first(rounds.first), space, steps);
  for (int round = 0; round < rounds.count; ++round) run_serial(passes.subspan(rounds.first), space, steps);
}

}  // namespace kinetree::inline inner
