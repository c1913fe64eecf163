#pragma once
// Waiting asleep: MPI's own waits keep a core busy, which on one machine the rank that works may need.

#include <mpi.h>

namespace kinetree::bench {

/// Until the request has completed; looks every half millisecond.
void complete_asleep(MPI_Request& request);

/// All ranks: a barrier at which they sleep.
void meet_asleep(MPI_Comm comm);

}  // namespace kinetree::bench
