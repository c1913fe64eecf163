#include "engine/io/xml_limits.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace kinetree::inline inner {

namespace {

/// Goes through a text as tinyxml2 does, but for what stands inside: no tree, no names.
class Scan {
 public:
  Scan(std::string_view text, const XmlLimits& most) : text_(text), most_(most) {}

  /// What breaks a limit; empty: nothing does.
  std::string run() {
    if (text_.size() > most_.bytes) return limit(most_.bytes, "bytes");
    while ((at_ = text_.find('<', at_)) != std::string_view::npos) {
      if (passes("<!--", "-->") || passes("<![CDATA[", "]]>") || passes("<?", "?>") || passes("<!", ">") ||
          passes("</", ">"))
        continue;
      ++parts_;
      std::size_t attributes = 0;
      for (++at_; at_ < text_.size() && text_[at_] != '>'; ++at_) {
        const char c = text_[at_];
        if (c == '=' && ++attributes > most_.attributes) return limit(most_.attributes, "attributes in one element");
        if (c == '"' || c == '\'') at_ = std::min(text_.find(c, at_ + 1), text_.size() - 1);
      }
      parts_ += attributes;
      if (parts_ > most_.parts) return limit(most_.parts, "elements and attributes");
    }
    return {};
  }

  int line() const {
    return 1 + static_cast<int>(std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n'));
  }

 private:
  /// Whether such a passage begins here; the scan goes on behind it, or at the text's end.
  bool passes(std::string_view head, std::string_view tail) {
    if (text_.substr(at_, head.size()) != head) return false;
    at_ = text_.find(tail, at_ + head.size());
    at_ = at_ == std::string_view::npos ? text_.size() : at_ + tail.size();
    return true;
  }

  static std::string limit(std::size_t most, const char* of) {
    return "has more than " + std::to_string(most) + " " + of + ", which is the limit; make it smaller";
  }

  std::string_view text_;
  const XmlLimits& most_;
  std::size_t at_ = 0, parts_ = 0;
};

}  // namespace

bool xml_within_limits(const std::string& text, const std::string& file, std::vector<Finding>& findings,
                       const XmlLimits& limits) {
  Scan scan(text, limits);
  std::string broken = scan.run();
  if (broken.empty()) return true;
  findings.push_back({Severity::error, file, scan.line(), "file", std::move(broken)});
  return false;
}

}  // namespace kinetree::inline inner
