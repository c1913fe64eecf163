#include "engine/io/xml_text.hpp"

#include "engine/io/whole_text.hpp"
#include "engine/io/xml_limits.hpp"

namespace kinetree::inline inner {
namespace {

std::string advice(tinyxml2::XMLError error, const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first == std::string::npos) return "it is empty";
  if (text[first] != '<')
    return "it begins with \"" + text.substr(first, text.find_first_of(" \r\n", first) - first).substr(0, 30) +
           "\" and not with <; is it of another format than its name says, as YAML in a .urdf?";
  switch (error) {
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return "a closing tag is not that of the element that is open; close elements in order, as <a><b></b></a>";
    case tinyxml2::XML_ERROR_PARSING_ELEMENT:
      return "a tag is not closed, or its name is missing; look for a missing > or \" here and in the line above";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "an attribute has no value in quotes; write name=\"value\"";
    case tinyxml2::XML_ERROR_PARSING_COMMENT:
      return "a comment is not closed; end it by -->";
    case tinyxml2::XML_ERROR_PARSING_TEXT:
      return "text stands where tags belong, or the file ends early; check this line and the one above";
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
      return "elements nest deeper than " + std::to_string(TINYXML2_MAX_ELEMENT_DEPTH) + "; close them";
    default:
      return "an element is not closed, or a sign is missing; check this line and the one above";
  }
}

}  // namespace

bool parse_xml(const std::string& text, const std::string& file, tinyxml2::XMLDocument& document,
               std::vector<Finding>& findings) {
  if (!reads_to_its_end(text, file, findings) || !xml_within_limits(text, file, findings)) return false;
  if (document.Parse(text.c_str(), text.size()) == tinyxml2::XML_SUCCESS) return true;
  findings.push_back({Severity::error, file, document.ErrorLineNum(), "file",
                      "is not well-formed XML: " + advice(document.ErrorID(), text)});
  return false;
}

}  // namespace kinetree::inline inner
