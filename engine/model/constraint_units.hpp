#pragma once
// Units that take lengths out of an aggregate's constraints, so that neither metres nor millimetres matter.

#include <Eigen/Core>
#include <vector>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// Of an aggregate's velocities, whether they are m/s.
std::vector<bool> slide_columns(const ModelData& m, const Aggregate& a);

/// From K at one configuration.
struct ConstraintUnits {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  double lever = 0;             ///< m: the longest with which a joint's turn moves a loop's end; 1 where none does
  Eigen::VectorXd row, column;  ///< K, and errors, are divided by `row`; K's columns are multiplied by `column`

  ConstraintUnits(const ModelData& m, const Aggregate& a, const Matrix& K);

  Matrix of(const Matrix& K) const { return row.cwiseInverse().asDiagonal() * K * column.asDiagonal(); }
};

}  // namespace kinetree::inline inner
