#pragma once
// Joints that follow others by <mimic> of their axes, which SDFormat has since 1.11:
// position = multiplier * (position of the leader - reference) + offset, by its specification.

#include <kinetree/load_model.hpp>
#include <sdf/Joint.hh>
#include <string>
#include <vector>

namespace kinetree::inline inner {

/// A joint of the file as the description names it.
struct SdfJointPlace {
  std::string name, scope;
  const sdf::Joint* joint;
  int line;
  bool in_tree;  ///< else it closes a loop or is a gearbox, and has no position
};

/// Gives the joints of the reading, whose bodies hang already, what they follow. Errors: no leader is named, an axis
/// that it has not, a joint without a position. Whether the leader is there, and that both have one freedom, is looked
/// at where the model is built, as for every format.
void read_sdf_mimics(const std::vector<SdfJointPlace>& joints, Reading& reading);

}  // namespace kinetree::inline inner
