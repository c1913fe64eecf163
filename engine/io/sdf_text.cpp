#include "engine/io/sdf_text.hpp"

#include <string_view>
#include <utility>

#include "engine/io/sdf_newer.hpp"

namespace kinetree::inline inner {
namespace {

using tinyxml2::XMLElement;

class SdfText {
 public:
  explicit SdfText(const std::function<bool(const XMLElement&)>& left_out) : left_out_(left_out) {}

  // recursion is bounded: tinyxml2 refuses to nest deeper than 100 elements
  void write(const XMLElement& e) {
    while (line_ < e.GetLineNum()) add("\n");
    add("<" + std::string(e.Name()));
    for (const auto& [name, value] : older_attributes(e)) add(" " + name + "=\"" + escaped(value) + "\"");
    add(">");
    for (const tinyxml2::XMLNode* n = e.FirstChild(); n; n = n->NextSibling()) {
      const XMLElement* child = n->ToElement();
      if (child == nullptr) {
        if (n->ToText()) add(escaped(n->Value()));
      } else if (!left_out_ || !left_out_(*child)) {
        write(*child);
      }
    }
    add("</" + std::string(e.Name()) + ">");
  }
  std::string text() && { return std::move(text_); }

 private:
  void add(const std::string& more) {
    for (const char c : more) line_ += c == '\n';
    text_ += more;
  }

  static std::string escaped(std::string_view plain) {
    std::string text;
    for (const char c : plain) switch (c) {
        case '&':
          text += "&amp;";
          break;
        case '<':
          text += "&lt;";
          break;
        case '>':
          text += "&gt;";
          break;
        case '"':
          text += "&quot;";
          break;
        default:
          text += c;
      }
    return text;
  }

  const std::function<bool(const XMLElement&)>& left_out_;
  std::string text_;
  int line_ = 1;
};

}  // namespace

std::string sdf_text(const XMLElement& root, const std::function<bool(const XMLElement&)>& left_out) {
  SdfText text(left_out);
  text.write(root);
  return std::move(text).text();
}

}  // namespace kinetree::inline inner
