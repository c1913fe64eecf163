#pragma once
// Sizes of an XML text, taken before it is parsed: parsers look for an element's duplicate attributes in a time that
// grows with the square of their number, and hold every element in memory.

#include <kinetree/finding.hpp>
#include <string>
#include <vector>

namespace kinetree::inline inner {

/// False, with an error that names the limit: an element has more than 1000 attributes, or the text more than 5 million
/// elements and attributes, or more than 256 MiB. Says nothing of a text that is no XML: the parser does.
bool xml_within_limits(const std::string& text, const std::string& file, std::vector<Finding>& findings);

}  // namespace kinetree::inline inner
