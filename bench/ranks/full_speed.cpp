#include "bench/ranks/full_speed.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "bench/ranks/asleep.hpp"
#include "bench/ranks/world.hpp"
#include "bench/sweep/fitness.hpp"
#include "bench/sweep/machine.hpp"

namespace kinetree::bench {

bool FullSpeed::all_fast() {
  const std::vector<double> times = arithmetic_of_processors();
  if (times.empty()) return true;
  seen_.insert(seen_.end(), times.begin(), times.end());
  const auto usual = seen_.begin() + static_cast<std::ptrdiff_t>(seen_.size() / 4);
  std::nth_element(seen_.begin(), usual, seen_.end());
  return *std::max_element(times.begin(), times.end()) <= most_drift * *usual;
}

void FullSpeed::wait() {
  using std::chrono::duration, std::chrono::steady_clock;
  if (own_rank() == 0)
    while (patience_ > 0 && !all_fast()) {
      const auto began = steady_clock::now();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      patience_ -= duration<double>(steady_clock::now() - began).count();
    }
  meet_asleep(MPI_COMM_WORLD);
}

bool FullSpeed::counts() {
  int fast = 1, again = 0;
  meet_asleep(MPI_COMM_WORLD);
  if (own_rank() == 0) {
    fast = all_fast() ? 1 : 0, again = fast == 0 && patience_ > 0 ? 1 : 0;
    if (fast == 0 && again == 0) ++disturbed_;
  }
  meet_asleep(MPI_COMM_WORLD);
  MPI_Bcast(&again, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return again == 0;
}

}  // namespace kinetree::bench
