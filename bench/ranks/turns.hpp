#pragma once
// Turns of what is compared, on all ranks: all of them run, or rank 0 alone while the others sleep.

#include <mpi.h>

#include <functional>

namespace kinetree::bench {

/// All ranks. Nanoseconds of one call, on rank 0.
double time_together(int calls, const std::function<void()>& call);
/// The same where rank 0 calls alone: the others leave it the cores.
double time_alone(int calls, const std::function<void()>& call);

}  // namespace kinetree::bench
