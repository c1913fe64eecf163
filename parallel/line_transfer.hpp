#pragma once
// How far cores are from each other: where they share a cache, threads hand work over much sooner.

#include <kinetree/calibration.hpp>

namespace kinetree::inline inner {

/// Nanoseconds in which a line of the cache goes from one core to another, by the two lowest of one_of_each_core(): 30
/// where they share a cache, 210 where they don't (EPYC). A virtual machine may be moved from such cores to others, and
/// its threads then take longer. 0 on one core. Takes about a millisecond.
double line_transfer_ns();

/// The cores were moved if of two such times one is more than this many times the other.
inline constexpr double most_moved = 1.5;

/// Whether the cores were moved between two such measurements; false where one is 0, not known.
bool were_moved(double one_ns, double other_ns);

/// The calibration for a line transfer of `ns`: each cost of threads changes by the lines that it waits for, times the
/// change of the line transfer; growths stay. Unchanged where the cores were not moved.
Calibration with_line_transfer(Calibration calibration, double ns);

}  // namespace kinetree::inline inner
