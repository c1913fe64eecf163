#include "engine/io/urdf_transmissions.hpp"

#include <kinetree/joint_type.hpp>

#include "engine/io/urdf_words.hpp"
#include "engine/model/known_names.hpp"

namespace kinetree::inline inner {

void UrdfTransmissions::read(const XMLElement& e) {
  const std::string element = "transmission \"" + name_of_element(e) + "\"";
  const int line = e.GetLineNum();
  look_for_more(e);
  double inertia = 0;
  for (const XMLElement* a = e.FirstChildElement("actuator"); a; a = a->NextSiblingElement("actuator"))
    inertia += reflected(*a, element);
  left_out_.take_rest("<transmission>", line,
                      "actuators give tau, an input here; their rotors' inertia and gear ratio are read");
  if (inertia == 0) return;
  const XMLElement* first = e.FirstChildElement("joint");
  const std::string type = e.Attribute("type") ? e.Attribute("type") : text_of(e, "type");
  const bool simple = type.empty() || type.find("SimpleTransmission") != std::string::npos;
  if (!simple || !first || first->NextSiblingElement("joint"))
    return left_out_.take_dynamics(
        "<drake:rotor_inertia>", line,
        "a rotor of a transmission that is not simple or has not one joint; a YAML model can have its armature");
  const std::string name = name_of_element(*first);
  JointDescription* joint = joint_named(name);
  if (joint == nullptr)
    return say(Severity::error, first->GetLineNum(), element,
               "\"" + name + "\" is no joint of this model; give a joint's name" +
                   nearest_of(
                       name, to_.description.bodies, [](const BodyDescription& b) { return b.joint.name; },
                       reading_.findings.size()));
  const auto joint_type = joint_type_named(joint->type);
  if (joint_type && velocity_count(*joint_type) != 1)
    return say(Severity::warning, line, element,
               "its rotor is left out: joint \"" + name + "\" is " + joint->type + " and not of one degree of freedom");
  joint->armature += inertia;
}

double UrdfTransmissions::reflected(const XMLElement& actuator, const std::string& element) {
  const XMLElement* rotor = only(actuator, "drake:rotor_inertia", element);
  const XMLElement* gear = only(actuator, "drake:gear_ratio", element);
  double inertia = 0, ratio = 1;
  if (rotor) numbers(*rotor, "value", element, &inertia, 1, true);
  if (gear) numbers(*gear, "value", element, &ratio, 1, true);
  if (inertia < 0) {
    say(Severity::error, rotor->GetLineNum(), element,
        "<drake:rotor_inertia> " + number_text(inertia) + " is negative; give the rotor's own inertia, >= 0");
    return 0;
  }
  if (inertia == 0) return 0;
  const XMLElement* reduction = actuator.FirstChildElement("mechanicalReduction");
  if (double other = ratio; reduction && number_of(*reduction, element, &other) && other != ratio)
    say(Severity::warning, reduction->GetLineNum(), element,
        std::string("<mechanicalReduction> is not <drake:gear_ratio>") +
            (gear ? "" : ", which is 1 where it is missing") + "; the rotor turns by the latter, as in Drake");
  return inertia * ratio * ratio;
}

void UrdfTransmissions::look_for_more(const XMLElement& e) {
  static constexpr std::array read{"drake:rotor_inertia", "drake:gear_ratio"};
  for (const XMLElement* c = e.FirstChildElement(); c; c = c->NextSiblingElement()) {
    const std::string tag = c->Name();
    if (is_among(tag, read)) continue;
    if (const std::string_view meant = slip_of(tag, read); !meant.empty())
      say(Severity::error, c->GetLineNum(), "<" + tag + ">",
          "unknown here; write <" + std::string(meant) + "> if that is meant, else take it out");
    else if (speaks_of_dynamics(tag) || tag == "gap_joint" || tag == "passive_joint")  // PR2's grippers
      left_out_.take_dynamics(
          "<transmission> <" + tag + ">", c->GetLineNum(),
          "<drake:rotor_inertia value=\"...\"> gives a rotor's inertia, <mimic> a joint that follows");
    for (const auto* a = c->FirstAttribute(); a; a = a->Next())
      if (speaks_of_dynamics(a->Name()))
        left_out_.take_dynamics("<" + tag + " " + a->Name() + ">", c->GetLineNum(),
                                "<drake:rotor_inertia value=\"...\"> gives a rotor's inertia");
    look_for_more(*c);
  }
}

}  // namespace kinetree::inline inner
