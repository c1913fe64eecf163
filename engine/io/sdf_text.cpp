#include "engine/io/sdf_text.hpp"

#include <string_view>
#include <utility>

#include "engine/io/sdf_newer.hpp"

namespace kinetree::inline inner {
namespace {

using tinyxml2::XMLElement;

class SdfText {
 public:
  SdfText(const std::function<bool(const XMLElement&)>& left_out, const std::map<std::string, std::string>& copies)
      : left_out_(left_out), copies_(copies) {}

  // recursion is bounded: tinyxml2 refuses to nest deeper than 100 elements
  void write(const XMLElement& e) {
    while (line_ < e.GetLineNum()) add("\n");
    add("<" + std::string(e.Name()));
    for (const auto& [name, value] : older_attributes(e)) add(" " + name + "=\"" + escaped(value) + "\"");
    add(">");
    if (const auto copy = copies_.find(is_uri_of_include(e) && e.GetText() ? e.GetText() : ""); copy != copies_.end())
      return add(escaped(copy->second) + "</uri>");
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
  static bool is_uri_of_include(const XMLElement& e) {
    const XMLElement* parent = e.Parent() ? e.Parent()->ToElement() : nullptr;
    return e.Name() == std::string_view("uri") && parent && parent->Name() == std::string_view("include");
  }

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
  const std::map<std::string, std::string>& copies_;
  std::string text_;
  int line_ = 1;
};

}  // namespace

std::string sdf_text(const XMLElement& root, const std::function<bool(const XMLElement&)>& left_out,
                     const std::map<std::string, std::string>& copies) {
  SdfText text(left_out, copies);
  text.write(root);
  return std::move(text).text();
}

}  // namespace kinetree::inline inner
