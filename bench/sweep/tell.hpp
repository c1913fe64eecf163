#pragma once
// What a command says on stderr of results.

#include "bench/sweep/results.hpp"

namespace kinetree::bench {

/// What the sweep did without, and where its predictions are not of the cores as they were.
void tell_notes(const SweepResults& results);
/// The cases that failed, and why; whether one did.
bool tell_failures(const SweepResults& results);

}  // namespace kinetree::bench
