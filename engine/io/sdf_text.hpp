#pragma once
// An XML document as the text that libsdformat is given for it.

#include <tinyxml2.h>

#include <functional>
#include <string>

namespace kinetree::inline inner {

/// The element in words of SDFormat 1.9 (sdf_newer.hpp), without the elements that are left out. Every element that
/// stays keeps its line.
std::string sdf_text(const tinyxml2::XMLElement& root,
                     const std::function<bool(const tinyxml2::XMLElement&)>& left_out = {});

}  // namespace kinetree::inline inner
