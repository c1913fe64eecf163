#pragma once
// An XML document as the text that libsdformat is given for it.

#include <tinyxml2.h>

#include <functional>
#include <map>
#include <string>

namespace kinetree::inline inner {

/// The element in words of SDFormat 1.9 (sdf_newer.hpp), without the elements that are left out. Every element that
/// stays keeps its line. `copies`: what stands in the place of the texts of <uri> in <include>.
std::string sdf_text(const tinyxml2::XMLElement& root, const std::function<bool(const tinyxml2::XMLElement&)>& left_out,
                     const std::map<std::string, std::string>& copies);

}  // namespace kinetree::inline inner
