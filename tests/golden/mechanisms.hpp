#pragma once
// The mechanisms and plans whose accelerations two commits are compared by.

#include <kinetree/kinetree.hpp>
#include <string>
#include <vector>

namespace kinetree::golden {

struct Mechanism {
  std::string name;
  Model model;
};

/// Families, all of configs/models (floating where it says so), and small mechanisms with loops.
std::vector<Mechanism> mechanisms();

struct Choice {
  std::string name;
  Options options;
};

/// Plans that `model` takes: every algorithm, cutting, elimination, formulation, factorization, number of refinements,
/// and parts of one state side by side. Names stay when options are renamed.
std::vector<Choice> choices(const Model& model);

}  // namespace kinetree::golden
