#include "engine/io/urdf_left_out.hpp"

#include <tinyxml2.h>

#include <algorithm>
#include <array>

#include "engine/model/slips.hpp"

namespace kinetree::inline inner {
namespace {

/// Tags of URDF that have no part in the dynamics.
constexpr std::array<std::string_view, 13> without_dynamics{
    "visual", "collision", "safety_controller", "calibration",       "transmission", "gazebo",
    "sensor", "material",  "contact",           "hardwareInterface", "ros2_control", "self_collision_checking",
    "verbose"};

bool has_no_dynamics(std::string_view tag) {
  return std::find(without_dynamics.begin(), without_dynamics.end(), tag) != without_dynamics.end();
}

std::string times(int count) { return std::to_string(count) + (count == 1 ? " time" : " times"); }

}  // namespace

void UrdfLeftOut::say(Severity severity, int line, std::string element, std::string message) {
  reading_.findings.push_back({severity, reading_.description.file, line, std::move(element), std::move(message)});
}

void UrdfLeftOut::take(const tinyxml2::XMLElement& e, std::initializer_list<std::string_view> read, bool all_count) {
  const std::string tag = e.Name();
  if (!has_no_dynamics(tag)) {
    const std::string_view meant = slip_of(tag, read);
    std::string fault;
    if (!meant.empty())
      fault = "; write <" + std::string(meant) + "> if that is meant, else take it out";
    else if (all_count)
      fault = " in <" + std::string(e.Parent()->Value()) + ">, where it would change the dynamics; take it out";
    else if (tag == "drake:joint")
      fault = ", and it would be another joint; a YAML model can have it";
    else if (tag.find("constraint") != std::string::npos || tag.find("loop") != std::string::npos)
      fault = ", and by its name it would change the dynamics; write <loop> or <coupling>, or take it out";
    if (!fault.empty()) return say(Severity::error, e.GetLineNum(), "<" + tag + ">", "unknown here" + fault);
  }
  take(kinds_[tag], e.GetLineNum());
}

void UrdfLeftOut::tell() {
  if (independent_.count > 0)
    say(Severity::notice, independent_.line, "<joint independent>",
        "left out, " + times(independent_.count) +
            ": independent coordinates are chosen in every state; a YAML model can name them");
  for (const auto& [tag, kind] : kinds_) {
    const std::string element = "<" + tag + ">", left_out = "left out, " + times(kind.count);
    if (has_no_dynamics(tag))
      say(Severity::notice, kind.line, element, left_out + ": it has no part in the dynamics");
    else  // perhaps a slip of the pen
      say(Severity::warning, kind.line, element, "unknown here and " + left_out + "; check its spelling");
  }
}

}  // namespace kinetree::inline inner
