#pragma once
// What a study predicts, in sentences: of more cores than there are, and where no timing holds.

#include <string>
#include <vector>

#include "bench/study/answers.hpp"
#include "bench/sweep/prediction.hpp"
#include "bench/sweep/results.hpp"

namespace kinetree::bench {

/// One sentence each, which says that it is predicted; empty where nothing is.
class PredictedAnswers {
 public:
  PredictedAnswers(const SweepResults& results, const std::vector<PredictedThreads>& predictions)
      : results_(results), predictions_(predictions) {}

  std::string which_algorithm() const;
  std::string which_grain(int most_threads) const;
  std::string how_many_threads(int most_threads) const;
  std::string how_many_states() const;
  std::string twice_as_many() const;
  Answer on_more_cores() const;

 private:
  /// How far predictions were off where both are known, in words.
  std::string trust() const;

  const SweepResults& results_;
  const std::vector<PredictedThreads>& predictions_;
};

}  // namespace kinetree::bench
