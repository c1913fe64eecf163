#pragma once
// The ranks of this command, where mpirun or srun started it. Rank 0 reads, decides and prints; the other ranks do what
// it asks for, and print nothing. Without a launcher, and without MPI in the build, there is one rank.

#include <functional>

namespace kinetree::bench {

/// From the beginning of main to its end. Initializes MPI where a launcher started the process. Throws UsageError where
/// a launcher started several processes and this build has no MPI.
class World {
 public:
  World();
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;
};

int rank_count();
int own_rank();

/// All ranks. Runs the action on each; where it throws on one, all throw: a rank its own exception, the others
/// mpi::Error with the message of the lowest such rank.
void on_all_ranks(const std::function<void()>& action);

/// Ends all ranks at once, with a message: on an error that the others do not know of.
[[noreturn]] void abort_all_ranks(const char* message);

}  // namespace kinetree::bench
