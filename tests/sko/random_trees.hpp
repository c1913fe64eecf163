#pragma once
// The random trees alone, where the algorithms on bodies have a say too, and answers in the order of their model.

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <string>
#include <vector>

#include "sko/models.hpp"

namespace kinetree::sko {

inline Eigen::VectorXd in_model_order(const Model& model, const Stacked<double>& rows) {
  const std::vector<double> v = model_order(model, rows);
  return Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
}

/// check(tree) on every random tree.
template <class Check>
void on_random_trees(Check&& check) {
  for (int number = 0; number < random_tree_count && !::testing::Test::HasFailure(); ++number) {
    SCOPED_TRACE("random tree " + std::to_string(number));
    check(random_tree(number));
  }
}

}  // namespace kinetree::sko
