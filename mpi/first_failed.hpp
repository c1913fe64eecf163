#pragma once
// Which of all ranks failed first.

#include <kinetree/mpi/shares.hpp>
#include <kinetree/status.hpp>
#include <span>

#include "mpi/communicator.hpp"

namespace kinetree::inline inner {

/// All ranks. The status of the lowest rank on which it is not ok.
Status first_failed(const Communicator& communicator, const Status& own);

/// All ranks. `own`: over the rank's columns. The status counts all columns.
Status first_failed(const mpi::Shares& shares, std::span<const Status> own);

}  // namespace kinetree::inline inner
