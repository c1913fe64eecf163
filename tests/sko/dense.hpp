#pragma once
// Operators of an SKO model as plain matrices: blocks put in their places by hand, resolvents by LU, everything else
// by its definition. Of the library's results only the articulated inertias P are taken, which Eq. 31 then judges.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <kinetree/sko/riccati.hpp>

#include "engine/scalar/worst.hpp"
#include "sko/models.hpp"

namespace kinetree::sko {

using MatrixXd = Matrix<double>;

inline MatrixXd placed(const BlockDiagonal<double>& X) {
  MatrixXd result = MatrixXd::Zero(X.space->total(X.rows), X.space->total(X.columns));
  for (int k = 0; k < X.space->nodes(); ++k)
    result.block(X.space->offset(X.rows, k), X.space->offset(X.columns, k), X(k).rows(), X(k).cols()) = X(k);
  return result;
}

inline MatrixXd placed(const Spo<double>& A) {
  const int n = A.space->total(Kind::node);
  MatrixXd result = MatrixXd::Zero(n, n);
  for (int k = 0; k < A.space->nodes(); ++k)
    if (const int p = A.space->tree().parent(k); p >= 0)
      result.block(A.space->offset(Kind::node, p), A.space->offset(Kind::node, k), A(k).rows(), A(k).cols()) = A(k);
  return result;
}

inline MatrixXd one(Eigen::Index n) { return MatrixXd::Identity(n, n); }
inline MatrixXd inverse(const MatrixXd& X) {
  if (X.size() == 0) return X;
  return X.partialPivLu().solve(one(X.rows()));
}

/// Block (i, j) of a matrix whose rows and columns are those of a space.
inline MatrixXd block(const MatrixXd& X, const Space& space, Kind rows, Kind columns, int i, int j) {
  return X.block(space.offset(rows, i), space.offset(columns, j), space.size(rows, i), space.size(columns, j));
}
inline bool is_exactly_zero(const MatrixXd& X) { return (X.array() == 0).all(); }
/// check(i, j) on every pair of nodes.
template <class Check>
void for_pairs(const Space& space, Check&& check) {
  for (int i = 0; i < space.nodes(); ++i)
    for (int j = 0; j < space.nodes(); ++j) check(i, j);
}
inline MatrixXd node_block(const MatrixXd& X, const Space& space, int i, int j) {
  return block(X, space, Kind::node, Kind::node, i, j);
}
/// The diagonal blocks of a node x node matrix, zeros elsewhere.
inline MatrixXd diagonal_of(const MatrixXd& X, const Space& space) {
  MatrixXd result = MatrixXd::Zero(X.rows(), X.cols());
  for (int k = 0; k < space.nodes(); ++k) {
    const int o = space.offset(Kind::node, k), m = space.size(Kind::node, k);
    result.block(o, o, m, m) = X.block(o, o, m, m);
  }
  return result;
}

/// Eq. 1, 3, 32, 34, 35, 37, each by its definition.
struct Dense {
  MatrixXd I, I_joint;       ///< identities
  MatrixXd E, A, A_tilde;    ///< E_A, (1 - E_A)⁻¹, A - 1
  MatrixXd H, M, mass;       ///< mass = H A M A* H*
  MatrixXd P, D, D_inverse;  ///< D = H P H*
  MatrixXd G, tau, tau_bar, P_plus;
  MatrixXd E_psi, psi, psi_tilde, K;

  explicit Dense(const SkoModel<double>& model) : E(placed(model.A)), H(placed(model.H)), M(placed(model.M)) {
    I = one(E.rows()), I_joint = one(H.rows());
    A = inverse(I - E), A_tilde = A - I;
    mass = H * A * M * A.transpose() * H.transpose();
  }
  Dense(const SkoModel<double>& model, const Riccati<double>& r) : Dense(model) {
    P = placed(r.P);
    D = H * P * H.transpose(), D_inverse = inverse(D);
    G = P * H.transpose() * D_inverse;
    tau = G * H, tau_bar = I - tau, P_plus = tau_bar * P;
    E_psi = E * tau_bar, psi = inverse(I - E_psi), psi_tilde = psi - I;
    K = E * G;
  }
};

/// Whether the largest difference is within `tolerance` of the largest entry of either side, or of `scale` where that
/// is larger (for sums that cancel).
inline ::testing::AssertionResult same_within(double tolerance, const MatrixXd& left, const MatrixXd& right,
                                              double scale = 0) {
  if (left.rows() != right.rows() || left.cols() != right.cols())
    return ::testing::AssertionFailure() << left.rows() << "x" << left.cols() << " against " << right.rows() << "x"
                                         << right.cols();
  if (left.size() == 0) return ::testing::AssertionSuccess();
  const double size = std::max({scale, largest_of(left), largest_of(right)});
  const double difference = largest_of(left - right);
  if (left.allFinite() && right.allFinite() && difference <= tolerance * size) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "differ by " << difference << ", entries up to " << size;
}
inline ::testing::AssertionResult same_within(double tolerance, const Stacked<double>& left, const MatrixXd& right,
                                              double scale = 0) {
  return same_within(tolerance, MatrixXd(left.value), right, scale);
}

/// Whether nothing but rounding parts them; what an inverse loses is for same_within.
template <class Left>
::testing::AssertionResult same(const Left& left, const MatrixXd& right, double scale = 0) {
  return same_within(1e-13, left, right, scale);
}

/// check(model) on 200 random rigid trees and on every other kind.
template <class Check>
void on_all_models(Check&& check) {
  for (int number = 0; number < random_tree_count; ++number) {
    SCOPED_TRACE("random tree " + std::to_string(number));
    check(random_tree(number).body.model);
    if (::testing::Test::HasFailure()) return;
  }
  int number = 0;
  for (const SkoModel<double>& model : unusual_models()) {
    SCOPED_TRACE("unusual model " + std::to_string(number++) + ", " + model.space->name());
    check(model);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace kinetree::sko
