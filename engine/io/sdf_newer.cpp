#include "engine/io/sdf_newer.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "engine/model/slips.hpp"
#include "engine/scalar/number_from.hpp"

namespace kinetree::inline inner {
namespace {

using tinyxml2::XMLElement;

bool is_newer_version(std::string_view version) {
  const std::size_t point = std::min(version.find('.'), version.size());
  const auto minor = number_from<int>(version.substr(std::min(point + 1, version.size())));
  return version.substr(0, point) == "1" && minor && *minor > 9 && *minor <= newest_sdf_minor;
}

bool is_tag(const XMLElement& e, std::string_view tag) { return tag == e.Name(); }

}  // namespace

SdfNewer newer_in_sdf(std::string_view tag, std::string_view parent) {
  using Places = std::map<std::string_view, std::set<std::string_view>>;
  static const Places read{{"mimic", {"axis", "axis2"}},
                           {"screw_thread_pitch", {"joint"}},
                           {"density", {"inertial", "collision"}},
                           {"cone", {"geometry"}}};
  static const Places left_out{{"auto_inertia_params", {"inertial", "collision"}},
                               {"fluid_added_mass", {"inertial"}},
                               {"convex_decomposition", {"mesh"}},
                               {"frame_id", {"sensor"}},
                               {"air_speed", {"sensor"}},
                               {"namespace", {"include"}},
                               {"model_state", {"state", "insertions", "model_state"}},
                               {"light_state", {"state"}},
                               {"link_state", {"model_state"}},
                               {"joint_state", {"model", "model_state"}}};
  const auto stands = [&](const Places& places) {
    const auto found = places.find(tag);
    return found != places.end() && found->second.count(parent) > 0;
  };
  return stands(read) ? SdfNewer::read : stands(left_out) ? SdfNewer::left_out : SdfNewer::no;
}

bool is_newer_sdf(const XMLElement& root) {
  const char* version = root.Attribute("version");
  return version && is_newer_version(version);
}

bool newer_attribute_in_sdf(std::string_view name, std::string_view tag) {
  return (tag == "model" && name == "namespace") || (tag == "include" && name == "merge");
}

// recursion is bounded: tinyxml2 refuses to nest deeper than 100 elements
bool needs_older_sdf(const XMLElement& e) {
  if (is_tag(e, "inertial") && e.Attribute("auto")) return true;
  if (is_tag(e, "mesh") && e.Attribute("optimization")) return true;
  if (is_tag(e, "plugin")) return e.Attribute("name") == nullptr;
  if (is_tag(e, "sdf") && is_newer_sdf(e)) return true;
  for (const XMLElement* c = e.FirstChildElement(); c; c = c->NextSiblingElement())
    if (needs_older_sdf(*c)) return true;
  return false;
}

std::vector<std::pair<std::string, std::string>> older_attributes(const XMLElement& e) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto* a = e.FirstAttribute(); a; a = a->Next()) all.emplace_back(a->Name(), a->Value());
  for (auto& [name, value] : all) {
    if (is_tag(e, "sdf") && name == "version" && is_newer_version(value)) value = "1.9";
    if (is_tag(e, "inertial") && name == "auto") name = auto_in_older_sdf;
    if (is_tag(e, "mesh") && name == "optimization") name = optimization_in_older_sdf;
  }
  if (is_tag(e, "plugin") && !e.Attribute("name")) all.emplace_back("name", "unnamed");  // since 1.10 it needs none
  return all;
}

// recursion is bounded, as above
void check_newer_sdf(const XMLElement& e, const std::string& file, std::vector<Finding>& findings) {
  const std::string flag = e.Attribute("auto") ? e.Attribute("auto") : "false";
  if (is_tag(e, "inertial") && !is_true_in_sdf(flag) && flag != "0" && slips_between(flag, "false") != 0)
    findings.push_back(
        {Severity::error, file, e.GetLineNum(), "<inertial auto>", "is \"" + flag + "\"; give true or false"});
  for (const XMLElement* c = e.FirstChildElement(); c; c = c->NextSiblingElement()) {
    if (is_tag(*c, "joint") && is_tag(e, "world"))
      findings.push_back({Severity::error, file, c->GetLineNum(),
                          "joint \"" + std::string(c->Attribute("name") ? c->Attribute("name") : "") + "\"",
                          "stands in a <world>, where no joint is read; put it, and the models of its links, into one "
                          "<model>"});
    check_newer_sdf(*c, file, findings);
  }
}

bool is_true_in_sdf(std::string_view text) {
  return text == "1" || slips_between(text, "true") == 0;  // in any case of letters
}

bool has_auto_inertia(const XMLElement& link) {
  const XMLElement* inertial = link.FirstChildElement("inertial");
  const char* flag = inertial ? inertial->Attribute("auto") : nullptr;
  return flag && is_true_in_sdf(flag);
}

}  // namespace kinetree::inline inner
