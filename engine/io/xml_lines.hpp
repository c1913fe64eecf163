#pragma once
// A second look at an XML model that another library reads: whether it is well-formed, and on which lines its named
// elements stand. That library's own model has forgotten the lines.

#include <tinyxml2.h>

#include <kinetree/finding.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace kinetree::inline inner {

class XmlLines {
 public:
  /// Parses `text`. False, with a finding: it is no XML, or its root element is not `root`.
  bool parse(const std::string& text, const std::string& root, const std::string& file, std::vector<Finding>& findings);

  /// The line of an element of that tag (or `parent/tag`) and name, the last where several share it; 0: none, it may be
  /// included.
  int line(const std::string& tag, const std::string& name) const;
  /// The line of the first element of that tag; 0: none.
  int first(const std::string& tag) const;

  const tinyxml2::XMLDocument& document() const { return document_; }

 private:
  void note(const tinyxml2::XMLElement& element);

  tinyxml2::XMLDocument document_;
  std::map<std::pair<std::string, std::string>, int> lines_;
  std::map<std::string, int> first_;
};

}  // namespace kinetree::inline inner
