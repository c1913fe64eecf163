#include "engine/io/urdf_control.hpp"

#include <string_view>

#include "engine/io/added_mimic.hpp"

namespace kinetree::inline inner {

void UrdfControl::read(const XMLElement& e) {
  left_out_.take_rest("<ros2_control>", e.GetLineNum(),
                      "controllers give tau, an input here; joints that follow others are read");
  for (const XMLElement* joint = e.FirstChildElement("joint"); joint; joint = joint->NextSiblingElement("joint")) {
    AddedMimic mimic;
    mimic.joint = name_of_element(*joint);
    mimic.element = "<ros2_control> joint \"" + mimic.joint + "\"";
    mimic.line = joint->GetLineNum();
    for (const XMLElement* p = joint->FirstChildElement("param"); p; p = p->NextSiblingElement("param")) {
      const std::string_view name = p->Attribute("name") ? p->Attribute("name") : "";
      if (name == "mimic") mimic.leader = text_of(*p);
      if (name == "multiplier") number_of(*p, mimic.element, &mimic.multiplier);
      if (name == "offset") number_of(*p, mimic.element, &mimic.offset);
    }
    const JointDescription* has = joint_named(mimic.joint);
    if (!mimic.leader.empty())
      add_mimic(mimic, to_, [this](const std::string& name) { return joint_named(name); });
    else if (has && has->mimic && joint->Attribute("mimic", "false"))
      say(Severity::warning, mimic.line, mimic.element,
          "says mimic=\"false\", but follows as its <mimic> says; --ignore-mimic makes such joints independent");
  }
}

}  // namespace kinetree::inline inner
