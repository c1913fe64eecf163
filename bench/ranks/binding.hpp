#pragma once
// Binding: the processors that a launcher leaves each rank. Open MPI binds a rank to one core unless it is told
// otherwise, and all threads of that rank share the core.

#include <mpi.h>

#include <string>

namespace kinetree::bench {

/// Logical processors that this process may use; 0 where the system does not tell.
int own_processors();

/// All ranks. Where this rank may use fewer processors than the ranks of its machine together, a sentence that says so
/// and how to start the ranks instead; else empty.
std::string binding_in_words(MPI_Comm comm);

}  // namespace kinetree::bench
