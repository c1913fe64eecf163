#pragma once
// How many branches of one state go side by side.

#include <kinetree/algorithm/lanes/instruction_set.hpp>
#include <kinetree/model/branches.hpp>

namespace kinetree {

/// The branches that a sweep of the model takes least with, by Branches::cost; of width 1: bodies one by one.
Branches best_branches(const ModelData& model, InstructionSet set);

/// `width` if the set has kernels for so many branches. Throws std::invalid_argument where it has not.
int checked_branch_width(int width, InstructionSet set);

}  // namespace kinetree
