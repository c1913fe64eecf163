#pragma once
// Where a solver keeps the numbers of a body that columns pass, and those of a step.

#include "engine/partition/modules.hpp"

namespace kinetree::inline inner {

/// Gives each body and each aggregate its part of epsilon: a number for each column that passes and each of its
/// freedoms. Which columns pass bodies is known; which pass aggregates, it finds.
void give_epsilon(const ModelData& model, Modules& modules);

/// Gives a step its parts of matrices, vectors and factors. Its size and, of a merge, its cut are known.
void give_offsets(Modules& modules, Step& step);

}  // namespace kinetree::inline inner
