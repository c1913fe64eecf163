#pragma once
// Which rows are held of constraints that are redundant but for rounding: one set, fixed in the frames of the loops,
// for every configuration.

#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "engine/model/constraint_units.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// An aggregate's constraints, none left out, at one configuration; without units.
struct SampledRows {
  ConstraintUnits::Matrix K;
  Eigen::MatrixXd held;  ///< left singular vectors of what is held
  Eigen::VectorXd unit;  ///< of rows (ConstraintUnits)
  double least;          ///< the smallest singular value held
  double redundant;      ///< the largest that is not, of the largest
  double open;           ///< the largest error left
};

/// Makes the aggregate and its loops hold `rank` rows that are independent in all samples: rows as the loops have them,
/// else combinations of each loop's own, in the frames of their first or second ends; rows.nearest where none are.
/// again(): the samples once more, with ends of loops exchanged. `left`: becomes the rows that are left out, in words.
void hold_rows(ModelData& m, Aggregate& a, int rank, std::vector<SampledRows> samples,
               const std::function<std::vector<SampledRows>()>& again, std::string& left);

}  // namespace kinetree::inline inner
