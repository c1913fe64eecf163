#pragma once
// URDF+'s couplings, which name links where ours name joints.

#include <kinetree/load_model.hpp>
#include <string>
#include <vector>

namespace kinetree::inline inner {

/// `ratio` times the joint positions from the nearest link above both ends to the predecessor, summed, are those to the
/// successor, summed.
struct UrdfCoupling {
  std::string name, predecessor, successor;  ///< links, or world
  double ratio = 1;
  int line = 0;
};

/// Adds each to the description of the reading, whose bodies hang already, or a finding why it can't be.
void add_couplings(const std::vector<UrdfCoupling>& couplings, Reading& reading);

}  // namespace kinetree::inline inner
