#pragma once
// What the machine itself gives to threads, beside which speedups are to be read: virtual processors may be halves of
// one core, and neighbours come and go.

#include <string>

#include "parallel/core_speed.hpp"

namespace kinetree::bench {

/// The core_work that `threads` threads do together just now, sharing nothing, over that of one thread. Takes about a
/// millisecond.
double independent_speedup(int threads);

/// Two times of line_transfer_ns() in words, the shorter first.
std::string line_in_words(double one_ns, double other_ns);

/// A sentence that doubts `doubted`, where cores were nearer to each other when a calibration was taken, or farther: by
/// line_transfer_ns() then and now. Empty where they were as near, or where one of the two is not known (0).
std::string doubt_of_cores(const std::string& doubted, double calibrated_ns, double now_ns);
/// The `doubted` of predictions by with_line_transfer().
inline constexpr const char* adjusted_predictions = "predictions for several threads are adjusted to other cores";

/// OpenMP's threads wait for more work for milliseconds, on cores that whoever is timed next may need: they end here.
void end_waiting_threads();

}  // namespace kinetree::bench
