#pragma once
// kinetree among those who are timed.

#include <vector>

#include "bench/peers/contenders.hpp"

namespace kinetree::peers {

/// kinetree at each of its settings, not yet checked. The first takes one state at a time, and its solver answers all
/// states: the others are compared with it.
std::vector<Contender> own_contenders(const Case& test, const bench::StateSet& states, Function function,
                                      Counts counts);

}  // namespace kinetree::peers
