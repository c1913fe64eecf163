#pragma once
// No case is timed before its answers are found right.

#include <Eigen/Core>
#include <kinetree/kinetree.hpp>
#include <string>

#include "bench/sweep/random_states.hpp"

namespace kinetree::bench {

/// The answers that the cases of one model are held against.
struct Expected {
  Eigen::MatrixXd accelerations;  ///< of the first states
  std::string source;             ///< what computed them
};

/// Serial ab in 60 digits up to 300 bodies, else in double.
Expected expected_answers(const Model& model, const StateSet& states, Eigen::Index count);

struct Check {
  double error = 0;     ///< largest |a - expected| / |expected| (2-norms) over the states
  double residual = 0;  ///< largest over the states
};

Check check_answers(const Model& model, const StateSet& states, const Expected& expected,
                    const Eigen::MatrixXd& answers);

}  // namespace kinetree::bench
