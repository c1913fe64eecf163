#pragma once
// A Description in MuJoCo's words, for its opinion on the same mechanism.

#include <kinetree/kinetree.hpp>
#include <string>

namespace kinetree::oracle {

/// MJCF text. Takes revolute, continuous, prismatic, spherical and (on the ground) floating joints, and fixed links.
/// Inertias must stand on their principal axes: MuJoCo's own diagonalization is good to a few digits only.
std::string mjcf_text(const Description& description);

}  // namespace kinetree::oracle
