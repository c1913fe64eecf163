#pragma once
// Everybody timed in turns within one process: a clock that drifts then moves all alike, and ratios hold.

#include <vector>

#include "bench/peers/contenders.hpp"

namespace kinetree::peers {

/// Fills in `nanoseconds` of those who were not refused. Each round everybody solves a burst of states; whose turn it
/// is and whose turn was before changes from round to round.
void time_rounds(std::vector<Contender>& all, int rounds);

}  // namespace kinetree::peers
