#pragma once
// Steps by collocation: the rates at nodes of a step determine a polynomial, its integral the states there. Nodes may
// be left out and count by weights, so that no rate is needed where it can't be known well.

#include <Eigen/Core>

namespace kinetree::inline inner {

/// The most nodes of a step; up to them Eigen keeps its matrices on the stack.
constexpr int most_nodes = 48;
using OverNodes = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most_nodes, 1>;

/// The n nodes of Gauss and Legendre in (0, 1), ascending.
OverNodes gauss_nodes(int n);

/// The polynomial nearest to values at nodes by weighted least squares, in Legendre's polynomials over the step [0, 1].
/// Allocates nothing.
class Collocation {
 public:
  using ToDegrees = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most_nodes, most_nodes>;

  Collocation() = default;
  /// Some of the Gauss nodes, each with its weight, and the number of coefficients, at least one and no more than
  /// nodes.
  Collocation(const OverNodes& nodes, const OverNodes& weights, int coefficients);

  int coefficients() const { return static_cast<int>(to_degrees_.cols()); }
  /// Values, one row per quantity and one column per node, times this are coefficients, one column per degree.
  const ToDegrees& to_degrees() const { return to_degrees_; }
  /// The integral from 0 to `s` of the polynomial is coefficients * integral(s).
  OverNodes integral(double s) const;

 private:
  ToDegrees to_degrees_;
};

}  // namespace kinetree::inline inner
