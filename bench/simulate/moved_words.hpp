#pragma once
// What --assemble moved, in words.

#include <Eigen/Core>
#include <kinetree/model.hpp>
#include <string>

namespace kinetree::bench {

struct StartState {
  Eigen::VectorXd q, v;
};

/// A line for each joint whose positions or velocities have changed by more than 1e-12 (1 + |given|), with both
/// numbers; of more than twenty joints those that have changed most, and how many others.
std::string moved_words(const Model& model, const StartState& given, const StartState& taken);

}  // namespace kinetree::bench
