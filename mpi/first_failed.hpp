#pragma once
// Which of all ranks failed first.

#include <kinetree/mpi/shares.hpp>
#include <kinetree/status.hpp>
#include <span>

#include "mpi/communicator.hpp"

namespace kinetree::inline inner {

/// All ranks. The status that a rank has, of which the others' `own` is not looked at.
Status status_of(const Communicator& communicator, const Status& own, int rank);

/// All ranks. The status of the lowest rank on which it is not ok.
Status first_failed(const Communicator& communicator, const Status& own);

/// All ranks, of one state. The status of the rank that has the cause: others only have numbers that are not finite, or
/// a body inboard of it. So in one process: numbers of the state before loops, loops before joints, and of joints the
/// one nearest to the tips.
Status first_cause(const Communicator& communicator, const Status& own);

/// All ranks. `own`: over the rank's columns. The status counts all columns.
Status first_failed(const mpi::Shares& shares, std::span<const Status> own);

}  // namespace kinetree::inline inner
