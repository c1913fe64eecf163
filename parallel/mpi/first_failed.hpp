#pragma once
// The first column of all ranks that failed.

#include <kinetree/mpi/shares.hpp>
#include <kinetree/status.hpp>
#include <span>

namespace kinetree::inline inner {

/// All ranks. `own`: over the rank's columns. The status counts all columns.
Status first_failed(const mpi::Shares& shares, std::span<const Status> own);

}  // namespace kinetree::inline inner
