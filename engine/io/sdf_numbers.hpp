#pragma once
// Numbers of an SDFormat text that libsdformat would cut: it reads 1,5 and 1.5kg as far as they are numbers, and says
// nothing.

#include <tinyxml2.h>

#include <kinetree/finding.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/io/sdf_unknown.hpp"

namespace kinetree::inline inner {

/// What an element or attribute holds; whole numbers may be hexadecimal (0x0F), true or false too.
enum class SdfNumber { one, whole, three, several };

/// Elements and attributes whose values are numbers: by the tag of the element around an element, its tag and the
/// attribute's name (empty: its text).
using SdfNumbers = std::map<std::pair<std::pair<std::string, std::string>, std::string>, SdfNumber>;

/// As libsdformat describes SDFormat 1.9, and what newer versions have that is read here; and the tags of 1.9. Sets C's
/// locale, as all of libsdformat's reading does.
SdfNumbers sdf_numbers(SdfTags& tags);

/// Parts of a document: what is read here, or what is left out (sdf_essentials).
enum class SdfParts { essential, left_out };

/// Adds an error, in what is left out a warning, for each text or attribute that should be numbers and is none.
void check_sdf_numbers(const tinyxml2::XMLElement& root, const SdfNumbers& numbers, SdfParts parts,
                       const std::string& file, std::vector<Finding>& findings);

}  // namespace kinetree::inline inner
