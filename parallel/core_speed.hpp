#pragma once
// How fast processors are right now: a core is slower while another virtual machine shares it (see core_work).

#include <vector>

namespace kinetree::inline inner {

/// Nanoseconds of a fixed amount of core_work on this thread: the better of two runs of about 0.05 ms. It changes only
/// with the processor's speed, or if another virtual machine comes to its core.
double arithmetic_ns();

/// Nanoseconds of the same work on each processor that the calling thread may use, in turn (0.3 ms a processor).
std::vector<double> arithmetic_of_processors();

/// A processor that took more than this many times its usual time was slow.
inline constexpr double most_drift = 1.08;

/// The speed of the slowest processor that the calling thread may use, over that of the fastest, right now. Less than 1
/// where another virtual machine shares a core, or where cores are of several kinds.
double slowest_processor();

/// The processor that is the fastest right now; -1 where processors are not known.
int fastest_processor();

}  // namespace kinetree::inline inner
