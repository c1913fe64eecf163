#pragma once
// An SDFormat text without what is left out of the dynamics. libsdformat refuses a file for any fault, one in a
// material too.

#include <string_view>

#include "engine/io/sdf_load.hpp"

namespace kinetree::inline inner {

/// Whether an element of that tag is left out there. Frames may be relative to none of these.
bool without_part(std::string_view tag, std::string_view parent);

/// The document as text, without visuals, collisions, sensors, plugins and the like. Every element that stays keeps
/// its line. `left_out`: how often each tag was taken out, and the line of the first.
std::string sdf_essentials(const tinyxml2::XMLElement& root, std::map<std::string, SdfLoad::Unknown>& left_out);

}  // namespace kinetree::inline inner
