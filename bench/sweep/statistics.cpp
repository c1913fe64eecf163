#include "bench/sweep/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace kinetree::bench {
namespace {

/// Probability that the median lies between the k-th smallest and the k-th largest of n samples (k from 1):
/// 1 - 2 P(at most k - 1 samples below the median), a binomial with p = 1/2.
double coverage_of(int n, int k) {
  double below = 0;
  for (int i = 0; i < k; ++i)
    below += std::exp(std::lgamma(n + 1.) - std::lgamma(i + 1.) - std::lgamma(n - i + 1.) - n * std::log(2.));
  return 1 - 2 * below;
}

}  // namespace

MedianInterval median_interval(std::vector<double> samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  const std::size_t n = samples.size();
  MedianInterval m;
  m.median = n % 2 ? samples[n / 2] : (samples[n / 2 - 1] + samples[n / 2]) / 2;
  int k = 1;
  while (2 * (k + 1) <= static_cast<int>(n) && coverage_of(static_cast<int>(n), k + 1) >= 0.95) ++k;
  m.low = samples[static_cast<std::size_t>(k) - 1];
  m.high = samples[n - static_cast<std::size_t>(k)];
  m.coverage = n == 1 ? 0 : coverage_of(static_cast<int>(n), k);
  return m;
}

}  // namespace kinetree::bench
