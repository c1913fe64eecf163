#include "simulation/collocation.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>

namespace kinetree::inline inner {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// Legendre's polynomials of degrees 0 to `count` at x in [-1, 1].
VectorXd legendre(double x, Index count) {
  VectorXd p(count + 1);
  p[0] = 1;
  if (count > 0) p[1] = x;
  for (Index k = 1; k < count; ++k) {
    const auto n = static_cast<double>(k);
    p[k + 1] = ((2 * n + 1) * x * p[k] - n * p[k - 1]) / (n + 1);
  }
  return p;
}

}  // namespace

std::vector<double> gauss_nodes(int n) {
  // eigenvalues of the recurrence's matrix (Golub & Welsch)
  Eigen::MatrixXd recurrence = Eigen::MatrixXd::Zero(n, n);
  for (int k = 1; k < n; ++k) recurrence(k, k - 1) = recurrence(k - 1, k) = k / std::sqrt(4.0 * k * k - 1);
  const VectorXd x = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(recurrence, Eigen::EigenvaluesOnly).eigenvalues();
  std::vector<double> nodes;
  for (const double each : x) nodes.push_back((1 + each) / 2);
  return nodes;
}

Collocation::Collocation(const std::vector<double>& nodes) : count_(static_cast<Index>(nodes.size())) {
  Eigen::MatrixXd values(count_, count_);  // degrees x nodes
  for (Index k = 0; k < count_; ++k) values.col(k) = legendre(2 * nodes[static_cast<std::size_t>(k)] - 1, count_ - 1);
  inverse_ = values.inverse();
}

VectorXd Collocation::integral(double s) const {
  const double x = 2 * s - 1;
  const VectorXd p = legendre(x, count_);
  VectorXd sum(count_);
  sum[0] = (x + 1) / 2;
  for (Index k = 1; k < count_; ++k) sum[k] = (p[k + 1] - p[k - 1]) / (2 * (2 * static_cast<double>(k) + 1));
  return sum;
}

}  // namespace kinetree::inline inner
