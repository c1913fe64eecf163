#include "engine/io/mjcf_parts.hpp"

namespace kinetree::inline inner {

namespace {

/// Whether a range is a limit: as the file says, or where it is not empty. Without autolimits MuJoCo refuses a range
/// that does not say it; so nothing is lost where such a range is a limit too.
bool limits(MjcfReading& r, const MjcfView& view, const char* limited, bool given) {
  const int said = r.word(view, limited, {"false", "true", "auto"}, 2);
  return said == 1 || (said == 2 && given);
}

}  // namespace

MjcfJoint read_joint(MjcfReading& r, const MjcfView& view, const MjcfCompiler& compiler, const MjcfPose& frame) {
  MjcfJoint joint;
  joint.line = view.element.line();
  if (view.element.tag() == "freejoint") {
    joint.kind = MjcfJointKind::free;
    return joint;
  }
  joint.kind = static_cast<MjcfJointKind>(r.word(view, "type", {"free", "ball", "slide", "hinge"}, 3));
  const bool hinge = joint.kind == MjcfJointKind::hinge, slide = joint.kind == MjcfJointKind::slide;
  r.numbers(view, "axis", joint.axis.data(), 3, 3);
  r.numbers(view, "pos", joint.at.data(), 3, 3);
  if ((hinge || slide) && !(joint.axis.norm() > 1e-14))
    r.refuse(view.element, "its axis has length zero; give a direction");
  else if (joint.axis.squaredNorm() != 1)
    joint.axis.normalize();
  joint.axis = frame.turn * joint.axis;
  joint.at = frame.at + frame.turn * joint.at;
  const double unit = hinge ? compiler.angles.unit() : 1;
  r.number(view, "ref", joint.zero);
  r.number(view, "springref", joint.rest);
  joint.zero *= unit, joint.rest *= unit;
  r.number(view, "armature", joint.armature);
  r.number(view, "damping", joint.damping);
  r.number(view, "frictionloss", joint.friction);
  r.number(view, "stiffness", joint.stiffness);
  double range[2], efforts[2];
  const bool given = r.numbers(view, "range", range, 2, 2);
  if (limits(r, view, "limited", given && (range[0] != 0 || range[1] != 0)) && given)
    joint.range = {range[0] * unit, range[1] * unit};
  // the force of all actuators on the joint; limits of effort have one magnitude here
  if (r.numbers(view, "actuatorfrcrange", efforts, 2, 2) && limits(r, view, "actuatorfrclimited", true) &&
      efforts[1] == -efforts[0])
    joint.effort = efforts[1];
  return joint;
}

}  // namespace kinetree::inline inner
