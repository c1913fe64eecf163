#include "bench/ranks/binding.hpp"

#include <fmt/format.h>
#include <sched.h>

namespace kinetree::bench {
namespace {

/// None where the system does not tell.
cpu_set_t allowed() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) CPU_ZERO(&set);
  return set;
}

}  // namespace

int own_processors() {
  const cpu_set_t set = allowed();
  return CPU_COUNT(&set);
}

std::string binding_in_words(MPI_Comm comm) {
  const cpu_set_t own = allowed();
  cpu_set_t together = own;
  MPI_Comm here = MPI_COMM_NULL;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
  MPI_Allreduce(&own, &together, sizeof own, MPI_BYTE, MPI_BOR, here);
  MPI_Comm_free(&here);
  if (CPU_COUNT(&own) == CPU_COUNT(&together)) return {};
  return fmt::format(
      "the launcher bound this rank to {} of the {} processors that the ranks of its machine may use, and its threads "
      "share these; start the ranks by mpirun --bind-to none (MPICH: mpiexec -bind-to none; Slurm: srun "
      "--cpu-bind=none)",
      CPU_COUNT(&own), CPU_COUNT(&together));
}

}  // namespace kinetree::bench
