#pragma once
// What a run of the sweep must have to be of its kind of scaling, and the problems that it then times.

#include <string>
#include <vector>

#include "bench/sweep/sweep_file.hpp"

namespace kinetree::bench {

/// Why the run is not of its kind, a sentence for each reason. It must have a kind, and no empty list.
std::vector<std::string> kind_faults(const Run& run);

/// Gives the run what its kind compares with: one thread, and `automatic` as a series.
void complete_kind(Run& run);

/// A model, and the numbers of threads, of ranks and of states per call that it is timed with.
struct Problem {
  ModelEntry model;
  std::vector<int> threads, ranks, batches;
  int times = 0;  ///< weak scaling: how many times the problem of one thread; 0: no weak scaling
};

/// On how many pairs of threads and ranks each model of the run is timed.
std::size_t count_of_workers(const Run& run);

/// What a run times of one of its models: one problem, or in weak scaling one for each number of threads of all ranks.
/// kind_faults must have found no fault.
std::vector<Problem> problems(const Run& run, const ModelEntry& entry);

}  // namespace kinetree::bench
