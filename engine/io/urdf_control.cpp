#include "engine/io/urdf_control.hpp"

#include <string>
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
    const auto each_param = [&](auto&& take) {
      for (const XMLElement* p = joint->FirstChildElement("param"); p; p = p->NextSiblingElement("param"))
        take(*p, p->Attribute("name") ? p->Attribute("name") : "");
    };
    each_param([&](const XMLElement& p, std::string_view name) {
      if (name == "mimic") mimic.leader = text_of(p);
    });
    if (!mimic.leader.empty())  // else the words are a hardware's own
      each_param([&](const XMLElement& p, std::string_view name) {
        double* const out = name == "multiplier" ? &mimic.multiplier : name == "offset" ? &mimic.offset : nullptr;
        if (out)
          numbers_of(text_of(p).c_str(), p.GetLineNum(), "<param name=\"" + std::string(name) + "\">", mimic.element,
                     out, 1);
      });
    const JointDescription* has = joint_named(mimic.joint);
    if (!mimic.leader.empty())
      add_mimic(mimic, to_, [this](const std::string& name) { return joint_named(name); });
    else if (has && has->mimic && joint->Attribute("mimic", "false"))
      say(Severity::warning, mimic.line, mimic.element,
          "says mimic=\"false\", but follows as its <mimic> says; --ignore-mimic makes such joints independent");
  }
}

}  // namespace kinetree::inline inner
