#pragma once
// What states with numbers of their own cost on one mechanism (docs/varying.md).

#include <kinetree/model.hpp>

#include "bench/study/answers.hpp"

namespace kinetree::bench {

/// Measures for about so many seconds on this thread: states in a batch by `ab`, each with inertias of its own, with
/// all numbers of its own, and with those of the model, under the same declaration and under none.
Answer varying_cost(const Model& model, double seconds);

}  // namespace kinetree::bench
