#pragma once
// Linear equations that may be redundant or too few: the solution of least norm.

#include <Eigen/QR>

namespace kinetree::inline inner {

/// A x = b for one shape of A, by a complete orthogonal decomposition (Golub & Van Loan, Sec. 5.5.7). Allocates in its
/// constructor alone, while Eigen's own `solve` allocates at each call.
class LeastNorm {
 public:
  /// Pivots below `threshold` of the largest count as zero.
  LeastNorm(Eigen::Index rows, Eigen::Index columns, double threshold)
      : decomposition_(rows, columns), c_(rows), y_(columns), x_(columns) {
    decomposition_.setThreshold(threshold);
  }

  template <class Matrix>
  void factor(const Eigen::MatrixBase<Matrix>& A) {
    decomposition_.compute(A);
  }

  Eigen::Index rank() const { return decomposition_.rank(); }

  /// Among those x that bring A x nearest to b, the shortest. Valid until the next call.
  template <class Vector>
  Eigen::VectorXd& solve(const Eigen::MatrixBase<Vector>& b) {
    // A P = Q [T 0; 0 0] Z, so x = P Zᵀ [T⁻¹ (Qᵀ b)_1; 0]; Q and Z are products of reflections
    const auto& QTZ = decomposition_.matrixQTZ();
    const Eigen::Index rank = decomposition_.rank(), others = y_.size() - rank;
    c_ = b;
    for (Eigen::Index k = 0; k < rank; ++k) {
      const Eigen::Index below = c_.size() - k - 1;
      reflect(QTZ.col(k).tail(below), decomposition_.hCoeffs()[k], c_[k], c_.tail(below));
    }
    y_.setZero();
    y_.head(rank) = c_.head(rank);
    QTZ.topLeftCorner(rank, rank).template triangularView<Eigen::Upper>().solveInPlace(y_.head(rank));
    for (Eigen::Index k = 0; others > 0 && k < rank; ++k)
      reflect(QTZ.row(k).tail(others).transpose(), decomposition_.zCoeffs()[k], y_[k], y_.tail(others));
    const auto& to = decomposition_.colsPermutation().indices();
    for (Eigen::Index k = 0; k < y_.size(); ++k) x_[to[k]] = y_[k];
    return x_;
  }

 private:
  /// I - tau w wᵀ with w = [1; essential] (Golub & Van Loan, Sec. 5.1) on [first; rest].
  template <class Essential, class Rest>
  static void reflect(const Essential& essential, double tau, double& first, Rest&& rest) {
    const double along = tau * (first + essential.dot(rest));
    first -= along;
    rest -= along * essential;
  }

  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition_;
  Eigen::VectorXd c_, y_, x_;
};

}  // namespace kinetree::inline inner
