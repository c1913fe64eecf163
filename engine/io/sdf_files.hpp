#pragma once
// Files that an SDFormat text is made of.

#include <tinyxml2.h>

#include <kinetree/finding.hpp>
#include <string>
#include <vector>

namespace kinetree::inline inner {

class SdfPlaces;
inline constexpr int most_named_in_sdf = 5000;

/// Looks at the files, notes their places and counts what libsdformat would build: each named element takes up to 1 MB
/// and 10 ms there. False, with errors, where an included file is none to read, or named elements are more than `most`.
bool sdf_files_are_sound(const tinyxml2::XMLDocument& document, const std::string& name, std::vector<Finding>& findings,
                         int most = most_named_in_sdf, SdfPlaces* places = nullptr);

}  // namespace kinetree::inline inner
