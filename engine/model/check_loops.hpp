#pragma once
// The rules that loops, couplings and independent coordinates of a Description must keep.

#include <kinetree/description.hpp>
#include <kinetree/finding.hpp>
#include <kinetree/model.hpp>

namespace kinetree::inline inner {

/// Normalizes axes and quaternions in place; appends findings. Joints' mimics become couplings unless they are ignored.
void check_loops(Description& description, const LoadOptions& options, std::vector<Finding>& findings);

}  // namespace kinetree::inline inner
