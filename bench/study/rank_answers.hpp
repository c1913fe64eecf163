#pragma once
// What a study says of ranks of MPI: those it measured, and those on machines that are not there.

#include <string>
#include <vector>

#include "bench/ranks/predicted_ranks.hpp"
#include "bench/study/answers.hpp"
#include "bench/sweep/results.hpp"

namespace kinetree::bench {

/// Predictions for one kind of network, a rank on each machine.
struct OnNetwork {
  std::string name;
  std::vector<PredictedRanks> ranks;
  std::string pay;  ///< from how many bodies ranks pay; empty: the mechanism is of no family
};

/// One state over ranks, batches over ranks, and the predictions.
Answer over_ranks(const SweepResults& results, const std::vector<OnNetwork>& predictions);

}  // namespace kinetree::bench
