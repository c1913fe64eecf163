#pragma once
// Joints and where they stand, as words of the command line.

#include <kinetree/description.hpp>
#include <string>

namespace kinetree::bench {

/// `NAME`, or `NAME=POSITION`, where a joint of several positions takes them with colons between. Throws UsageError
/// that names the option.
JointPositions joint_positions_from(const std::string& text, const char* option);

}  // namespace kinetree::bench
