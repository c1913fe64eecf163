#include "engine/io/sdf_essentials.hpp"

#include "engine/io/added_mimic.hpp"
#include "engine/io/sdf_newer.hpp"
#include "engine/io/sdf_text.hpp"

namespace kinetree::inline inner {
namespace {

using tinyxml2::XMLElement;

/// Whether an element, or one in it, stands on a faulty line.
bool has_fault(const XMLElement& e, const std::set<int>& faulty) {
  if (faulty.count(e.GetLineNum())) return true;
  for (const XMLElement* c = e.FirstChildElement(); c; c = c->NextSiblingElement())
    if (has_fault(*c, faulty)) return true;
  return false;
}

}  // namespace

bool WithoutPart::operator()(const XMLElement& e) {
  static const std::map<std::string_view, std::set<std::string_view>> without{
      {"link",
       {"visual", "collision", "sensor", "light", "projector", "audio_sink", "audio_source", "battery",
        "particle_emitter", "plugin"}},
      {"collision", {"surface", "laser_retro", "max_contacts"}},
      {"joint", {"sensor", "physics", "plugin"}},
      {"model", {"plugin", "gripper"}},
      {"world",
       {"plugin", "physics", "scene", "light", "audio", "gui", "road", "state", "population", "actor", "wind",
        "atmosphere", "magnetic_field", "spherical_coordinates"}}};
  const XMLElement* parent = e.Parent() ? e.Parent()->ToElement() : nullptr;
  const auto found = without.find(parent ? parent->Name() : "");
  const std::string_view tag = e.Name();
  if (found == without.end() || found->second.count(tag) == 0) return false;
  if (tag != "collision") return true;
  if (parent != link_) link_ = parent, automatic_ = has_auto_inertia(*parent);
  return !automatic_;
}

bool is_mimic_plugin(const XMLElement& e) {
  const char *file = e.Attribute("filename"), *name = e.Attribute("name");
  return std::string_view(e.Name()) == "plugin" && is_mimic_plugin(file ? file : "", name ? name : "");
}

std::string sdf_essentials(const XMLElement& root, const std::set<int>& faulty,
                           const std::map<std::string, std::string>& copies,
                           std::map<std::string, SdfLoad::Unknown>& left_out) {
  WithoutPart without_part;
  const auto left = [&](const XMLElement& e) {
    if (!without_part(e) || is_mimic_plugin(e) || (!faulty.empty() && !has_fault(e, faulty))) return false;
    SdfLoad::Unknown& seen = left_out[e.Name()];
    if (seen.count++ == 0) seen.line = e.GetLineNum();
    return true;
  };
  return sdf_text(root, left, copies);
}

}  // namespace kinetree::inline inner
