#pragma once
// How fast threads read and write numbers in each cache and in memory, by the triad of STREAM.

#include <kinetree/calibration.hpp>
#include <vector>

#include "parallel/clock.hpp"
#include "parallel/processors.hpp"

namespace kinetree::inline inner {

/// Does the triad `times` times over 15 KiB, which the nearest cache holds, and returns when it began and ended (40 ns
/// each in AVX-512). It keeps all units of a core busy, so that it takes longer while another virtual machine is on
/// that core: 1.2 to 1.4 times, where `ab` takes 1.2 to 1.6. Sums that wait for each other take no longer.
Elapsed core_work(int times);

/// Bytes that each of `threads` threads goes over, in each of these caches, ascending by level, then in memory. Cache:
/// half of the thread's share of it, but at least 1.5 times its share of the cache before. Memory: four times its share
/// of the last cache, which keeps a fiftieth of them if it drops lines at random; 1 GiB of all threads at most.
std::vector<double> working_sets(const std::vector<DataCache>& caches, int threads);

/// The size of a cache by the `rates` at which one thread went over `bytes` bytes, ascending, from some that the cache
/// holds to some that it can't hold: the most bytes before the rate falls to halfway, by ratios, between the first and
/// the last rate. 0 where the first rate is no more than 1.3 times the last.
double cache_size(const std::vector<double>& bytes, const std::vector<double>& rates);

/// How many of `cores` cores share the last cache. `bytes`: its size as one thread alone finds it; `each`: as each
/// thread finds it while one runs on every core.
int sharing_cores(double bytes, double each, int cores);

/// data_caches(). Where the system does not tell the size of the last cache, it is measured, and how many cores share
/// that cache (about 2 s); a cache that measuring does not find is left out.
std::vector<DataCache> measured_caches();

/// One reading (about 0.2 s): by a thread on the first of these processors, then by a thread on each. Every thread has
/// arrays of its own.
Bandwidths bandwidths_once(const std::vector<DataCache>& caches, const std::vector<int>& processors);

/// The bandwidth of the cache of this level; 0 for other levels than 1 to 3.
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
