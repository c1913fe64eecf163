#pragma once
// What a timing on several threads says of scaling: speedup, efficiency, cost, serial fraction, and weak efficiency,
// each with the interval that the intervals of both its timings give.

#include "bench/sweep/results.hpp"

namespace kinetree::bench {

/// Fills in, over the fastest serial case of the same problem, speedups and weak efficiencies.
void find_scaling(SweepResults& results);

/// The label, with the algorithm that was taken: "modular:16", "automatic: ab".
std::string algorithm_words(const CaseResult& c);

/// Threads that ran, of all ranks: fewer than asked for where the executor gives no more, or `automatic` takes no more.
int threads_run(const CaseResult& c);

/// Speedup per thread that ran. Nothing without a speedup.
std::optional<Ratio> efficiency(const CaseResult& c);

/// Time of a state on all its threads: of cores, while there are as many.
double cost_ns(const CaseResult& c);

/// The share of the work that, were it serial and all else parallel, would explain the speedup S on P threads:
/// e = (1/S - 1/P) / (1 - 1/P) (Karp & Flatt 1990, with S over the fastest serial algorithm, so that extra work
/// counts as well). Nothing on one thread.
std::optional<Ratio> serial_fraction(const CaseResult& c);

}  // namespace kinetree::bench
