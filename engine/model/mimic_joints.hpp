#pragma once
// URDF's mimic joints: couplings, or fixed where what they follow stands still.

#include <kinetree/description.hpp>
#include <kinetree/finding.hpp>
#include <kinetree/model.hpp>
#include <vector>

namespace kinetree::inline inner {

/// Makes a coupling of each mimic element. A joint that follows a fixed one, or by a multiplier of 0, becomes fixed at
/// its offset. What joints follow, directly or along others, are the independent coordinates, unless the description
/// names one of them or loops and couplings of its own tie them. Findings are appended.
void take_mimic_joints(Description& description, const LoadOptions& options, std::vector<Finding>& findings);

}  // namespace kinetree::inline inner
