#pragma once
// How far rounding of the mass matrix spreads in a state: what composite bodies lose beside articulated bodies.

#include <Eigen/Eigenvalues>

#include "oracle/random_state.hpp"

namespace kinetree::oracle {

/// The condition number of D⁻¹ᐟ² H D⁻¹ᐟ², D the diagonal of H. An entry of H known to a relative error e leaves its
/// solutions with about e times this (van der Sluis 1969: no scaling of rows and columns makes it much smaller).
/// At most as exact as a double's rounding lets the smallest eigenvalue be: up to 1e15.
inline double mass_matrix_condition(const Model& model, const Eigen::VectorXd& q) {
  Eigen::MatrixXd H(model.nv(), model.nv());
  Workspace workspace(model);
  if (!mass_matrix(model, workspace, q, H).ok()) throw std::logic_error("no mass matrix in this state");
  const Eigen::VectorXd scale = H.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::VectorXd eigenvalues = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(
                                          scale.asDiagonal() * H * scale.asDiagonal(), Eigen::EigenvaluesOnly)
                                          .eigenvalues();
  return eigenvalues.maxCoeff() / eigenvalues.minCoeff();
}

}  // namespace kinetree::oracle
