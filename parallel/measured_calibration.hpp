#pragma once
// This machine's times, measured: reading after reading, until two agree.

#include <kinetree/calibration.hpp>

namespace kinetree::inline inner {

// Each function reads until two readings agree: seven times, memory twice, but not more than `most_readings` times
// (twice in any case). It raises `disagreement` to the distance of the two that agree best, and keeps
// - of one thread: the medians of `ab` and `dial`; `pack` and `lanes` of the faster of those two;
// - of an executor: the medians of all undisturbed readings, since the system puts the threads of every reading on
// other
//   cores;
// - of memory: the better numbers of those two.
// A reading is disturbed if a processor was slow before or after it. Disturbed readings of an executor count only where
// fewer than two others are left. The median of an even number of readings is the better of the middle two.

/// What one thread takes: about 25 ms a reading, and 0.3 ms a processor.
void measure_one_thread(Calibration& calibration, int most_readings);
/// What an executor adds: about 0.1 s a reading, 0.6 ms a processor, and up to 0.5 s until threads have cores of their
/// own.
void measure_scheduling(Calibration& calibration, ExecutorKind kind, int most_readings);
/// Sizes of caches, and bandwidths of caches and memory: about 0.2 s a reading, and about 2 s where the system does not
/// tell the size of the last cache.
void measure_memory(Calibration& calibration, int most_readings);

}  // namespace kinetree::inline inner
