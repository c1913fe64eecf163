#include "engine/io/urdf_words.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "engine/model/slips.hpp"
#include "engine/scalar/lower.hpp"

namespace kinetree::inline inner {
namespace {

const std::vector<UrdfWords>& all_words() {
  static const std::vector<UrdfWords> words{
      {"robot", {"name", "version"}, {"link", "joint", "loop", "coupling", "material"}},
      {"link", {"name", "type"}, {"inertial", "visual", "collision"}},
      {"inertial", {}, {"origin", "mass", "inertia"}, true},
      {"origin", {"xyz", "rpy"}, {}},
      {"mass", {"value"}, {}},
      {"inertia", {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}, {}},
      {"joint", {"name", "type", "independent"}, {"parent", "child", "origin", "axis", "mimic", "dynamics", "limit"}},
      {"parent", {"link"}, {}},
      {"child", {"link"}, {}},
      {"axis", {"xyz"}, {}},
      {"mimic", {"joint", "multiplier", "offset"}, {}},
      {"dynamics", {"damping", "friction"}, {}},
      {"limit", {"lower", "upper", "effort", "velocity"}, {}},
      {"loop", {"name", "type"}, {"predecessor", "successor", "axis"}, true},
      {"coupling", {"name"}, {"predecessor", "successor", "ratio"}, true},
      {"predecessor", {"link"}, {"origin"}, true},
      {"successor", {"link"}, {"origin"}, true},
      {"ratio", {"value"}, {}},
      {"visual", {"name", "group"}, {"origin", "geometry", "material"}},
      {"collision", {"name", "group"}, {"origin", "geometry"}},
      {"geometry", {}, {"box", "cylinder", "sphere", "capsule", "mesh"}},
      {"box", {"size"}, {}},
      {"cylinder", {"radius", "length"}, {}},
      {"sphere", {"radius"}, {}},
      {"capsule", {"radius", "length"}, {}},
      {"mesh", {"filename", "scale"}, {}},
      {"material", {"name"}, {"color", "texture"}},
      {"color", {"rgba"}, {}},
      {"texture", {"filename"}, {}}};
  return words;
}

}  // namespace

const UrdfWords* urdf_words(std::string_view tag, std::string_view parent) {
  static const UrdfWords predecessor{"predecessor", {"link"}, {}, true}, successor{"successor", {"link"}, {}, true};
  const UrdfWords* outer = nullptr;
  for (const UrdfWords& words : all_words())
    if (words.tag == parent) outer = &words;
  if (!parent.empty() && (outer == nullptr || !is_among(tag, outer->children))) return nullptr;
  if (parent == "coupling" && tag != "ratio") return tag == "predecessor" ? &predecessor : &successor;  // of no place
  for (const UrdfWords& words : all_words())
    if (words.tag == tag) return &words;
  return nullptr;
}

std::string_view urdf_place_of(std::string_view word, const UrdfWords& words) {
  if (is_among(word, words.attributes) || is_among(word, words.children)) return words.tag;
  for (const std::string_view child : words.children) {
    if (child == "visual" || child == "collision" || child == "material") continue;
    if (const UrdfWords* inner = urdf_words(child, words.tag))
      if (const std::string_view place = urdf_place_of(word, *inner); !place.empty()) return place;
  }
  return {};
}

bool speaks_of_dynamics(std::string_view word) {
  static constexpr std::array stems{"inertia", "armature", "mass",     "spring", "stiff",      "damp",
                                    "bushing", "tendon",   "friction", "rotor",  "constraint", "mimic"};
  return std::any_of(stems.begin(), stems.end(),
                     [text = lower(word)](const char* stem) { return text.find(stem) != std::string::npos; });
}

}  // namespace kinetree::inline inner
