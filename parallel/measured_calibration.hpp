#pragma once
// This machine's times, measured: reading after reading, until two agree.

#include <chrono>
#include <kinetree/calibration.hpp>

namespace kinetree::inline inner {

/// How long measuring may take.
struct Effort {
  int readings;  ///< at most, disturbed ones included; at least two
  /// Readings, where so many may be made: beyond two the medians count, since each has its threads on other cores.
  int least = 2;
  int rounds = 25;                         ///< over a tree, of which the median is an efficiency
  std::chrono::milliseconds settling{60};  ///< until the system has given threads cores of their own
};

// Each function raises `disagreement` to that of the two readings that agree best. With `least` 2 the better numbers of
// these two are kept, with more the middle ones of all. Readings of an executor beside which a processor was slow are
// left out.

/// What one thread takes (25 ms a reading, and 0.3 ms a processor).
void measure_one_thread(Calibration& calibration, const Effort& effort);
/// What an executor adds (about 50 ms a reading, 0.6 ms a processor, with 25 rounds, and settling).
void measure_scheduling(Calibration& calibration, ExecutorKind kind, const Effort& effort);
/// How large the last cache is, and what caches and memory give (about 0.2 s a reading, and 0.2 s).
void measure_memory(Calibration& calibration, const Effort& effort);

}  // namespace kinetree::inline inner
