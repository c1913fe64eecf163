#pragma once
// Joints made fixed where they stand, in a checked Description, with all that hangs on them.

#include <kinetree/description.hpp>
#include <kinetree/finding.hpp>

#include "engine/model/check_description.hpp"

namespace kinetree::inline inner {

/// Checks what is to be locked and, where nothing is at fault so far, locks it (compose.hpp says what becomes of the
/// rest). Findings are appended.
void lock_joints(Description& checked, const Topology& topology, std::vector<JointPositions> lock,
                 std::vector<Finding>& findings);

/// Makes one joint fixed where it stands at q, which it has as many of as its type says; its axes are of unit length.
void fix_joint(JointDescription& joint, const std::vector<double>& q, const std::string& file,
               std::vector<Finding>& findings);

}  // namespace kinetree::inline inner
