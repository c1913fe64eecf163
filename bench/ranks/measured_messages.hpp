#pragma once
// What messages between the ranks take here, and where the ranks are.

#include <mpi.h>

#include <kinetree/calibration.hpp>
#include <nlohmann/json.hpp>
#include <vector>

namespace kinetree::bench {

/// Over ranks: the number of the machine that each is on, in the order in which machines have their first rank.
std::vector<int> machines_of(MPI_Comm comm);

/// All ranks. Between rank 0 and the first other rank of its machine, and the first rank of another machine: half of a
/// message there and back, of 8 bytes and of 64 KiB, the median of many. 0 where there is no such rank. The other
/// ranks wait asleep.
Messages measured_messages(MPI_Comm comm);

/// All ranks. For the context of results; on rank 0 alone it is complete.
nlohmann::ordered_json ranks_context(MPI_Comm comm, const Messages& messages);

}  // namespace kinetree::bench
