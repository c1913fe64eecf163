#pragma once
// Dependences: what each task of each pass waits for, as executors of several threads keep it.

#include <kinetree/options.hpp>
#include <span>
#include <vector>

#include "engine/algorithm/pass.hpp"
#include "parallel/tasks.hpp"

namespace kinetree::inline inner {

struct Dependences {
  /// A node of the graph (not of a mechanism): one task of one pass, or a barrier, which runs nothing.
  struct Node {
    int pass = -1;                    ///< -1: a barrier
    int task = -1;                    ///< -1: of a pass without steps, or a barrier
    std::vector<int> predecessors{};  ///< the nodes that it waits for
  };

  std::vector<Node> nodes{{}};  ///< the first, a barrier, is the start
  std::vector<int> ends{0};     ///< nodes that must be done before the run is over
};

/// A task waits for its neighbours alone: in a scatter for its parent, in a gather for its children. A gather after a
/// scatter starts at each leaf once this leaf is done, a scatter after a gather at each root; between other passes all
/// tasks wait. oneTBB's graph and a team keep these.
Dependences by_neighbours(std::span<const Pass> passes, const Tasks& tasks);

/// A task waits for all tasks of the stage before; within a stage for itself in the pass before, or, where single tasks
/// follow each other, for the last one (stages.hpp).
Dependences by_levels(std::span<const Pass> passes, const Tasks& tasks);

/// The dependences that `executor` keeps.
Dependences dependences(std::span<const Pass> passes, const Tasks& tasks, ExecutorKind executor);

}  // namespace kinetree::inline inner
