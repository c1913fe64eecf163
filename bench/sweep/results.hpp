#pragma once
// What a sweep found.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/sweep/cases.hpp"
#include "bench/sweep/check.hpp"
#include "bench/sweep/statistics.hpp"
#include "bench/sweep/study.hpp"

namespace kinetree::bench {

struct CaseResult {
  Case what;
  std::string failure;          ///< why it was not timed; empty where it was
  std::optional<Options> plan;  ///< the options taken, nothing left open
  int modules = 0, cut_joints = 0;
  std::optional<Check> check;
  std::string checked_against;
  std::int64_t iterations = 0;  ///< calls per repetition
  std::vector<double> ns;       ///< per state, one entry per repetition
  MedianInterval time;          ///< of ns
  std::vector<double> machine;  ///< independent_speedup of as many threads, after each repetition; empty for one thread
  double speedup = 0;           ///< against the fastest serial case of the same model and batch; 0: none
  std::string fastest_serial;   ///< which that is
  std::optional<Work> work;
};

struct SweepResults {
  Sweep sweep;
  std::vector<LoadedModel> models;
  std::vector<CaseResult> cases;
  std::vector<std::string> notes;
  double seconds = 0;  ///< how long it all took
};

/// Runs everything; `findings` get what is wrong with models, and then nothing is run.
SweepResults run_sweep(const Sweep& sweep, std::vector<Finding>& findings);

/// Fills in speedups from the medians.
void find_speedups(SweepResults& results);

}  // namespace kinetree::bench
