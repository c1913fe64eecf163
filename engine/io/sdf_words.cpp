#include "engine/io/sdf_words.hpp"

#include <algorithm>

#include "engine/io/sdf_newer.hpp"
#include "engine/model/slips.hpp"

namespace kinetree::inline inner {
namespace {

struct SdfWords {
  std::string_view tag;
  std::vector<std::string_view> attributes, children;  ///< children: those that are read here or walked through
};

const SdfWords* sdf_words(std::string_view tag) {
  static const std::vector<SdfWords> all{
      {"sdf", {"version"}, {"world", "model"}},
      {"world", {"name"}, {"gravity", "model", "include", "frame", "joint"}},
      {"model",
       {"name", "canonical_link", "placement_frame"},
       {"pose", "static", "link", "joint", "frame", "model", "include"}},
      {"link", {"name"}, {"pose", "inertial", "gravity", "kinematic", "velocity_decay"}},
      {"inertial", {"auto"}, {"mass", "inertia", "pose", "density"}},
      {"collision", {"name"}, {"density", "pose", "geometry"}},
      {"inertia", {}, {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}},
      {"frame", {"name", "attached_to"}, {"pose"}},
      {"pose", {"relative_to", "rotation_format", "degrees", "frame"}, {}},
      {"joint",
       {"name", "type"},
       {"parent", "child", "pose", "axis", "axis2", "gearbox_ratio", "gearbox_reference_body", "thread_pitch",
        "screw_thread_pitch", "drake:rotor_inertia", "drake:gear_ratio"}},
      {"axis", {}, {"xyz", "dynamics", "limit", "mimic"}},
      {"axis2", {}, {"xyz", "dynamics", "limit", "mimic"}},
      {"mimic", {"joint", "axis"}, {"multiplier", "offset", "reference"}},
      {"xyz", {"expressed_in"}, {}},
      {"dynamics", {}, {"damping", "friction", "spring_reference", "spring_stiffness"}},
      {"limit", {}, {"lower", "upper", "effort", "velocity"}}};
  const auto found = std::find_if(all.begin(), all.end(), [&](const SdfWords& w) { return w.tag == tag; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

std::string_view meant_in_sdf(std::string_view tag, std::string_view in) {
  const SdfWords* words = sdf_words(in);
  return words && !is_among(tag, words->children) ? slip_of(tag, words->children) : std::string_view();
}

// recursion is bounded: tinyxml2 refuses to nest deeper than 500 elements
void check_sdf_words(const tinyxml2::XMLElement& e, const std::string& file, std::vector<Finding>& findings) {
  const SdfWords* words = sdf_words(e.Name());
  if (words == nullptr) return;
  const auto say = [&](int line, const std::string& element, std::string_view meant) {
    findings.push_back({Severity::error, file, line, element,
                        "unknown in <" + std::string(e.Name()) + ">; write " + std::string(meant) +
                            " if that is meant, else take it out"});
  };
  std::vector<std::string_view> free;  // words that another attribute may be meant for
  for (const std::string_view word : words->attributes)
    if (e.Attribute(std::string(word).c_str()) == nullptr) free.push_back(word);
  for (const auto* a = e.FirstAttribute(); a; a = a->Next())
    if (const std::string name = a->Name(); !is_among(name, words->attributes))
      if (const std::string_view meant = slip_of(name, free); !meant.empty())
        say(e.GetLineNum(), "<" + std::string(e.Name()) + " " + name + ">", meant);
  const bool automatic = e.Name() == std::string_view("link") && has_auto_inertia(e);
  for (const auto* c = e.FirstChildElement(); c; c = c->NextSiblingElement()) {
    if (const std::string_view meant = meant_in_sdf(c->Name(), e.Name()); !meant.empty())
      say(c->GetLineNum(), "<" + std::string(c->Name()) + ">",
          "<" + std::string(meant) + ">");  // no word of SDFormat's own is near another
    else if (is_among(c->Name(), words->children) || (automatic && c->Name() == std::string_view("collision")))
      check_sdf_words(*c, file, findings);
  }
}

}  // namespace kinetree::inline inner
