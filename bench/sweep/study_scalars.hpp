#pragma once
// What the study scalars say: operations counted, and accelerations in 60 digits.

#include <Eigen/Core>
#include <cstdint>
#include <kinetree/model.hpp>
#include <kinetree/options.hpp>
#include <kinetree/scalar/counted.hpp>

namespace kinetree::bench {

struct Work {
  OperationCounts counts;
  std::uint32_t depth = 0;  ///< longest chain of operations behind any acceleration
};

/// Runs the algorithm on the Counted scalar; the counts don't depend on the state, but for entries of a loop's
/// constraints that happen to be zero.
Work count_operations(const Model& model, const Options& options);

/// Serial articulated bodies in the Reference scalar, rounded to double.
Eigen::VectorXd reference_accelerations(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                        const Eigen::VectorXd& tau);

}  // namespace kinetree::bench
