#pragma once
// Types, passive forces and limits of SDFormat's joints.

#include <cmath>
#include <kinetree/description.hpp>
#include <sdf/Joint.hh>
#include <sdf/JointAxis.hh>
#include <string>

namespace kinetree::inline inner {

/// The word of a joint type here, or of the loop joint that it is; fixed and weld: all others.
inline std::string sdf_joint_word(const sdf::Joint& joint, bool loop) {
  switch (joint.Type()) {
    case sdf::JointType::REVOLUTE:
      return "revolute";
    case sdf::JointType::CONTINUOUS:
      return loop ? "revolute" : "continuous";
    case sdf::JointType::PRISMATIC:
      return "prismatic";
    case sdf::JointType::SCREW:
      return "helical";
    case sdf::JointType::UNIVERSAL:
    case sdf::JointType::REVOLUTE2:  // one axis in the parent, the other in the child
      return "universal";
    case sdf::JointType::BALL:
      return "spherical";
    default:
      return loop ? "weld" : "fixed";
  }
}

inline bool has_passive_forces(const sdf::JointAxis& axis) {
  return axis.Damping() != 0 || axis.Friction() != 0 || axis.SpringStiffness() != 0;
}

/// Copies the numbers of as many axes as joints of the type of `to` have. In SDFormat 1e16 means no limit of positions,
/// and a number below 0 no limit of velocity or effort. `turned`: the second axis comes first.
inline void take_joint_numbers(const sdf::Joint& joint, JointDescription& to, bool turned) {
  PassiveDescription& p = to.passive;
  LimitsDescription& l = to.limits;
  const unsigned axes = to.type == "universal" ? 2 : to.type == "spherical" || to.type == "fixed" ? 0 : 1;
  const bool endless = to.type == "continuous";
  for (unsigned k = 0; k < axes; ++k) {
    const sdf::JointAxis* axis = joint.Axis(turned ? axes - 1 - k : k);
    if (axis == nullptr) return;  // said where axes are read
    p.damping.push_back(axis->Damping()), p.friction.push_back(axis->Friction());
    p.stiffness.push_back(axis->SpringStiffness()), p.reference.push_back(axis->SpringReference());
    l.lower.push_back(endless || axis->Lower() <= -1e16 ? -HUGE_VAL : axis->Lower());
    l.upper.push_back(endless || axis->Upper() >= 1e16 ? HUGE_VAL : axis->Upper());
    l.velocity.push_back(axis->MaxVelocity() < 0 ? HUGE_VAL : axis->MaxVelocity());
    l.effort.push_back(axis->Effort() < 0 ? HUGE_VAL : axis->Effort());
  }
}

}  // namespace kinetree::inline inner
