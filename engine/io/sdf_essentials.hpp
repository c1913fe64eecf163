#pragma once
// An SDFormat text without what is left out of the dynamics. libsdformat refuses a file for any fault, one in a
// material too.

#include <map>
#include <set>
#include <string>

#include "engine/io/sdf_load.hpp"

namespace kinetree::inline inner {

/// Whether an element of a document is left out: collisions, unless they give their link its inertia, and others.
/// Frames may be relative to none of these. For one walk over one document, since it remembers the last link.
class WithoutPart {
 public:
  bool operator()(const tinyxml2::XMLElement& e);

 private:
  const tinyxml2::XMLElement* link_ = nullptr;  ///< whose inertial was looked for, once for all its collisions
  bool automatic_ = false;
};

/// Whether it is a plugin that makes a joint follow another (added_mimic.hpp).
bool is_mimic_plugin(const tinyxml2::XMLElement& e);

/// The document as text, without visuals, collisions, sensors, plugins and the like, but for plugins that are read; of
/// those without such as stand on a line of `faulty` or have an element there, or all where that is empty. Every
/// element that stays keeps its line. `left_out`: how often each tag was taken out, and the line of the first.
/// `copies`: of included files, as sdf_text has them.
std::string sdf_essentials(const tinyxml2::XMLElement& root, const std::set<int>& faulty,
                           const std::map<std::string, std::string>& copies,
                           std::map<std::string, SdfLoad::Unknown>& left_out);

}  // namespace kinetree::inline inner
