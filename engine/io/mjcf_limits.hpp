#pragma once
// MJCF of MuJoCo 3 for an older libmujoco.

#include <string>

namespace kinetree::inline inner {

/// The text with a <compiler> of these attributes after all others, so that they count.
inline std::string with_compiler(std::string text, const std::string& attributes) {
  const std::size_t end = text.rfind("</mujoco");
  if (end != std::string::npos) text.insert(end, "<compiler " + attributes + "/>");
  return text;
}

/// The text with autolimits set, MuJoCo 3's default: a range is a limit. Without it MuJoCo 2.2.2 refuses a range that
/// does not say whether it is one, and limits are left out here.
inline std::string with_automatic_limits(const std::string& text) { return with_compiler(text, "autolimits=\"true\""); }

}  // namespace kinetree::inline inner
