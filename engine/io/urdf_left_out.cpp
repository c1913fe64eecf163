#include "engine/io/urdf_left_out.hpp"

#include <tinyxml2.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "engine/io/urdf_words.hpp"
#include "engine/model/known_names.hpp"
#include "engine/scalar/number_from.hpp"
#include "engine/scalar/number_text.hpp"

namespace kinetree::inline inner {
namespace {

using tinyxml2::XMLElement;

/// Elements of URDF, of ROS and of Drake that have no part in the dynamics.
bool has_no_dynamics(std::string_view tag) {
  static constexpr std::array<std::string_view, 13> tags{"frame",
                                                         "collision_filter_group",
                                                         "safety_controller",
                                                         "calibration",
                                                         "sensor",
                                                         "contact",
                                                         "hardwareInterface",
                                                         "self_collision_checking",
                                                         "verbose",
                                                         "material",
                                                         "visual",
                                                         "collision",
                                                         "drake:collision_filter_group"};
  return is_among(tag, tags);
}

std::string in_brackets(const XMLElement& e) { return "<" + std::string(e.Name()) + ">"; }

/// The link, joint, loop or coupling that an element is or stands in.
std::string owner_of(const XMLElement& e) {
  for (const tinyxml2::XMLNode* n = &e; n != nullptr; n = n->Parent()) {
    const XMLElement* up = n->ToElement();
    if (up == nullptr) break;
    const std::string_view tag = up->Name();
    const char* name = up->Attribute("name");
    if (name && (tag == "link" || tag == "joint" || tag == "loop" || tag == "coupling"))
      return std::string(tag) + " \"" + name + "\"";
  }
  return in_brackets(e);
}

/// The words of what an element stands in.
const UrdfWords* words_around(const XMLElement& e) {
  const XMLElement* in = e.Parent() ? e.Parent()->ToElement() : nullptr;
  const XMLElement* around = in && in->Parent() ? in->Parent()->ToElement() : nullptr;
  return in ? urdf_words(in->Name(), around ? around->Name() : "") : nullptr;
}

const std::string unread_dynamics = ", and by its name it would change the dynamics";

}  // namespace

bool UrdfLeftOut::is_extension(std::string_view tag) {
  return tag == "gazebo" || tag == "transmission" || tag == "ros2_control";
}

void UrdfLeftOut::say(Severity severity, int line, std::string element, std::string message) {
  reading_.findings.push_back({severity, reading_.description.file, line, std::move(element), std::move(message)});
}

void UrdfLeftOut::take(const std::string& element, int line, Severity severity, const std::string& before,
                       const std::string& after) {
  Kind& kind = kinds_[{element, after}];
  if (kind.count++ == 0) kind = {severity, before, after, line, 1};
}

void UrdfLeftOut::take_without_part(const XMLElement& e, std::string_view extension) {
  auto& [line, words] = without_part_[std::string(extension)];
  if (words.empty()) line = e.GetLineNum();
  words.insert(e.Name());
}

void UrdfLeftOut::take_unknown(const XMLElement& e) {
  take(in_brackets(e), e.GetLineNum(), Severity::warning, "unknown here and ", "; check its spelling");
}

void UrdfLeftOut::take_dynamics(const std::string& element, int line, const std::string& why) {
  take(element, line, Severity::warning, "is dynamics that is not read, and ", ": " + why);
}

void UrdfLeftOut::check(const XMLElement& robot) { check(robot, *urdf_words(robot.Name(), ""), false); }

// recursion is bounded: words nest no deeper than the table
void UrdfLeftOut::check(const XMLElement& e, const UrdfWords& words, bool is_shape) {
  check_attributes(e, words, is_shape);
  for (const XMLElement* c = e.FirstChildElement(); c; c = c->NextSiblingElement()) {
    const std::string_view tag = c->Name();
    const bool shape = is_shape || tag == "visual" || tag == "collision" || tag == "material";
    // `words` are those of a place: a coupling's <predecessor> has no <origin>
    if (const UrdfWords* inner = is_among(tag, words.children) ? urdf_words(tag, words.tag) : nullptr)
      check(*c, *inner, shape);
    else if (words.tag != "robot" || !is_extension(tag))
      check_child(*c, e, words, shape);
  }
}

void UrdfLeftOut::check_child(const XMLElement& e, const XMLElement& in, const UrdfWords& words, bool is_shape) {
  const std::string tag = e.Name(), element = in_brackets(e);
  const int line = e.GetLineNum();
  const auto refuse = [&](const std::string& fault) { say(Severity::error, line, element, "unknown here" + fault); };
  const std::string_view meant = has_no_dynamics(tag) ? "" : slip_of(tag, words.children);
  if (is_shape) {
    if (!meant.empty())
      return take(element, line, Severity::warning, "unknown here and ",
                  "; write <" + std::string(meant) + "> if that is meant");
    return take(element, line, Severity::notice, "", ": it has no part in the dynamics");
  }
  if (has_no_dynamics(tag)) return take(element, line, Severity::notice, "", ": it has no part in the dynamics");
  if (!meant.empty()) return refuse("; write <" + std::string(meant) + "> if that is meant, else take it out");
  if (words.all_count) return refuse(" in " + in_brackets(in) + ", where it would change the dynamics; take it out");
  if (const std::string_view place = urdf_place_of(tag, *urdf_words("robot", ""));
      !place.empty() && urdf_words(tag, place) != nullptr) {
    const std::string there = " in " + in_brackets(in) + "; it belongs in <" + std::string(place) + ">";
    // urdfdom's users have it there without effect, and libsdformat takes a robot's for its pose
    if (tag == "origin") return take(element + " in " + in_brackets(in), line, Severity::warning, "", there);
    return refuse(there);
  }
  if (is_extension(tag))
    return take(element + " in " + in_brackets(in), line, Severity::notice, "",
                ": it is read in <robot> alone, as <gazebo reference=\"NAME\">");
  if (tag == "mujoco") return take_compiler(e);
  for (const auto* a = e.FirstAttribute(); a; a = a->Next())  // <joint_properties damping="1.0" friction="1.0"/>
    if (is_among(a->Name(), urdf_words("dynamics", "joint")->attributes))
      return take_dynamics(element, line, "write <dynamics damping=\"...\" friction=\"...\"> in the joint");
  if (tag == "drake:joint") return refuse(", and it would be another joint; a YAML model can have it");
  if (tag.find("constraint") != std::string::npos || tag.find("loop") != std::string::npos)
    return refuse(unread_dynamics + "; write <loop> or <coupling>, or take it out");
  if (speaks_of_dynamics(tag) || tag == "force_element")
    return take_dynamics(element, line, "by its name it is a force or an inertia");
  if (tag.find(':') != std::string::npos)
    return take(element, line, Severity::notice, "", ": it is none of URDF's, and unknown here");
  take_unknown(e);
}

/// <compiler> of MuJoCo's own reader of URDF (MuJoCo, "XML Reference", compiler).
void UrdfLeftOut::take_compiler(const XMLElement& mujoco) {
  static constexpr std::array inertias{"balanceinertia", "inertiafromgeom", "boundmass", "boundinertia",
                                       "settotalmass"};
  static constexpr std::array<std::string_view, 4> off{"false", "auto", "0", "-1"};
  for (const XMLElement* c = mujoco.FirstChildElement("compiler"); c; c = c->NextSiblingElement("compiler"))
    for (const char* word : inertias)
      if (const char* value = c->Attribute(word); value && !is_among(value, off))
        take_dynamics("<mujoco> <compiler " + std::string(word) + ">", c->GetLineNum(),
                      "MuJoCo would take other inertias by it; write those as <inertial>");
  take("<mujoco>", mujoco.GetLineNum(), Severity::notice, "", ": options of MuJoCo's own compiler");
}

void UrdfLeftOut::check_attributes(const XMLElement& e, const UrdfWords& words, bool is_shape) {
  if (words.tag == "origin") return;   // said where it is read
  std::vector<std::string_view> free;  // words that another attribute may be meant for
  for (const std::string_view word : words.attributes)
    if (e.Attribute(std::string(word).c_str()) == nullptr) free.push_back(word);
  for (const auto* a = e.FirstAttribute(); a; a = a->Next()) {
    const std::string name = a->Name();
    if (name == "name" || name.starts_with("xml") || is_among(name, words.attributes)) continue;
    const std::string element = "<" + std::string(words.tag) + " " + name + ">";
    const int line = e.GetLineNum();
    if (words.tag == "axis" && name == "rpy") {  // many robots' files have it
      const auto angles = numbers_from(a->Value());
      const bool zero = angles && std::ranges::all_of(*angles, [](double x) { return x == 0; });
      take(element, line, zero ? Severity::notice : Severity::warning, "",
           zero ? ": it turns nothing" : ": it has no effect, as in urdfdom; xyz alone gives the axis");
      continue;
    }
    const auto refuse = [&](const std::string& fault) {
      say(is_shape ? Severity::warning : Severity::error, line, owner_of(e), element + " is unknown here" + fault);
    };
    if (const std::string_view meant = slip_of(name, free); !meant.empty()) {
      refuse("; write " + std::string(meant) + " if that is meant, else take it out");
      continue;
    }
    const bool vendor = name.find(':') != std::string::npos;
    if (is_shape || (vendor && !speaks_of_dynamics(name))) {
      take(element, line, Severity::notice, "", is_shape ? ": it has no part in the dynamics" : ": unknown here");
      continue;
    }
    if (!vendor) {
      std::string_view place = urdf_place_of(name, words);
      if (const UrdfWords* around = words_around(e); place.empty() && around) place = urdf_place_of(name, *around);
      // an element of that name, or an attribute of another element; generic words tell nothing
      if (!place.empty() && name != "type" && name != "value" && name != "link" && name != "joint") {
        const UrdfWords* meant = urdf_words(name, place);
        const std::string tag = meant ? name : std::string(place);
        const std::string attribute = !meant                      ? name
                                      : meant->attributes.empty() ? ""
                                                                  : std::string(meant->attributes[0]);
        refuse("; write <" + tag + (attribute.empty() ? "" : " " + attribute + "=\"...\"") +
               "> if that is meant, else take it out");
        continue;
      }
    }
    if (speaks_of_dynamics(name) || words.tag == "dynamics")  // robots' files have its K, D and mu_viscous there
      take_dynamics(element, line, "by its name it is a force or an inertia; a YAML model can have it");
    else
      take(element, line, Severity::warning, "unknown here and ", "; check its spelling");
  }
  if (words.tag == "joint" && e.Attribute("independent"))
    take("<joint independent>", e.GetLineNum(), Severity::notice, "",
         ": independent coordinates are chosen in every state; a YAML model can name them");
}

void UrdfLeftOut::tell() {
  for (const auto& [key, kind] : kinds_)
    say(kind.severity, kind.line, key.first, kind.before + "left out, " + count_of(kind.count, "time") + kind.after);
  for (const auto& [extension, found] : without_part_) {
    const auto& [line, words] = found;
    std::string list;
    for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
    say(Severity::notice, line, "<" + extension + ">",
        "left out of it: " + list + (words.size() == 1 ? ", which has" : ", which have") + " no part in the dynamics");
  }
}

}  // namespace kinetree::inline inner
