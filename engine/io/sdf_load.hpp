#pragma once
// libsdformat's own part of reading: the text to its objects, and what it says on the way as findings. It says one
// fault in several ways, some of them on std::cerr only; here each is said once and nothing is printed.

#include <filesystem>
#include <kinetree/finding.hpp>
#include <map>
#include <sdf/sdf.hh>
#include <string>
#include <vector>

#include "engine/io/sdf_places.hpp"
#include "engine/io/xml_lines.hpp"

namespace kinetree::inline inner {

struct SdfLoad {
  sdf::Root root;
  std::vector<Finding> findings;
  struct Unknown {
    int line = 0, count = 0;
    std::string file = {};   ///< that is included and has it; empty: the text itself
    std::string meant = {};  ///< an element of SDFormat whose word is near; empty: none
  };
  std::map<std::string, Unknown> unknown;   ///< elements that SDFormat has not, by tag
  std::map<std::string, Unknown> left_out;  ///< elements that were taken out before, by tag
  SdfPlaces places;                         ///< by which findings have their lines
};

/// Errors that libsdformat would not place, or not see: versions newer than it (it takes such a file for an empty one),
/// joint types and axes.
void check_sdf(const tinyxml2::XMLElement& root, const std::string& file, std::vector<Finding>& findings);

/// Loads `text`; `name` stands for the file, and what it includes is looked for beside it. `lines`: of the same text.
/// Faults of the text (not of what it includes) that lie in what has no part in the dynamics are a warning.
SdfLoad load_sdf(const std::string& text, const std::string& name, const XmlLines& lines);

}  // namespace kinetree::inline inner
