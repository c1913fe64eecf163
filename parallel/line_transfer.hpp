#pragma once
// How far cores are from each other: where they share a cache, threads hand work over much sooner.

#include <kinetree/calibration.hpp>

namespace kinetree::inline inner {

/// The time in which a line of the cache goes from the first core that this process may use to the second, in ns: 30
/// where they share a cache, 210 where they don't (EPYC). A virtual machine may be moved from one to the other,
/// and threads take longer. 0 on one core. Takes about a millisecond.
double line_transfer_ns();

/// The cores were moved where one such time is more than so many times another.
inline constexpr double most_moved = 1.5;

/// Whether the cores were moved between two such measurements; false where one is 0, not known.
bool were_moved(double one_ns, double other_ns);

/// The calibration as it would be if a line of the cache took so long from one core to another: costs of threads are so
/// many lines longer or shorter. Unchanged where the cores were not moved.
Calibration with_line_transfer(Calibration calibration, double ns);

}  // namespace kinetree::inline inner
