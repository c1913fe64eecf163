#pragma once
// A measurement repeated until two readings agree.

#include <algorithm>
#include <cmath>
#include <kinetree/calibration.hpp>
#include <limits>
#include <vector>

namespace kinetree::inline inner {

/// How far two numbers are apart, relative to the larger, where they are large against `negligible`.
inline double apart(double a, double b, double negligible) { return std::abs(a - b) / (std::max(a, b) + negligible); }

template <class Reading>
struct TwoReadings {
  Reading first, second;
  double disagreement;  ///< their distance
};

/// Calls read() until some two readings are no farther apart than `agreed_within`, by distance(a, b), or `most` times,
/// at least twice. The nearest two, whether they agree or not.
template <class Read, class Distance>
auto two_that_agree(int most, Read&& read, Distance&& distance) {
  using Reading = decltype(read());
  std::vector<Reading> all{read()};
  std::size_t first = 0, second = 0;
  double least = std::numeric_limits<double>::infinity();
  do {
    all.push_back(read());
    for (std::size_t k = 0; k + 1 < all.size(); ++k)
      if (const double d = distance(all[k], all.back()); d < least) least = d, first = k, second = all.size() - 1;
  } while (!(least <= agreed_within) && static_cast<int>(all.size()) < most);
  return TwoReadings<Reading>{all[first], all[second], least};
}

}  // namespace kinetree::inline inner
