#include "bench/ranks/asleep.hpp"

#include <chrono>
#include <thread>

namespace kinetree::bench {

void complete_asleep(MPI_Request& request) {
  for (;;) {
    int over = 0;
    MPI_Test(&request, &over, MPI_STATUS_IGNORE);
    if (over != 0) return;
    std::this_thread::sleep_for(std::chrono::microseconds(500));
  }
}

void meet_asleep(MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(comm, &request);
  complete_asleep(request);
}

}  // namespace kinetree::bench
