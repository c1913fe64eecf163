#pragma once
// How many limbs of one state go side by side.

#include "engine/algorithm/lanes/instruction_set.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/limbs.hpp"

namespace kinetree::inline inner {

/// The limbs that a sweep of the model takes least with, by Limbs::cost; of width 1: bodies one by one.
Limbs best_limbs(const ModelData& model, InstructionSet set, const std::vector<bool>& by_multipliers = {});

/// `width` if the set has kernels for so many limbs. Throws std::invalid_argument where it has not.
int checked_limb_width(int width, InstructionSet set);

}  // namespace kinetree::inline inner
