#pragma once
// An MJCF file and all that it includes as one tree of elements, each with the file and line that it stands on.

#include <tinyxml2.h>

#include <filesystem>
#include <kinetree/description.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/include_guard.hpp"

namespace kinetree::inline inner {

/// An element; what an <include> names stands in its place.
struct MjcfElement {
  const tinyxml2::XMLElement* xml = nullptr;
  const std::filesystem::path* folder = nullptr;  ///< of the file that it stands in
  int before = 0;                                 ///< lines of the description before that file's
  std::vector<MjcfElement> children = {};

  std::string_view tag() const { return xml->Name(); }
  int line() const { return before + xml->GetLineNum(); }
  const char* attribute(const char* name) const { return xml->Attribute(name); }
};

/// Owns the documents that its elements point to.
class MjcfDocument {
 public:
  /// Parses `text`, of the file `file`, and what it includes: files beside the outermost file, or beside their
  /// includer. False, with findings: a text is no XML, <mujoco> is not the root, elements nest deeper than 500, or a
  /// file can't be included. `whole.included` gains the files; `lines` is how many lines the description has so far.
  bool read(const std::string& text, const std::string& file, IncludeGuard& guard, Description& whole, int& lines,
            std::vector<Finding>& findings);

  const MjcfElement& root() const { return root_; }

 private:
  friend class MjcfExpansion;
  std::vector<std::unique_ptr<tinyxml2::XMLDocument>> documents_;
  std::vector<std::unique_ptr<std::filesystem::path>> folders_;
  MjcfElement root_;
};

/// Calls use(element) for an element and all inside it, in order.
template <class Use>
void each_element(const MjcfElement& e, const Use& use) {
  use(e);  // recursion is bounded: elements nest no deeper than 500
  for (const MjcfElement& c : e.children) each_element(c, use);
}

}  // namespace kinetree::inline inner
