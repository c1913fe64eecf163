#include "engine/io/urdf_gazebo.hpp"

#include <algorithm>
#include <array>
#include <kinetree/joint_type.hpp>

#include "engine/io/added_mimic.hpp"
#include "engine/io/urdf_words.hpp"
#include "engine/model/known_names.hpp"

namespace kinetree::inline inner {
namespace {

using Words = std::vector<std::string_view>;

/// Whether no number in it differs from 0.
bool is_zero(const tinyxml2::XMLElement& e) {
  for (const char* text : {e.Attribute("value"), e.GetText()})
    if (text) {
      const auto x = numbers_from(text);
      if (!x || std::ranges::any_of(*x, [](double each) { return each != 0; })) return false;
    }
  for (const auto* c = e.FirstChildElement(); c; c = c->NextSiblingElement())
    if (!is_zero(*c)) return false;
  return true;
}

/// Words of joints. implicitSpringDamper chooses how Gazebo's solver takes springs and damping, not their forces.
constexpr std::array<std::string_view, 18> of_joints{"implicitSpringDamper",
                                                     "provideFeedback",
                                                     "provide_feedback",
                                                     "stopCfm",
                                                     "stopErp",
                                                     "stopKp",
                                                     "stopKd",
                                                     "cfmDamping",
                                                     "fudgeFactor",
                                                     "preserveFixedJoint",
                                                     "maxVel",
                                                     "erp",
                                                     "disableFixedJointLumping",
                                                     "cfm",
                                                     "initialJointPosition",
                                                     "sensor",
                                                     "physics",
                                                     "plugin"};

}  // namespace

void UrdfGazebo::read(const XMLElement& e) {
  const char* reference = e.Attribute("reference");
  if (reference == nullptr) {
    for (const auto* a = e.FirstAttribute(); a; a = a->Next())
      if (!slip_of(a->Name(), Words{"reference"}).empty())
        return say(Severity::error, e.GetLineNum(), "<gazebo>",
                   std::string("<gazebo ") + a->Name() + "> is unknown here; write reference if that is meant");
    return read_of_robot(e);
  }
  JointDescription* joint = joint_named(reference);
  const bool link = link_named(reference) != nullptr || std::string_view(reference) == "world";
  if (joint) read_of_joint(e, reference);
  if (link && !joint) read_of_link(e);
  if (link || joint) return;
  const auto name_of_link = [](const BodyDescription& b) { return b.name; };
  const auto name_of_joint = [](const BodyDescription& b) { return b.joint.name; };
  const std::vector<BodyDescription>& bodies = to_.description.bodies;
  say(Severity::warning, e.GetLineNum(), "<gazebo reference>",
      "\"" + std::string(reference) + "\" is no link and no joint of this model, and what stands there is left out;" +
          " give a link's name" + nearest_of(reference, bodies, name_of_link, reading_.findings.size()) +
          " or a joint's" + nearest_of(reference, bodies, name_of_joint, reading_.findings.size()));
}

void UrdfGazebo::read_of_robot(const XMLElement& e) {
  static const Words without{"self_collide", "selfCollide",  "allow_auto_disable", "gripper",
                             "sensor",       "audio_source", "audio_sink",         "light"};
  static const Words known{"joint", "plugin", "static", "self_collide", "gripper", "sensor"};
  for (const XMLElement* c = e.FirstChildElement(); c; c = c->NextSiblingElement()) {
    const std::string_view tag = c->Name();
    if (tag == "joint")
      read_loop(*c);
    else if (tag == "plugin")
      read_plugin(*c);
    else if (tag == "static" && is_true(text_of(*c)))
      left_out_.take_dynamics("<gazebo> <static>", c->GetLineNum(),
                              "in Gazebo the robot stands still, and here it moves");
    else if (tag == "link" || tag == "model" || tag == "include")
      say(Severity::error, c->GetLineNum(), "<gazebo> <" + std::string(tag) + ">",
          "would add bodies, and is not read; write links and joints of URDF, or take it out");
    else if (tag == "pose" || tag == "enable_wind")
      left_out_.take_dynamics(
          "<gazebo> <" + std::string(tag) + ">", c->GetLineNum(),
          tag == "pose" ? "the root link stands at the world's origin here" : "there is no wind here");
    else if (tag == "static" || is_among(tag, without))
      left_out_.take_without_part(*c, "gazebo");
    else
      read_other(*c, known, "<gazebo>");
  }
}

void UrdfGazebo::read_of_link(const XMLElement& e) {
  for (const XMLElement* c = e.FirstChildElement(); c; c = c->NextSiblingElement()) read_word_of_link(*c);
}

void UrdfGazebo::read_word_of_link(const XMLElement& e) {
  static const Words without{"material",   "visual",      "collision",    "sensor",       "light",
                             "projector",  "mu1",         "mu2",          "mu",           "kp",
                             "kd",         "fdir1",       "maxVel",       "minDepth",     "maxContacts",
                             "laserRetro", "selfCollide", "self_collide", "genTexCoord",  "must_be_base_link",
                             "surface",    "static",      "plugin",       "audio_source", "audio_sink",
                             "battery"};
  static const Words known{"turnGravityOff", "gravity", "dampingFactor", "velocity_decay", "inertial", "kinematic"};
  const std::string of_link = "<gazebo reference> <";
  const std::string_view tag = e.Name();
  const std::string element = of_link + e.Name() + ">";
  // as libsdformat has it: whatever is not false turns gravity off
  const bool flag = tag == "turnGravityOff" ? !is_false(text_of(e)) : is_true(text_of(e));
  if (tag == "turnGravityOff" || tag == "gravity" || tag == "kinematic") {
    if (flag == (tag == "gravity"))
      left_out_.take_without_part(e, "gazebo");
    else
      left_out_.take_dynamics(
          element, e.GetLineNum(),
          tag == "kinematic" ? "every link moves by its dynamics here" : "gravity acts on every link here");
  } else if (tag == "dampingFactor" || tag == "velocity_decay") {
    if (is_zero(e))
      left_out_.take_without_part(e, "gazebo");
    else
      left_out_.take_dynamics(element, e.GetLineNum(), "links have no damping here; joints have, by <dynamics>");
  } else if (tag == "springStiffness" || tag == "springReference") {
    left_out_.take_dynamics(element, e.GetLineNum(), "a link has no spring; name the joint");
  } else if (tag == "inertial") {
    left_out_.take_dynamics(element, e.GetLineNum(), "the link's own <inertial> counts; write it there");
  } else if (is_among(tag, without) || is_among(tag, of_joints)) {  // a fixed joint is often named by its link
    left_out_.take_without_part(e, "gazebo");
  } else {
    read_other(e, known, "<gazebo reference>");
  }
}

void UrdfGazebo::read_of_joint(const XMLElement& e, const std::string& joint) {
  static const Words known{"springStiffness", "springReference", "implicitSpringDamper"};
  for (const XMLElement* c = e.FirstChildElement(); c; c = c->NextSiblingElement()) {
    const std::string_view tag = c->Name();
    if (tag == "springStiffness")
      springs_[joint].stiffness = c;  // the last counts
    else if (tag == "springReference")
      springs_[joint].reference = c;
    else if (is_among(tag, of_joints))
      left_out_.take_without_part(*c, "gazebo");
    else if (tag == "axis" || tag == "axis2" || tag == "limit" || tag == "dynamics" || tag == "pose")
      left_out_.take_dynamics("<gazebo reference> <" + std::string(tag) + ">", c->GetLineNum(),
                              "the joint's own elements count; write it there");
    else if (link_named(joint) && slip_of(tag, known).empty())  // of that name, too
      read_word_of_link(*c);
    else
      read_other(*c, known, "<gazebo reference>");
  }
}

void UrdfGazebo::finish() {
  for (const auto& [name, spring] : springs_) {
    const auto& [stiffness, reference] = spring;
    JointDescription& joint = *joint_named(name);
    const std::string element = "joint \"" + name + "\"";
    const int line = (stiffness ? stiffness : reference)->GetLineNum();
    const auto type = joint_type_named(joint.type);
    double k = 0, rest = 0;
    if (!stiffness)
      say(Severity::warning, line, element,
          "has <springReference> and no <springStiffness>, which is 0 then: there is no spring");
    else if (type && velocity_count(*type) != 1)
      say(Severity::warning, line, element,
          "its spring is left out: the joint is " + joint.type + " and not of one degree of freedom");
    else if (number_of(*stiffness, element, &k) && (!reference || number_of(*reference, element, &rest)))
      joint.passive.stiffness = {k}, joint.passive.reference = {rest};
  }
}

void UrdfGazebo::read_other(const XMLElement& e, const Words& known, const std::string& in) {
  const std::string tag = e.Name();
  if (const std::string_view meant = slip_of(tag, known); !meant.empty())
    say(Severity::error, e.GetLineNum(), "<" + tag + ">",
        "unknown in " + in + "; write <" + std::string(meant) + "> if that is meant, else take it out");
  else if (tag.starts_with("controller:") || tag.starts_with("sensor:"))  // of Gazebo before SDFormat
    left_out_.take_without_part(e, "gazebo");
  else if (tag.starts_with("joint:"))
    left_out_.take_dynamics(in + " <" + tag + ">", e.GetLineNum(), "a joint of Gazebo before SDFormat; write <joint>");
  else if (speaks_of_dynamics(tag))
    left_out_.take_dynamics(in + " <" + tag + ">", e.GetLineNum(), "by its name it is a force or an inertia");
  else
    left_out_.take_unknown(e);
}

void UrdfGazebo::read_plugin(const XMLElement& e) {
  const std::string name = name_of_element(e), file = e.Attribute("filename") ? e.Attribute("filename") : "";
  if (!is_mimic_plugin(file, name))
    return left_out_.take_rest("<gazebo> <plugin>", e.GetLineNum(), "plugins do not run here");
  AddedMimic mimic;
  mimic.element = "plugin \"" + name + "\"";
  mimic.line = e.GetLineNum();
  mimic.joint = text_of(e, "mimicJoint");
  mimic.leader = text_of(e, "joint");
  if (mimic.joint.empty() || mimic.leader.empty())
    return left_out_.take_dynamics("<gazebo> <plugin>", mimic.line,
                                   "a joint seems to follow another, but <joint> and <mimicJoint> do not say which; "
                                   "write <mimic>");
  if (const XMLElement* c = e.FirstChildElement("multiplier")) number_of(*c, mimic.element, &mimic.multiplier);
  if (const XMLElement* c = e.FirstChildElement("offset")) number_of(*c, mimic.element, &mimic.offset);
  for (const XMLElement* c = e.FirstChildElement(); c; c = c->NextSiblingElement())
    if (const std::string_view meant = slip_of(c->Name(), Words{"multiplier", "offset"});
        !meant.empty() && meant != c->Name())
      say(Severity::error, c->GetLineNum(), "<" + std::string(c->Name()) + ">",
          "unknown in a mimic plugin; write <" + std::string(meant) + "> if that is meant, else take it out");
  add_mimic(mimic, to_, [this](const std::string& name) { return joint_named(name); });
}

}  // namespace kinetree::inline inner
