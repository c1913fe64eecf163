#pragma once
// An oracle for closed loops that shares nothing with the library: each constraint as position functions of the world,
// products of vectors that are differentiated twice, and the dense equations by the null-space method (SVD of K).

#include <Eigen/Dense>

#include "oracle/dense_oracle.hpp"

namespace kinetree::oracle {

/// Positions and velocities that every constraint of the description allows, or nearly.
class ClosedOracle {
 public:
  ClosedOracle(const Description& description, const Model& order)
      : d_(description), tree_(description, order), order_(order) {}

  void set(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& f_ext = {});

  /// K v = 0, K dv/dt + k = 0, error = 0 where closed; redundant rows included.
  const Eigen::MatrixXd& K() const { return K_; }
  const Eigen::VectorXd& k() const { return k_; }
  const Eigen::VectorXd& error() const { return error_; }
  /// Of the spanning tree.
  Eigen::MatrixXd mass_matrix() const;
  /// dv/dt of all velocities: the smallest solution of K dv/dt = -k, and motion in the null space of K.
  Eigen::VectorXd accelerations(const Eigen::VectorXd& tau) const;
  /// The nearest velocities that the constraints allow.
  Eigen::VectorXd allowed(const Eigen::VectorXd& v) const;
  int freedoms() const;
  const DenseOracle<double>& tree() const { return tree_; }

 private:
  void loop(const LoopDescription& loop, const Eigen::VectorXd& v);
  void coupling(const CouplingDescription& coupling, const Eigen::VectorXd& q);

  Description d_;
  DenseOracle<double> tree_;
  Model order_;
  Eigen::MatrixXd K_;
  Eigen::VectorXd k_, error_;
  int rows_ = 0;
};

}  // namespace kinetree::oracle
