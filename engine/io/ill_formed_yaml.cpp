#include "engine/io/ill_formed_yaml.hpp"

#include <algorithm>
#include <string_view>

namespace kinetree::inline inner {
namespace {

/// From the line above `line`, where there is one, to its end.
std::string_view lines_near(std::string_view text, int line) {
  std::size_t begin = 0;
  for (int k = 1; k < line; ++k) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) break;
    begin = end + 1;
  }
  const std::string_view rest = text.substr(begin);
  const std::size_t next = rest.find('\n');
  return rest.substr(0, next == std::string_view::npos ? next : rest.find('\n', next + 1));
}

bool is_indented_by_tabs(std::string_view lines) {
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t word = std::min(lines.size(), lines.find_first_not_of(" \t", begin));
    if (lines.substr(begin, word - begin).find('\t') != std::string_view::npos) return true;
    const std::size_t end = lines.find('\n', begin);
    begin = end == std::string_view::npos ? lines.size() : end + 1;
  }
  return false;
}

/// `why`: the parser's own words.
std::string advice(std::string_view why, std::string_view text, int line) {
  const auto says = [&](std::string_view part) { return why.find(part) != std::string_view::npos; };
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first != std::string_view::npos && text[first] == '<')
    return "it begins with <; is it XML? The name of a URDF ends in .urdf, of MJCF in .xml, of SDFormat in .sdf";
  if (line > 0 && is_indented_by_tabs(lines_near(text, line - 1)))
    return "a tab indents this line or the one above; take spaces";
  if (says("flow")) return "a bracket { or [ is not closed, or closed twice, or a comma is missing; check from here up";
  if (says("anchor")) return "* stands before a name that no & gave; put the text in quotes if no anchor is meant";
  if (says("EOF")) return "it ends early: a quote or a bracket is not closed";
  if (says("map value") || says("map key"))
    return "two colons stand in an entry, or this line is indented otherwise than its neighbours";
  if (says("end of map") || says("end of sequence") || says("block entry"))
    return "this line is indented otherwise than its neighbours, or a bracket or a colon is missing in the line above";
  return "check this line and the one above";
}

}  // namespace

Finding ill_formed_yaml(const YAML::Exception& error, const std::string& text, const std::string& file) {
  const bool placed = !error.mark.is_null();
  const int line = placed ? error.mark.line + 1 : 0;
  const std::string place = placed ? "at column " + std::to_string(error.mark.column + 1) + " " : "";
  return {Severity::error, file, line, "file",
          "is not well-formed YAML: " + place + "(" + error.msg + "): " + advice(error.msg, text, line)};
}

}  // namespace kinetree::inline inner
