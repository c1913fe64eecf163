#include <cstdio>
#include <functional>
#include <stdexcept>

#include "oracle/mjcf.hpp"

namespace kinetree::oracle {
namespace {

std::string numbers(std::initializer_list<double> values) {
  std::string text;
  char one[40];
  for (const double x : values) {
    std::snprintf(one, sizeof one, text.empty() ? "%.17g" : " %.17g", x);
    text += one;
  }
  return text;
}

std::string placed(const Placement& p) {
  return " pos=\"" + numbers({p.xyz[0], p.xyz[1], p.xyz[2]}) + "\" quat=\"" +
         numbers({p.quaternion[3], p.quaternion[0], p.quaternion[1], p.quaternion[2]}) + "\"";
}

std::string joint_text(const JointDescription& joint) {
  const std::string name = " name=\"" + joint.name + "\"";
  const std::string axis = " axis=\"" + numbers({joint.axis[0], joint.axis[1], joint.axis[2]}) + "\"";
  switch (joint_type_named(joint.type).value()) {
    case JointType::fixed:
      return "";
    case JointType::floating:
      return "<joint type=\"free\"" + name + "/>";
    case JointType::revolute:
    case JointType::continuous:
      return "<joint type=\"hinge\"" + name + axis + "/>";
    case JointType::prismatic:
      return "<joint type=\"slide\"" + name + axis + "/>";
    case JointType::spherical:
      return "<joint type=\"ball\"" + name + "/>";
    default:
      throw std::logic_error("MuJoCo has no joint " + joint.type);
  }
}

}  // namespace

std::string mjcf_text(const Description& d) {
  std::string text =
      "<mujoco><compiler angle=\"radian\" boundmass=\"0\" boundinertia=\"0\" balanceinertia=\"false\" "
      "inertiafromgeom=\"false\"/><option gravity=\"" +
      numbers({d.gravity[0], d.gravity[1], d.gravity[2]}) +
      "\"><flag contact=\"disable\" constraint=\"disable\"/></option><worldbody>";
  const std::function<void(const std::string&)> bodies_on = [&](const std::string& parent) {
    for (const BodyDescription& b : d.bodies) {
      if (b.parent != parent) continue;
      text += "<body name=\"" + b.name + "\"" + placed(b.joint.origin) + ">" + joint_text(b.joint);
      if (b.inertial)
        text += "<inertial" + placed(b.inertial->frame) + " mass=\"" + numbers({b.inertial->mass}) +
                "\" diaginertia=\"" +
                numbers({b.inertial->inertia[0], b.inertial->inertia[1], b.inertial->inertia[2]}) + "\"/>";
      bodies_on(b.name);
      text += "</body>";
    }
  };
  bodies_on("world");
  return text + "</worldbody></mujoco>";
}

}  // namespace kinetree::oracle
