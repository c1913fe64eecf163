#include "bench/ranks/turns.hpp"

#include <chrono>
#include <thread>

#include "parallel/clock.hpp"

namespace kinetree::bench {
namespace {

double ns_of(int calls, const std::function<void()>& call) {
  const Clock::time_point begin = Clock::now();
  for (int k = 0; k < calls; ++k) call();
  return Elapsed{begin, Clock::now()}.ns() / calls;
}

/// A barrier at which ranks sleep: those of MPI wait awake.
void meet_asleep() {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  for (int over = 0; over == 0;) {
    MPI_Test(&request, &over, MPI_STATUS_IGNORE);
    if (over == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

}  // namespace

double time_together(int calls, const std::function<void()>& call) {
  meet_asleep();
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
  meet_asleep();
  double ns = 0;
  if (rank == 0) {
    call();
    ns = ns_of(calls, call);
  }
  meet_asleep();
  return ns;
}

}  // namespace kinetree::bench
