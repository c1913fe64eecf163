#include "engine/io/includes.hpp"

#include <algorithm>
#include <cstddef>

#include "engine/io/xml_limits.hpp"

namespace kinetree::inline inner {

namespace {

class IncludeWalk {
 public:
  IncludeWalk(const std::string& file, const IncludesOf& includes_of, const IncludeLimits& most,
              std::vector<Finding>& findings)
      : includes_of_(includes_of), findings_(findings), guard_(file, findings, most) {}

  void go(const tinyxml2::XMLDocument& document, const std::string& file) {
    for (const Include& include : includes_of_(document, file))
      if (!guard_.enough() && !include.file.empty()) follow(include, file);
  }

 private:
  void follow(const Include& include, const std::string& file) {
    std::string text;
    if (!guard_.enter(include, file, text)) return;
    tinyxml2::XMLDocument document;
    if (include.followed && xml_within_limits(text, include.file.string(), findings_) &&
        document.Parse(text.c_str(), text.size()) == tinyxml2::XML_SUCCESS && document.RootElement())
      go(document, include.file.string());
    guard_.leave();
  }

  const IncludesOf& includes_of_;
  std::vector<Finding>& findings_;
  IncludeGuard guard_;
};

}  // namespace

bool check_includes(const tinyxml2::XMLDocument& document, const std::string& file, const IncludesOf& includes_of,
                    std::vector<Finding>& findings, const IncludeLimits& limits) {
  const std::size_t before = findings.size();
  IncludeWalk(file, includes_of, limits, findings).go(document, file);
  return std::none_of(findings.begin() + static_cast<std::ptrdiff_t>(before), findings.end(),
                      [](const Finding& f) { return f.severity == Severity::error; });
}

}  // namespace kinetree::inline inner
