#pragma once
// How fast processors are right now: another virtual machine that shares a core makes it 1.2 to 1.8 times as slow.

#include <vector>

namespace kinetree::inline inner {

/// Times a fixed amount of core_work on this thread, in ns, the better of two times 0.05 ms. It changes only if the
/// processor's speed does, or another virtual machine comes to its core.
double arithmetic_ns();

/// The same arithmetic on each processor that this process may use, in turn, in ns: about 0.3 ms a processor.
std::vector<double> arithmetic_of_processors();

/// From so many times its usual time on, a processor was slow.
inline constexpr double most_drift = 1.08;

/// The speed of the slowest processor that this process may use, over that of the fastest, right now. Less
/// than 1 where another virtual machine shares a core, or where cores are of several kinds.
double slowest_processor();

/// The processor that is the fastest right now; -1 where they are not known.
int fastest_processor();

}  // namespace kinetree::inline inner
