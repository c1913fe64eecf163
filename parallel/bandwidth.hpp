#pragma once
// How fast threads read and write numbers in each cache and in memory, by the triad of STREAM.

#include <kinetree/calibration.hpp>
#include <vector>

#include "parallel/processors.hpp"

namespace kinetree::inline inner {

/// Bytes that each of so many threads goes over, in each of these caches, ascending by level, then in memory: half of
/// its share of the cache, but more than the cache before holds; four times its share of the last, which so keeps a
/// fiftieth if it drops lines at random, and 1 GiB of all threads at most.
std::vector<double> working_sets(const std::vector<DataCache>& caches, int threads);

/// One reading (about 0.2 s): of a thread on the first of these processors, and of one on each of them, with numbers of
/// its own.
Bandwidths bandwidths_once(const std::vector<DataCache>& caches, const std::vector<int>& processors);

/// Of this machine now: the better numbers of two readings.
Bandwidths measured_bandwidths();

/// The better numbers of the two readings that agree best, of at most `most_readings`, at least two;
/// `disagreement` becomes theirs.
Bandwidths measured_bandwidths(int most_readings, double& disagreement);

}  // namespace kinetree::inline inner
