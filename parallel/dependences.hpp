#pragma once
// Dependences: what each task of each pass waits for, as executors of several threads keep it.

#include <kinetree/options.hpp>
#include <span>
#include <vector>

#include "engine/algorithm/pass.hpp"
#include "parallel/tasks.hpp"

namespace kinetree::inline inner {

struct Dependences {
  /// One task of one pass, or a barrier, which runs nothing.
  struct Node {
    int pass = -1;              ///< -1: a barrier
    int task = -1;              ///< -1: of a pass without steps, or a barrier
    std::vector<int> before{};  ///< the nodes that it waits for
  };

  std::vector<Node> nodes{{}};  ///< the first, a barrier, is the start
  std::vector<int> ends{0};     ///< what must be over before the run is
};

/// A task waits for its own neighbours alone: in a scatter for its parent, in a gather for its children; a gather after
/// a scatter starts at each leaf as that leaf is done, and a scatter after a gather at each root. So oneTBB's graph.
Dependences by_neighbours(std::span<const Pass> passes, const Tasks& tasks);

/// A task waits for all of the level before (stages.hpp).
Dependences by_levels(std::span<const Pass> passes, const Tasks& tasks);

/// As that executor keeps them.
Dependences dependences(std::span<const Pass> passes, const Tasks& tasks, ExecutorKind executor);

}  // namespace kinetree::inline inner
