#pragma once

#include <string>

namespace kinetree::test {

/// The SDFormat that libsdformat makes of a URDF for Gazebo. Throws std::runtime_error where it can't.
std::string sdf_of_urdf(const std::string& urdf);

}  // namespace kinetree::test
