#pragma once
// What to do about a text that is no XML.

#include <tinyxml2.h>

#include <kinetree/finding.hpp>
#include <string>

namespace kinetree::inline inner {

/// A finding on a file whose text the parser refused.
Finding ill_formed_xml(const tinyxml2::XMLDocument& refused, const std::string& text, const std::string& file);

}  // namespace kinetree::inline inner
