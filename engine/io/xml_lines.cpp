#include "engine/io/xml_lines.hpp"

#include "engine/io/xml_text.hpp"

namespace kinetree::inline inner {

using tinyxml2::XMLElement;

bool XmlLines::parse(const std::string& text, const std::string& root, const std::string& file,
                     std::vector<Finding>& findings) {
  const auto refuse = [&](int line, std::string message) {
    findings.push_back({Severity::error, file, line, "file", std::move(message)});
    return false;
  };
  if (!parse_xml(text, file, document_, findings)) return false;
  const XMLElement* element = document_.RootElement();
  if (element == nullptr) return refuse(1, "has no root element; give <" + root + ">");
  if (element->Name() != root) {
    const bool urdf = std::string_view(element->Name()) == "robot";
    return refuse(element->GetLineNum(), "the root element is <" + std::string(element->Name()) + "> where <" + root +
                                             "> belongs" + (urdf ? "; a URDF's name ends in .urdf" : ""));
  }
  note(*element);
  return true;
}

// recursion is bounded: tinyxml2 refuses to nest deeper than 100 elements
void XmlLines::note(const XMLElement& element) {
  const std::string tag = element.Name();
  first_.emplace(tag, element.GetLineNum());
  if (const char* name = element.Attribute("name")) {
    lines_[{tag, name}] = element.GetLineNum();
    const auto* parent = element.Parent()->ToElement();
    if (parent) lines_[{std::string(parent->Name()) + "/" + tag, name}] = element.GetLineNum();
  }
  for (const XMLElement* e = element.FirstChildElement(); e; e = e->NextSiblingElement()) note(*e);
}

int XmlLines::line(const std::string& tag, const std::string& name) const {
  const auto found = lines_.find({tag, name});
  return found == lines_.end() ? 0 : found->second;
}

int XmlLines::first(const std::string& tag) const {
  const auto found = first_.find(tag);
  return found == first_.end() ? 0 : found->second;
}

}  // namespace kinetree::inline inner
