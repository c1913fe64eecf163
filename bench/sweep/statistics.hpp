#pragma once
// The median of repetitions and how far it can be trusted.

#include <vector>

namespace kinetree::bench {

/// A median with a confidence interval from order statistics: no assumption on the distribution.
struct MedianInterval {
  double median = 0;
  double low = 0,
         high = 0;      ///< the closest pair of order statistics, symmetric, with coverage >= 95 %; else the extremes
  double coverage = 0;  ///< what the pair really covers
};

MedianInterval median_interval(std::vector<double> samples);

}  // namespace kinetree::bench
