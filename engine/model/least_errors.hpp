#pragma once
// Where constraints that can't be closed are open least, and what holds them open there.

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <vector>

#include "engine/model/closure.hpp"
#include "engine/model/constraint_units.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// Of one aggregate and one thread; allocates in its constructor alone. Works on errors without units and their
/// derivatives by central differences: constraint rows are those derivatives only where loops are closed.
class LeastErrors {
 public:
  LeastErrors(const ModelData& model, const Aggregate& a, const ConstraintUnits& units);

  /// Moves q's joints of the aggregate, but for columns of `held`, to where the sum of squares of errors is least
  /// nearby: by D'D and a secant of what it leaves out of the second derivatives (Dennis, Gay & Welsch 1981), damped.
  /// Without that secant it would take hundreds of steps where a linkage is stretched out. Looks there.
  void descend(Closure& closure, std::vector<double>& q, const std::vector<int>& held, int steps);

  /// Where it last looked: half the sum of squares, and its derivatives, those of held columns too.
  double half_squares() const { return half_; }
  const Eigen::VectorXd& slope() const { return slope_; }

 private:
  void look(Closure& closure, const std::vector<double>& q);
  double half_at(Closure& closure, const std::vector<double>& q, Eigen::VectorXd& e) const;
  void move(std::vector<double>& q, int column, double by) const;

  const ModelData& m_;
  const Aggregate& a_;
  Eigen::VectorXd row_, column_;  ///< ConstraintUnits
  Eigen::MatrixXd D_, left_out_, second_;
  Eigen::LDLT<Eigen::MatrixXd> factor_;
  Eigen::VectorXd e_, other_, slope_, before_, step_, change_, missed_;
  std::vector<double> tried_;
  double half_ = 0;
};

}  // namespace kinetree::inline inner
