#include "engine/io/ill_formed_xml.hpp"

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

Finding ill_formed_xml(const tinyxml2::XMLDocument& refused, const std::string& text, const std::string& file) {
  return {Severity::error, file, refused.ErrorLineNum(), "file",
          "is not well-formed XML: " + advice(refused.ErrorID(), text)};
}

}  // namespace kinetree::inline inner
