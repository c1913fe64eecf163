#pragma once
// When ranks have done with a state: each runs its steps and messages one after another, by a clock of its own.

#include <kinetree/calibration.hpp>
#include <vector>

#include "engine/algorithm/solver/specimen.hpp"
#include "mpi/rank_layout.hpp"
#include "parallel/prices.hpp"

namespace kinetree::inline inner {

/// Nanoseconds until the last rank has done. `ns`: over steps, of each phase. Ranks fill one machine after
/// another.
double ranks_ns(const RankSteps& steps, const std::vector<Operations>& ns, const Processes& on,
                const Messages& messages);

}  // namespace kinetree::inline inner
