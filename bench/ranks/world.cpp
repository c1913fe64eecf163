#include "bench/ranks/world.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <string>

#include "bench/arguments.hpp"
#include "engine/scalar/number_from.hpp"
#if KINETREE_MPI
#include <mpi.h>

#include "mpi/communicator.hpp"
#endif

namespace kinetree::bench {
namespace {

/// Of Open MPI, of PMI (MPICH, Slurm), of PMIx (Slurm).
[[maybe_unused]] bool launched() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK"})
    if (std::getenv(name) != nullptr) return true;
  return false;
}

int real_stderr = STDERR_FILENO;  ///< where abort_all_ranks writes

/// What this process prints from here on goes nowhere.
[[maybe_unused]] void be_silent() {
  std::fflush(stdout);
  real_stderr = ::dup(STDERR_FILENO);
  const int nowhere = ::open("/dev/null", O_WRONLY);
  ::dup2(nowhere, STDOUT_FILENO), ::dup2(nowhere, STDERR_FILENO);
}

}  // namespace

#if KINETREE_MPI

World::World() {
  if (!launched()) return;
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  if (own_rank() > 0) be_silent();
}

World::~World() {
  int begun = 0;
  MPI_Initialized(&begun);
  if (begun != 0) MPI_Finalize();
}

int rank_count() {
  int begun = 0, count = 1;
  MPI_Initialized(&begun);
  if (begun != 0) MPI_Comm_size(MPI_COMM_WORLD, &count);
  return count;
}

int own_rank() {
  int begun = 0, rank = 0;
  MPI_Initialized(&begun);
  if (begun != 0) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

void on_all_ranks(const std::function<void()>& action) {
  if (rank_count() == 1) return action();
  std::exception_ptr own;
  std::string fault;
  try {
    action();
  } catch (const std::exception& error) {
    own = std::current_exception(), fault = error.what();
  }
  try {
    Communicator(MPI_COMM_WORLD).agree(fault);
  } catch (const mpi::Error&) {
    if (own) std::rethrow_exception(own);
    throw;
  }
}

void abort_all_ranks(const char* message) {
  const std::string text = fmt::format("kinetree: rank {}: {}\n", own_rank(), message);
  if (::write(real_stderr, text.data(), text.size()) < 0) std::fputs(text.c_str(), stderr);
  MPI_Abort(MPI_COMM_WORLD, wrong_input);
  std::abort();
}

#else

World::World() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* size = std::getenv(name); size != nullptr && first_number(size, 0) > 1)
      throw UsageError(fmt::format(
          "{} processes were started, and this kinetree is built without MPI: each would do the same; start one, or "
          "build it where MPI is (Debian: libopenmpi-dev)",
          size));
}
World::~World() = default;

int rank_count() { return 1; }
int own_rank() { return 0; }
void on_all_ranks(const std::function<void()>& action) { action(); }

void abort_all_ranks(const char* message) {
  fmt::print(stderr, "kinetree: {}\n", message);
  std::abort();
}

#endif

}  // namespace kinetree::bench
