#pragma once
// Steps by collocation: the rates at nodes of a step determine a polynomial, its integral the states there. Nodes may
// be left out, so that no rate is needed where it can't be known well.

#include <Eigen/Core>
#include <vector>

namespace kinetree::inline inner {

/// The n nodes of Gauss and Legendre in (0, 1), ascending.
std::vector<double> gauss_nodes(int n);

/// The polynomial of degree nodes - 1 through values at nodes, in Legendre's polynomials over the step [0, 1].
class Collocation {
 public:
  /// Some of the Gauss nodes, at least two.
  explicit Collocation(const std::vector<double>& nodes);

  /// One row per quantity, one column per node -> one column per degree.
  Eigen::MatrixXd coefficients(const Eigen::MatrixXd& values) const { return values * inverse_; }
  /// The integral from 0 to `s` of the polynomial is coefficients * integral(s).
  Eigen::VectorXd integral(double s) const;

 private:
  Eigen::Index count_;
  Eigen::MatrixXd inverse_;
};

}  // namespace kinetree::inline inner
