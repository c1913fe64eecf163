#pragma once
// This machine's times, measured: reading after reading, until two agree.

#include <kinetree/calibration.hpp>

namespace kinetree::inline inner {

/// All keep the better numbers of the two readings that agree best, raise `disagreement` to theirs, and take no more
/// than `most_readings`, at least two.

/// What one thread takes (25 ms a reading).
void measure_one_thread(Calibration& calibration, int most_readings);
/// What an executor adds (about 30 ms a reading, and up to 60 more until the system has given threads cores of their
/// own).
void measure_scheduling(Calibration& calibration, ExecutorKind kind, int most_readings);
/// What caches and memory give (about 0.2 s a reading).
void measure_bandwidths(Calibration& calibration, int most_readings);

}  // namespace kinetree::inline inner
