#pragma once
// This machine's times, measured: reading after reading, until two agree.

#include <chrono>
#include <kinetree/calibration.hpp>

namespace kinetree::inline inner {

/// How many readings are made, and how long each may take.
struct Effort {
  int most_readings;  ///< disturbed ones included; two are made in any case
  /// Of one thread, and undisturbed ones of an executor, as far as `most_readings` allows. With more than 2 an
  /// executor's medians count, since the system puts the threads of every reading on other cores.
  int fewest_readings = 2;
  int runs = 25;                           ///< of the small tree by two threads; other trees: fewer, at least 9
  std::chrono::milliseconds settling{60};  ///< of each reading: the longest wait for threads to get cores of their own
};

// Each function raises `disagreement` to the distance of its two readings that agree best. It keeps
// - of one thread: the medians of `ab` and `dial` over all readings; `pack` and `lanes` of the faster of those two;
// - of an executor: the medians of all undisturbed readings; if `fewest_readings` is 2 the better numbers of those two;
// - of memory: the better numbers of those two.
// A reading is disturbed if a processor was slow before or after it. Disturbed readings of an executor count only where
// fewer than two others are left. The median of an even number of readings is the better of the middle two.

/// What one thread takes: about 25 ms a reading, and 0.3 ms a processor.
void measure_one_thread(Calibration& calibration, const Effort& effort);
/// What an executor adds: about 50 ms a reading with 25 runs, 0.6 ms a processor, and settling.
void measure_scheduling(Calibration& calibration, ExecutorKind kind, const Effort& effort);
/// Sizes of caches, and bandwidths of caches and memory: about 0.2 s a reading, and about 2 s where the system does not
/// tell the size of the last cache.
void measure_memory(Calibration& calibration, const Effort& effort);

}  // namespace kinetree::inline inner
