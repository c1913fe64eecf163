#pragma once
// Where a solver keeps the numbers of a body that columns pass, and those of a step.

#include "engine/partition/modules.hpp"

namespace kinetree::inline inner {

/// Gives a body, or an aggregate, its part of epsilon: a number for each column that passes and each of its freedoms.
void give_epsilon(Modules& modules, Passing& passing, int freedoms);

/// Gives a step its parts of matrices, vectors and factors. Its size and, of a merge, its cut are known.
void give_offsets(Modules& modules, Step& step);

}  // namespace kinetree::inline inner
