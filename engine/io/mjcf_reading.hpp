#pragma once
// What the parts of the MJCF reader share: the model that MuJoCo compiled, our names in it, and a way to say findings.

#include <mujoco/mujoco.h>

#include <kinetree/description.hpp>
#include <kinetree/load_model.hpp>
#include <string>
#include <utility>
#include <vector>

#include "engine/io/xml_lines.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

struct MjcfReading {
  Reading reading;
  XmlLines xml;
  const mjModel* compiled = nullptr;
  std::vector<std::string> body_name, joint_name;  ///< by MuJoCo's numbers; body 0 is the world

  void say(Severity severity, int line, std::string element, std::string message) {
    reading.findings.push_back({severity, reading.description.file, line, std::move(element), std::move(message)});
  }

  void left_out(const std::string& tag, int count, const std::string& why) {
    if (count == 0) return;
    say(Severity::notice, xml.first(tag), "<" + tag + ">",
        "left out, " + std::to_string(count) + (count == 1 ? " time: " : " times: ") + why);
  }
};

inline Numbers3 three(const mjtNum* x) { return {x[0], x[1], x[2]}; }
/// MuJoCo's quaternions have w first.
inline Placement placement(const Numbers3& xyz, const mjtNum* wxyz) {
  return {xyz, {wxyz[1], wxyz[2], wxyz[3], wxyz[0]}};
}
inline std::string in_quotes(const std::string& name) { return "\"" + name + "\""; }

}  // namespace kinetree::inline inner
