#pragma once
// The words of SDFormat that count here: slips in them, which libsdformat takes for users' own elements and attributes.

#include <tinyxml2.h>

#include <kinetree/finding.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace kinetree::inline inner {

/// Adds an error for each element and each attribute of the file whose word is, but for a slip, one that is read there.
void check_sdf_words(const tinyxml2::XMLElement& root, const std::string& file, std::vector<Finding>& findings);

/// The element that may be meant in an element `in`; empty: none.
std::string_view meant_in_sdf(std::string_view tag, std::string_view in);

}  // namespace kinetree::inline inner
