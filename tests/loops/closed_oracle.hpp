#pragma once
// An oracle for closed loops that shares nothing with the library: each constraint as position functions of the world,
// products of vectors that are differentiated twice, and the dense equations by the null-space method (SVD of K).

#include <Eigen/Dense>
#include <boost/multiprecision/eigen.hpp>
#include <kinetree/scalar/reference.hpp>

#include "oracle/dense_oracle.hpp"

namespace kinetree::oracle {

/// Constraints of a description at positions and velocities. Instantiated for double and Reference.
template <class S>
class ClosedEquations {
 public:
  using Vector = Eigen::Matrix<S, Eigen::Dynamic, 1>;
  using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;

  ClosedEquations(const Description& description, const Model& order)
      : d_(description), tree_(description, order), order_(order) {}

  void set(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& f_ext = {});

  /// K v = 0, K dv/dt + k = 0, error = 0 where closed; redundant rows included.
  const Matrix& K() const { return K_; }
  const Vector& k() const { return k_; }
  const Vector& error() const { return error_; }
  /// Of the spanning tree.
  Matrix mass_matrix() const;
  Vector bias() const;
  const DenseOracle<S>& tree() const { return tree_; }

 protected:
  void loop(const LoopDescription& loop);
  void coupling(const CouplingDescription& coupling, const Eigen::VectorXd& q, const Eigen::VectorXd& v);

  Description d_;
  DenseOracle<S> tree_;
  Model order_;
  Matrix K_;
  Vector k_, error_;
  int rows_ = 0;
};

/// Positions and velocities that every constraint of the description allows, or nearly.
class ClosedOracle : public ClosedEquations<double> {
 public:
  using ClosedEquations<double>::ClosedEquations;

  /// dv/dt of all velocities: the smallest solution of K dv/dt = -k, and motion in the null space of K.
  Eigen::VectorXd accelerations(const Eigen::VectorXd& tau) const;
  /// The nearest velocities that the constraints allow.
  Eigen::VectorXd allowed(const Eigen::VectorXd& v) const;
  int freedoms() const;
};

/// In 60 digits, for a number of freedoms that is known: K is eliminated with complete pivoting until they are left.
class DenseClosedReference : public ClosedEquations<Reference> {
 public:
  using ClosedEquations<Reference>::ClosedEquations;

  /// After set().
  void eliminate(int freedoms);
  /// The smallest pivot taken and the largest entry left, of the largest.
  double pivot() const { return pivot_; }
  double left() const { return left_; }
  /// Velocities of the independent coordinates as v has them, the others' such that constraints hold.
  Eigen::VectorXd allowed(const Eigen::VectorXd& v) const;
  /// eliminate() first, with the velocities that are to be.
  Eigen::VectorXd accelerations(const Eigen::VectorXd& tau) const;

 private:
  Matrix X_;
  Vector g_;
  std::vector<int> independent_;
  double pivot_ = 0, left_ = 0;
};

}  // namespace kinetree::oracle
