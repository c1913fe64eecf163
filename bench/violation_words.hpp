#pragma once
// What a state breaks of loops and couplings, in words: of `solve` and `simulate` alike.

#include <Eigen/Core>
#include <string>

#include "engine/model/closure.hpp"

namespace kinetree::bench {

/// Empty where nothing is broken.
std::string violation_words(Closure& closure, const Eigen::VectorXd& q, const Eigen::VectorXd& v);

}  // namespace kinetree::bench
