#pragma once
// A measurement repeated until two readings agree.

#include <algorithm>
#include <cmath>
#include <kinetree/calibration.hpp>
#include <limits>
#include <vector>

namespace kinetree::inline inner {

/// The difference of two numbers over the larger one plus `negligible`.
inline double apart(double a, double b, double negligible) { return std::abs(a - b) / (std::max(a, b) + negligible); }

template <class Reading>
struct TwoReadings {
  Reading first, second;
  double disagreement;  ///< their distance
};

/// The nearest two of at least two readings, by distance(a, b).
template <class Reading, class Distance>
TwoReadings<Reading> nearest_two(const std::vector<Reading>& all, Distance&& distance) {
  std::size_t first = 0, second = 1;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t b = 1; b < all.size(); ++b)
    for (std::size_t a = 0; a < b; ++a)
      if (const double d = distance(all[a], all[b]); d < least) least = d, first = a, second = b;
  return {all[first], all[second], least};
}

/// Calls read() until some two readings are no farther apart than `agreed_within`, by distance(a, b), or `most` times,
/// at least twice. Returns the nearest two, whether they agree or not.
template <class Read, class Distance>
auto two_that_agree(int most, Read&& read, Distance&& distance) {
  using Reading = decltype(read());
  std::vector<Reading> all{read(), read()};
  TwoReadings<Reading> nearest = nearest_two(all, distance);
  while (!(nearest.disagreement <= agreed_within) && static_cast<int>(all.size()) < most) {
    all.push_back(read());
    nearest = nearest_two(all, distance);
  }
  return nearest;
}

}  // namespace kinetree::inline inner
