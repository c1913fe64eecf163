#include "mpi/communicator.hpp"

namespace kinetree::inline inner {

void check_mpi(int result, const char* function, int rank) {
  if (result == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(result, text, &length);
  throw mpi::Error(rank, "rank " + std::to_string(rank) + ": " + function + " failed: " + text);
}

Communicator::Communicator(MPI_Comm comm) {
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (initialized == 0)
    throw mpi::Error(0, "MPI is not initialized; call MPI_Init_thread before, which the library never does");
  check_mpi(MPI_Comm_rank(comm, &rank_), "MPI_Comm_rank", 0);
  check_mpi(MPI_Comm_size(comm, &ranks_), "MPI_Comm_size", rank_);
  check_mpi(MPI_Comm_dup(comm, &comm_), "MPI_Comm_dup", rank_);
}

Communicator::~Communicator() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized == 0) MPI_Comm_free(&comm_);
}

void Communicator::agree(const std::string& fault) const {
  const int own = fault.empty() ? ranks_ : rank_;
  int first = ranks_;
  call("MPI_Allreduce", MPI_Allreduce(&own, &first, 1, MPI_INT, MPI_MIN, comm_));
  if (first == ranks_) return;
  auto length = static_cast<int>(fault.size());
  broadcast(length, first);
  std::string text = fault;
  text.resize(static_cast<std::size_t>(length));
  call("MPI_Bcast", MPI_Bcast(text.data(), length, MPI_CHAR, first, comm_));
  throw mpi::Error(first, "rank " + std::to_string(first) + " of " + std::to_string(ranks_) + ": " + text);
}

}  // namespace kinetree::inline inner
