#pragma once
// What a run of the sweep must have to be of its kind of scaling, and the problems that it then times.

#include <string>
#include <vector>

#include "bench/sweep/sweep_file.hpp"

namespace kinetree::bench {

/// Why the run is not of its kind, a sentence each; `run.kind` is set, and no list is empty.
std::vector<std::string> kind_faults(const Run& run);

/// Gives the run what its kind compares with: one thread, and `automatic` as a series.
void complete_kind(Run& run);

/// One model on some threads of some ranks, with some batches.
struct Problem {
  ModelEntry model;
  std::vector<int> threads, ranks, batches;
  int share = 0;  ///< weak scaling: how many times the problem of one thread; 0: no weak scaling
};

/// How many numbers of threads and ranks that makes for each model.
std::size_t count_of_workers(const Run& run);

/// One for each model of a run, in weak scaling one for each number of threads of all ranks too: none where kind_faults
/// finds a fault.
std::vector<Problem> problems(const Run& run, const ModelEntry& entry);

}  // namespace kinetree::bench
