#pragma once
// What a study found, in sentences. They are made from timings that hold alone, and differences from intervals that
// don't overlap.

#include <string>
#include <vector>

#include "bench/sweep/prediction.hpp"
#include "bench/sweep/results.hpp"

namespace kinetree::bench {

struct Answer {
  std::string question;
  std::string text;  ///< one or more sentences
};

/// The questions of a study (docs/using.md, study), from the results of prepare_study. `meeting_ns`: what the threads
/// of `team` wait for each other at a meeting; 0: not known. `predictions`: of the mechanism, on one thread and more.
std::vector<Answer> answers(const SweepResults& results, double meeting_ns,
                            const std::vector<PredictedThreads>& predictions);

}  // namespace kinetree::bench
