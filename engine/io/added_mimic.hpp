#pragma once
// A joint that follows another by what stands outside of both: plugins of Gazebo and parameters of ros2_control.

#include <functional>
#include <kinetree/description.hpp>
#include <kinetree/load_model.hpp>
#include <string>
#include <string_view>

namespace kinetree::inline inner {

struct AddedMimic {
  std::string joint, leader;  ///< position of joint = multiplier * position of leader + offset
  double multiplier = 1, offset = 0;
  std::string element;  ///< who says so, for messages: `plugin "gripper"`
  int line = 0;
};

/// Whether a plugin is one that makes a joint follow another, by its file's or its own name; its elements `joint` (the
/// leader), `mimicJoint`, `multiplier` and `offset` are documented by roboticsgroup_upatras_gazebo_plugins, and others
/// follow these.
bool is_mimic_plugin(std::string_view file, std::string_view name);

/// Gives the joint its mimic element, with a notice; findings: there are no such joints, or the joint follows
/// otherwise. `joint_named`: a joint of the reading, null where there is none.
void add_mimic(const AddedMimic& mimic, Reading& reading,
               const std::function<JointDescription*(const std::string&)>& joint_named);

}  // namespace kinetree::inline inner
