#pragma once
// X_S of a whole model: the velocities that its constraints allow (Jain 2012 II, Sec. 9).

#include <Eigen/Core>
#include <kinetree/export.hpp>
#include <optional>
#include <vector>

#include "engine/model/branches.hpp"
#include "engine/model/closure.hpp"
#include "engine/model/coordinates.hpp"

namespace kinetree::inline inner {

/// Works on one model, in double; one per thread. Allocates when it is made alone.
class VelocityMap {
 public:
  using Matrix = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

  KINETREE_EXPORT explicit VelocityMap(const ModelData& model);

  /// X_S at q, nv x columns, of the branch that q stands on; valid until the next call. By the coordinates best for q:
  /// their choice does not change the space that the columns span.
  KINETREE_EXPORT Matrix operator()(const double* q);

 private:
  struct Part {  ///< of an aggregate
    CoordinateMap<double> map;
    ConstraintRows<double> rows;
    std::optional<Branches> branches;
  };

  const ModelData& m_;
  Closure closure_;
  std::vector<Part> parts_;
  int independent_;  ///< columns where each aggregate has its largest rank
  std::vector<double> X_;
};

}  // namespace kinetree::inline inner
