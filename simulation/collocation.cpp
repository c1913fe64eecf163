#include "simulation/collocation.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <cmath>

namespace kinetree::inline inner {
namespace {

/// Legendre's polynomials of degrees 0 to `count` at x in [-1, 1].
auto legendre(double x, Eigen::Index count) {
  Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most_nodes + 1, 1> p(count + 1);
  p[0] = 1;
  if (count > 0) p[1] = x;
  for (Eigen::Index k = 1; k < count; ++k) {
    const auto n = static_cast<double>(k);
    p[k + 1] = ((2 * n + 1) * x * p[k] - n * p[k - 1]) / (n + 1);
  }
  return p;
}

}  // namespace

OverNodes gauss_nodes(int n) {
  // eigenvalues of the recurrence's matrix (Golub & Welsch)
  Eigen::MatrixXd recurrence = Eigen::MatrixXd::Zero(n, n);
  for (int k = 1; k < n; ++k) recurrence(k, k - 1) = recurrence(k - 1, k) = k / std::sqrt(4.0 * k * k - 1);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> x(recurrence, Eigen::EigenvaluesOnly);
  return (x.eigenvalues().array() + 1) / 2;
}

Collocation::Collocation(const OverNodes& nodes, const OverNodes& weights, int coefficients) {
  // of V c = values in which each row has its weight: c = R^-1 Q^T (weights * values)
  ToDegrees V(nodes.size(), coefficients);
  for (Eigen::Index k = 0; k < nodes.size(); ++k)
    V.row(k) = weights[k] * legendre(2 * nodes[k] - 1, coefficients - 1).transpose();
  const Eigen::HouseholderQR<ToDegrees> factors(V);
  ToDegrees Q = ToDegrees::Identity(nodes.size(), coefficients);
  Q.applyOnTheLeft(factors.householderQ());
  to_degrees_ = weights.asDiagonal() * Q;
  factors.matrixQR()
      .topRows(coefficients)
      .triangularView<Eigen::Upper>()
      .transpose()
      .solveInPlace<Eigen::OnTheRight>(to_degrees_);
}

OverNodes Collocation::integral(double s) const {
  const Eigen::Index count = to_degrees_.cols();
  const double x = 2 * s - 1;
  const auto p = legendre(x, count);
  OverNodes sum(count);
  sum[0] = (x + 1) / 2;
  for (Eigen::Index k = 1; k < count; ++k) sum[k] = (p[k + 1] - p[k - 1]) / (2 * (2 * static_cast<double>(k) + 1));
  return sum;
}

}  // namespace kinetree::inline inner
