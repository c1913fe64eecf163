#pragma once
// MJCF of MuJoCo 3 for an older libmujoco.

#include <string>

namespace kinetree::inline inner {

/// The text with autolimits set, MuJoCo 3's default: a range is a limit. Without it MuJoCo 2.2.2 refuses a range that
/// does not say whether it is one, and limits are left out here. The last <compiler> counts.
inline std::string with_automatic_limits(std::string text) {
  const std::size_t end = text.rfind("</mujoco");
  if (end != std::string::npos) text.insert(end, "<compiler autolimits=\"true\"/>");
  return text;
}

}  // namespace kinetree::inline inner
