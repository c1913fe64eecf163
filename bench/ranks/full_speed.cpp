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
#include "bench/sweep/results.hpp"

namespace kinetree::bench {

bool FullSpeed::all_fast() {
  const std::vector<double> times = arithmetic_of_processors();
  if (times.empty()) return true;
  seen_.insert(seen_.end(), times.begin(), times.end());
  return *std::max_element(times.begin(), times.end()) <= most_drift * usual({}, seen_).yardstick;
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
  int again = 0;
  meet_asleep(MPI_COMM_WORLD);
  if (own_rank() == 0 && !all_fast()) patience_ > 0 ? ++again : ++disturbed_;
  meet_asleep(MPI_COMM_WORLD);
  MPI_Bcast(&again, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return again == 0;
}

}  // namespace kinetree::bench
