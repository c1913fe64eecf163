#pragma once
// What a study found, in sentences. They are made from timings that hold alone, and differences from intervals that
// don't overlap.

#include <string>
#include <vector>

#include "bench/sweep/results.hpp"

namespace kinetree::bench {

struct Answer {
  std::string question;
  std::string text;  ///< one or more sentences
};

/// The five questions of a study (docs/using.md, study), from the results of prepare_study. `meeting_ns`: what the
/// threads of `team` wait for each other at a meeting; 0: not known.
std::vector<Answer> answers(const SweepResults& results, double meeting_ns);

}  // namespace kinetree::bench
