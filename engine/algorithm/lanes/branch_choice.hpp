#pragma once
// How many branches of one state go side by side.

#include "engine/algorithm/lanes/instruction_set.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/branches.hpp"

namespace kinetree::inline inner {

/// The branches that a sweep of the model takes least with, by Branches::cost; of width 1: bodies one by one.
Branches best_branches(const ModelData& model, InstructionSet set);

/// `width` if the set has kernels for so many branches. Throws std::invalid_argument where it has not.
int checked_branch_width(int width, InstructionSet set);

}  // namespace kinetree::inline inner
