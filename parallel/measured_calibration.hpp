#pragma once
// This machine's times, measured: reading after reading, until two agree.

#include <chrono>
#include <kinetree/calibration.hpp>

namespace kinetree::inline inner {

/// How long measuring may take.
struct Effort {
  int readings;   ///< at most, until two agree; at least two
  int least = 2;  ///< readings of an executor: beyond two the medians count, since each has its threads on other cores
  int rounds = 25;                         ///< over a tree, of which the median is an efficiency
  std::chrono::milliseconds settling{60};  ///< until the system has given threads cores of their own
};

// Each function keeps the better numbers of the two readings that agree best, and raises `disagreement` to theirs.

/// What one thread takes (25 ms a reading).
void measure_one_thread(Calibration& calibration, const Effort& effort);
/// What an executor adds (about 50 ms a reading, with 25 rounds, and settling).
void measure_scheduling(Calibration& calibration, ExecutorKind kind, const Effort& effort);
/// How large the last cache is, and what caches and memory give (about 0.2 s a reading, and 0.2 s).
void measure_memory(Calibration& calibration, const Effort& effort);

}  // namespace kinetree::inline inner
