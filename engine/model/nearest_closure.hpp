#pragma once
// The configuration in which loops are open least, by least squares, where no configuration closes all of them.

#include <Eigen/SVD>
#include <kinetree/export.hpp>
#include <vector>

#include "engine/model/closure.hpp"
#include "engine/model/constraint_units.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// K and the errors without units at one configuration, and K's singular values there. One thread may use it at a time.
/// Its functions allocate in their first call alone; beyond 48 rows or columns Eigen's decomposition may allocate
/// later.
class NearestClosure {
 public:
  using Matrix = ConstraintUnits::Matrix;

  /// Rows are redundant below this part of the largest singular value, if not by count: angles of four decimals, summed
  /// along a loop.
  static constexpr double most_rounding = 1e-3;

  NearestClosure(const ModelData& model, const Aggregate& a, Closure& closure);

  /// Places the aggregate at q, and takes its constraints apart. `rank`: of what is held; -1: all above most_rounding.
  void look(Closure& closure, const double* q, int rank = -1);
  /// Moves q to where what is held is closed: Levenberg (1944), Marquardt (1963) on the singular values that count.
  /// Looks there. Returns the largest error left of what is held, without units.
  double close(Closure& closure, double* q, int rank = -1);

  int rank() const { return rank_; }  ///< of what is held, where it last looked
  const ConstraintUnits& units() const { return units_; }
  const Matrix& K() const { return K_; }
  const Eigen::VectorXd& errors() const { return e_; }
  const Eigen::VectorXd& singular_values() const { return svd_.singularValues(); }  ///< descending
  const Eigen::MatrixXd& left() const { return svd_.matrixU(); }
  const Eigen::MatrixXd& right() const { return svd_.matrixV(); }

  /// With units: errors, or rates K v, become what they are less their part in rows that are redundant.
  void keep_held(Eigen::Ref<Eigen::VectorXd> all);
  /// Takes from v, with units, its part, of least norm, that what is held forbids.
  void keep_allowed(Eigen::VectorXd& v);

  /// Moves q by x, without units.
  void move(std::vector<double>& q, const Eigen::VectorXd& x);

 private:
  /// Places the aggregate at q and writes its errors there, without units.
  void find_errors(Closure& closure, const double* q, Eigen::VectorXd& errors) const;
  double worst_held() const;

  const ModelData& m_;
  const Aggregate& a_;
  ConstraintUnits units_;
  Matrix K_;
  Eigen::MatrixXd by_column_;     ///< K_, as the decomposition wants it
  Eigen::VectorXd e_, c_;         ///< errors; their coefficients along the left singular vectors
  Eigen::VectorXd tried_errors_;  ///< where a step leads
  Eigen::VectorXd x_, way_, part_, coefficient_;
  std::vector<double> now_, tried_;
  Eigen::JacobiSVD<Eigen::MatrixXd> svd_;
  int rank_ = 0;
};

}  // namespace kinetree::inline inner
