#pragma once
// How large an error of a coupling is: the one measure for loading, locking, states and simulations.

#include <algorithm>
#include <cmath>

namespace kinetree::inline inner {

/// Measures the error of a coupling, its sum of coefficient * position less the offset. Terms are added one by one.
class CouplingScale {
 public:
  explicit CouplingScale(double offset) : sum_(std::abs(offset)) {}
  void add(double coefficient, double position) {
    sum_ += std::abs(coefficient * position);
    largest_ = std::max(largest_, std::abs(coefficient));
  }

  /// The measure of positions' errors: the sum of |coefficient * position| and |offset|, whose rounding the error has.
  /// Near zero that says nothing; there it is the largest coefficient, the error where a joint is off by 1 rad or m, so
  /// that couplings are as exact as loops.
  double of_positions() const { return std::max(sum_, largest_); }
  /// The measure of velocities' errors: the error where a joint is off by 1 rad/s or m/s.
  double of_velocities() const { return largest_; }

 private:
  double sum_, largest_ = 0;
};

}  // namespace kinetree::inline inner
