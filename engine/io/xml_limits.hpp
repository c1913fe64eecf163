#pragma once
// Sizes of an XML text, taken before it is parsed: parsers look for an element's duplicate attributes in a time that
// grows with the square of their number, and hold every element in memory.

#include <cstddef>
#include <kinetree/finding.hpp>
#include <string>
#include <vector>

namespace kinetree::inline inner {

/// How much of each a text may have.
struct XmlLimits {
  std::size_t attributes = 1000;  ///< of one element
  std::size_t parts = 5'000'000;  ///< elements and attributes
  std::size_t bytes = 256u << 20;
};

/// False, with an error that names the limit: the text is beyond one. Says nothing of a text that is no XML: the parser
/// does.
bool xml_within_limits(const std::string& text, const std::string& file, std::vector<Finding>& findings,
                       const XmlLimits& limits = {});

}  // namespace kinetree::inline inner
