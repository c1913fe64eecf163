#pragma once
// Elements of included files that SDFormat has not: libsdformat keeps them without a word.

#include <tinyxml2.h>

#include <map>
#include <sdf/Element.hh>
#include <set>
#include <string>
#include <utility>

#include "engine/io/sdf_load.hpp"

namespace kinetree::inline inner {

/// Tags that SDFormat 1.9 knows, with those of the elements around them.
using SdfTags = std::set<std::pair<std::string, std::string>>;

/// Those of a description and all in it.
void take_sdf_tags(const std::string& around, const sdf::ElementPtr& e, SdfTags& out);

/// Counts the elements of an included file that are not among them, in plugins nothing. Files older than 1.9, whose
/// words libsdformat translates, are not looked at.
void note_unknown_in_file(const tinyxml2::XMLElement& root, const SdfTags& known, const std::string& file,
                          SdfLoad& out);

}  // namespace kinetree::inline inner
