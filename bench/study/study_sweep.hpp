#pragma once
// The cases of a study of one mechanism.

#include <vector>

#include "bench/arguments.hpp"
#include "bench/sweep/results.hpp"

namespace kinetree::bench {

/// Threads that a study tries where it isn't told: 1, 2, 3, 4, 6, 8, 12, ... up to all physical cores.
std::vector<int> usual_threads(int cores);

/// Names of the runs of a study.
namespace study_run {
inline constexpr const char *one_thread = "one thread", *threads = "threads", *dial = "the dial",
                            *lanes = "lanes of one state", *batches = "batches", *twice = "twice as many bodies",
                            *ranks = "ranks", *batches_on_ranks = "batches on ranks";
}

/// The cases of a study of this model on these numbers of threads (in ascending order, 1 among them), and of ranks of
/// one thread, which take about `seconds` to measure: from 9 repetitions of 20 ms down to 5 of one call. The second
/// model, where there is one, is the mechanism twice in series. Throws InputError where the model can't be loaded.
SweepResults prepare_study(const ModelArguments& model, const std::vector<int>& threads, double seconds,
                           const std::vector<int>& ranks = {1});

}  // namespace kinetree::bench
