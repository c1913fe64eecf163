#pragma once
// The one door for XML texts: URDF, MJCF and SDFormat come in by it.

#include <tinyxml2.h>

#include <kinetree/finding.hpp>
#include <string>
#include <vector>

namespace kinetree::inline inner {

/// Parses a text into `document`. False, with an error that says what to do: more stands behind a NUL byte, the text is
/// beyond a limit (xml_limits.hpp), or it is no well-formed XML.
bool parse_xml(const std::string& text, const std::string& file, tinyxml2::XMLDocument& document,
               std::vector<Finding>& findings);

}  // namespace kinetree::inline inner
