#pragma once
// What the machine itself gives to threads, beside which speedups are to be read: virtual processors may be halves of
// one core, and neighbours come and go.

#include <string>
#include <vector>

#include "parallel/core_speed.hpp"

namespace kinetree::bench {

/// How many times as much core_work so many threads do as one, right now, where they share nothing: about a millisecond.
double independent_speedup(int threads);

/// Two times of line_transfer_ns() in words, the shorter first.
std::string line_in_words(double one_ns, double other_ns);

/// What to say of `doubted` where cores were nearer to each other, or farther, when a calibration was taken, by
/// line_transfer_ns() then and now; empty where they weren't, or it is not known (0).
std::string doubt_of_cores(const std::string& doubted, double calibrated_ns, double now_ns);
/// The `doubted` of predictions by with_line_transfer().
inline constexpr const char* adjusted_predictions = "predictions for several threads are adjusted to other cores";

/// Processor time that this process has taken, in seconds.
double process_seconds();

/// Seconds since the system's start, over the processors that this process may use.
struct ProcessorTimes {
  double all = 0;     ///< busy, idle and stolen
  double busy = 0;    ///< of all processes, and of the system for them
  double stolen = 0;  ///< by other virtual machines
  double own = 0;     ///< of this process
};

/// As /proc/stat has them; zero where there is none.
ProcessorTimes processor_times();

/// OpenMP's threads wait for more work for milliseconds, on cores that whoever is timed next may need: they end here.
void end_waiting_threads();

}  // namespace kinetree::bench
