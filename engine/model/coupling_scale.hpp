#pragma once
// How large an error of a coupling is: the one measure for loading, locking, states and simulations.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace kinetree::inline inner {

/// Measures the error of a coupling, its sum of terms less the offset. Terms are added one by one.
class CouplingScale {
 public:
  explicit CouplingScale(double offset) : sum_(std::abs(offset)) {}
  /// A term's factors of the first to fourth power. Each power counts by itself: where they cancel, as of fitted
  /// curves, their rounding stays.
  void add(double coefficient, const std::array<double, 3>& powers, double position) {
    double power = 1, slope = std::abs(coefficient), size = slope * std::abs(position);
    for (std::size_t k = 0; k < powers.size(); ++k) {
      power *= std::abs(position);
      slope += static_cast<double>(k + 2) * std::abs(powers[k]) * power;
      size += std::abs(powers[k] * position) * power;
    }
    sum_ += size;
    largest_ = std::max(largest_, slope);
  }

  /// The measure of positions' errors: the sum of what is added up and |offset|, whose rounding the error has. Near
  /// zero that says nothing; there it is the largest slope (coefficient), the error where a joint is off by 1 rad or m,
  /// so that couplings are as exact as loops.
  double of_positions() const { return measure(std::max(sum_, largest_)); }
  /// The measure of velocities' errors: the error where a joint is off by 1 rad/s or m/s.
  double of_velocities() const { return measure(largest_); }

 private:
  /// Sums of squares and the like measure nothing where all of their joints stand at zero.
  static double measure(double size) { return size > 0 ? size : 1; }

  double sum_, largest_ = 0;
};

}  // namespace kinetree::inline inner
