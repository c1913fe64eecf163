#pragma once
// How fast threads read and write numbers in each cache and in memory, by the triad of STREAM.

#include <kinetree/calibration.hpp>
#include <vector>

#include "parallel/clock.hpp"
#include "parallel/processors.hpp"

namespace kinetree::inline inner {

/// When so much work ran: the triad over 15 KiB, which the nearest cache holds, so many times (40 ns each in AVX-512). It
/// asks for all that a core has, and takes longer where another virtual machine is on the same core: 1.2 to 1.4 times,
/// where `ab` takes 1.2 to 1.6. Sums that wait for each other don't.
Elapsed core_work(int times);

/// Bytes that each of so many threads goes over, in each of these caches, ascending by level, then in memory: half of
/// its share of the cache, but more than the cache before holds; four times its share of the last, which so keeps a
/// fiftieth if it drops lines at random, and 1 GiB of all threads at most.
std::vector<double> working_sets(const std::vector<DataCache>& caches, int threads);

/// The size of a cache by the rates at which one thread went over so many bytes, ascending, from some that the cache
/// holds to some that it can't hold: the most bytes before the rate falls to halfway, by ratios, between the first and
/// the last. 0 where the first is no more than 1.3 times the last.
double cache_size(const std::vector<double>& bytes, const std::vector<double>& rates);

/// The cores that share the last cache, of so many: `bytes` is what one thread finds in it, `each` what each of
/// a thread on every core does, all at once.
int sharing_cores(double bytes, double each, int cores);

/// data_caches(); a size that is not known there is measured, and how many cores share that cache (about 2 s); a cache that
/// is not there is left out.
std::vector<DataCache> measured_caches();

/// One reading (about 0.2 s): of a thread on the first of these processors, and of one on each of them, with numbers of
/// its own.
Bandwidths bandwidths_once(const std::vector<DataCache>& caches, const std::vector<int>& processors);

/// What a cache of this level gives; 0 where levels go no further.
Bandwidth of_level(const Bandwidths& bandwidths, int level);

/// The caches, as measured_caches() has them, and how fast threads are in these and in memory.
struct Memory {
  std::vector<DataCache> caches;
  Bandwidths bandwidths;
};

/// The better numbers of the two readings that agree best, of at most `most_readings`, at least two;
/// `disagreement` becomes theirs.
Memory measured_memory(int most_readings, double& disagreement);

/// Of this machine now: the better numbers of two readings.
Memory measured_memory();

/// Puts the sizes of caches, and how many last ones there are, in place of the calibration's.
void set_caches(Calibration& calibration, const std::vector<DataCache>& caches);

/// Puts what was measured in place of the calibration's.
void set_memory(Calibration& calibration, const Memory& memory);

}  // namespace kinetree::inline inner
