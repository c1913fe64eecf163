#include "bench/ranks/turns.hpp"

#include "bench/ranks/asleep.hpp"
#include "parallel/clock.hpp"

namespace kinetree::bench {
namespace {

double ns_of(int calls, const std::function<void()>& call) {
  const Clock::time_point begin = Clock::now();
  for (int k = 0; k < calls; ++k) call();
  return Elapsed{begin, Clock::now()}.ns() / calls;
}

}  // namespace

double time_together(int calls, const std::function<void()>& call) {
  meet_asleep(MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  call();  // warm, and every rank has begun
  MPI_Barrier(MPI_COMM_WORLD);
  const double ns = ns_of(calls, call);
  MPI_Barrier(MPI_COMM_WORLD);
  return ns;
}

double time_alone(int calls, const std::function<void()>& call) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  meet_asleep(MPI_COMM_WORLD);
  double ns = 0;
  if (rank == 0) {
    call();
    ns = ns_of(calls, call);
  }
  meet_asleep(MPI_COMM_WORLD);
  return ns;
}

}  // namespace kinetree::bench
