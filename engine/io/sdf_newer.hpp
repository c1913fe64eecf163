#pragma once
// SDFormat 1.10 to 1.12 on a libsdformat that knows versions up to 1.9: what these versions have beyond it, and a text
// of it that libsdformat reads. It keeps elements that it does not know, and drops attributes unless they have a
// namespace.

#include <tinyxml2.h>

#include <kinetree/finding.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kinetree::inline inner {

inline constexpr int newest_sdf_minor = 12;
inline constexpr const char* newest_sdf = "1.12";

/// What an element is that 1.9 has not.
enum class SdfNewer {
  no,        ///< of no version up to 1.12
  read,      ///< and read here
  left_out,  ///< and not read here
};
SdfNewer newer_in_sdf(std::string_view tag, std::string_view parent);

/// Whether a file is of a version after 1.9 that is read.
bool is_newer_sdf(const tinyxml2::XMLElement& root);

/// Whether an attribute is of a version after 1.9, and none that is read here.
bool newer_attribute_in_sdf(std::string_view name, std::string_view tag);

/// Whether libsdformat has to be given another text: of a newer version, an automatic inertia, an optimized mesh, or a
/// plugin without a name.
bool needs_older_sdf(const tinyxml2::XMLElement& e);

/// An element's attributes as libsdformat is to be given them: names and values.
std::vector<std::pair<std::string, std::string>> older_attributes(const tinyxml2::XMLElement& e);

/// The attribute that stands for `auto` of <inertial> there.
inline constexpr const char* auto_in_older_sdf = "kinetree:auto";
/// And for `optimization` of <mesh>.
inline constexpr const char* optimization_in_older_sdf = "kinetree:optimization";

/// Adds an error for each `auto` that is no flag, and each joint of a <world> (since 1.10): libsdformat has no place
/// for it.
void check_newer_sdf(const tinyxml2::XMLElement& e, const std::string& file, std::vector<Finding>& findings);

/// `true` or `1` as libsdformat reads flags.
bool is_true_in_sdf(std::string_view text);

/// Whether a link takes its inertia from its collisions.
bool has_auto_inertia(const tinyxml2::XMLElement& link);

}  // namespace kinetree::inline inner
