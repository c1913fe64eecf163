#pragma once
// Constraints that would be redundant if no number of the file were rounded, as those of a planar four-bar where 1.5708
// stands for a right angle: they contradict each other by the rounding, and to close them all would lock the mechanism.

#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "engine/model/closure.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// What is found of an aggregate's constraints from several starts.
struct FoundRounding {
  bool rounded = false;   ///< whether they are redundant but for rounding; then it is decided what is held of them
  bool unclear = false;   ///< whether they close to rounding, but no gap parts what is held from what is redundant
  double off = INFINITY;  ///< the largest error, m or rad, where least squares come nearest
  std::vector<double> q;  ///< there
  int held = 0, rows = 0;
  double held_value = 1, redundant_value = 0;    ///< singular values on both sides of the gap, the largest being 1
  Eigen::VectorXd singular_values;               ///< of K without units at q, descending, the largest being 1
  double turns = 0, lengths = 0, couplings = 0;  ///< what stays open at most: rad, m, relative
  std::string redundant;                         ///< the rows that are left out, in words; empty where rows are mixed
};

/// Singular values of what is held and of what is redundant are a gap of ten apart, the latter below
/// NearestClosure::most_rounding, in two thirds of the closed configurations that are found. Then `a` and its loops
/// are made to hold what agrees: rows fixed in a loop's frame (Loop::held), else all by least squares.
/// start_of(k): positions of start k.
FoundRounding find_rounding(ModelData& m, Aggregate& a, const std::function<std::vector<double>(int)>& start_of);

/// Whether some pivot of K at q, or the error that closing has left there or leaves beside, is so small that it may be
/// rounding, and none of exact numbers.
bool may_be_rounding(const ModelData& m, Closure& closure, const Aggregate& a, const double* q, double error);

}  // namespace kinetree::inline inner
