#pragma once
// What states with numbers of their own cost on one mechanism (docs/varying.md).

#include <kinetree/model.hpp>

#include "bench/study/answers.hpp"

namespace kinetree::bench {

/// Times batches of states by `ab` on this thread, for about `seconds`: states with inertias of their own, states with
/// rotors and gravity of their own too, and states with the model's numbers, under the same declarations and under
/// none.
Answer varying_cost(const Model& model, double seconds);

}  // namespace kinetree::bench
