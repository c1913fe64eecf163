#include "engine/io/sdf_errors.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "engine/io/sdf_newer.hpp"
#include "engine/io/sdf_words.hpp"
#include "engine/scalar/lower.hpp"
#include "engine/scalar/number_from.hpp"

namespace kinetree::inline inner {
namespace {

/// Messages of one label ("Error", "Warning") in what would have been printed: `Label [file.cc:12] message`, in colour.
std::vector<std::string> messages(const std::string& printed, const std::string& label) {
  std::vector<std::string> all;
  std::istringstream lines(printed);
  bool ours = false;
  for (std::string line; std::getline(lines, line);) {
    for (std::size_t escape; (escape = line.find('\033')) != std::string::npos;)
      line.erase(escape, line.find('m', escape) - escape + 1);
    const bool starts = line.rfind("Error [", 0) == 0 || line.rfind("Warning [", 0) == 0;
    if (starts) {
      ours = line.rfind(label, 0) == 0;
      line.erase(0, std::min(line.find("] "), line.size() - 2) + 2);
      if (ours) all.push_back(line);
    } else if (ours && !line.empty()) {
      all.back() += " " + line;
    }
  }
  return all;
}

std::string between(const std::string& text, const std::string& head, const std::string& tail) {
  const std::size_t start = text.find(head);
  if (start == std::string::npos) return {};
  const std::size_t from = start + head.size(), to = text.find(tail, from);
  return to == std::string::npos ? std::string() : text.substr(from, to - from);
}

std::string without_point(std::string text) {
  while (!text.empty() && std::strchr(" \n.", text.back())) text.pop_back();
  return text;
}

/// What an error is about: the innermost named element of its path, or the one that its message names.
std::string subject(const sdf::Error& error, std::string& tag, std::string& name) {
  if (const std::string path = error.XmlPath().value_or(""); !path.empty()) {
    const std::size_t end = path.rfind("[@name=\"");
    if (end != std::string::npos) {
      const std::size_t slash = path.rfind('/', end);
      tag = path.substr(slash + 1, end - slash - 1);
      name = between(path.substr(end), "\"", "\"");
    }
  } else {
    std::string message = error.Message();
    message[0] = lower(message[0]);
    for (const char* kind : {"joint", "link", "frame", "model"})
      for (const auto& [head, tail] : {std::pair{" with name[", "]"}, std::pair{" with non-unique name [", "]"},
                                       std::pair{" name [", "] is reserved"}, std::pair{" named ", " has "}})
        if (name.empty()) {
          name = between(message, kind + std::string(head), tail);
          tag = kind;
        }
  }
  return name.empty() ? "file" : tag + " \"" + name + "\"";
}

class Sorter {
 public:
  Sorter(const std::string& name, const XmlLines& lines, SdfLoad& out) : name_(name), lines_(lines), out_(out) {}

  void sort(const sdf::Errors& errors, const std::string& printed) {
    const sdf::Error* echo = nullptr;
    std::vector<const sdf::Error*> inertias;  // their numbers are there all the same; the model's own check judges them
    for (const sdf::Error& error : errors)
      if (unknown_element(error))
        continue;
      else if (error.Code() == sdf::ErrorCode::LINK_INERTIA_INVALID)
        inertias.push_back(&error);
      else if (echoes(error))
        echo = echo ? echo : &error;
      else
        take(error, printed);
    for (const std::string& message : messages(printed, "Warning")) unknown_attribute(message);
    if (out_.findings.empty() && echo && inertias.empty()) take(*echo, printed);  // of what, then, is never said
    if (out_.findings.empty() && echo)
      for (const sdf::Error* error : inertias) take(*error, printed);
    if (has_error(out_.findings))  // no model is made, and no check will follow
      for (const sdf::Error* error : inertias) take(*error, printed, Severity::warning);
    std::stable_sort(out_.findings.begin(), out_.findings.end(),
                     [](const Finding& a, const Finding& b) { return a.line < b.line; });
    if (!out_.findings.empty()) return;
    for (const std::string& message : messages(printed, "Error")) say(Severity::error, 0, "file", message);
    if (!out_.findings.empty()) return;
    for (const std::string& message : messages(printed, "Warning"))
      if (message.find(unknown_attribute_in) == std::string::npos) say(Severity::warning, 0, "file", message);
  }

 private:
  bool unknown_element(const sdf::Error& error) {
    const std::string tag = between(error.Message(), "XML Element[", "]");
    if (error.Code() != sdf::ErrorCode::ELEMENT_INCORRECT_TYPE || tag.empty()) return false;
    const std::string parent = between(error.Message(), "child of element[", "]");
    const SdfNewer newer = newer_in_sdf(tag, parent);
    if (newer == SdfNewer::read) return true;
    SdfLoad::Unknown& unknown = (newer == SdfNewer::left_out ? out_.left_out : out_.unknown)[tag];
    if (unknown.count++ == 0) {
      unknown.line = error.LineNumber().value_or(0);
      if (error.FilePath() != name_of_sdf_text) unknown.file = error.FilePath().value_or("");
      unknown.meant = meant_in_sdf(tag, parent);
    }
    return true;
  }

  /// Notes what a printed line says, `[PATH:FILE:LLINE]: XML Attribute[NAME] in element[TAG] not defined in SDF`.
  void unknown_attribute(const std::string& message) {
    const std::size_t at = message.find(unknown_attribute_in);
    if (at == std::string::npos) return;
    const std::string name = between(message, unknown_attribute_in, "]"),
                      tag = between(message.substr(at), "in element[", "]");
    SdfLoad::Unknown& unknown = (newer_attribute_in_sdf(name, tag) ? out_.left_out : out_.unknown)[tag + " " + name];
    if (unknown.count++ > 0) return;
    const std::size_t line = message.rfind(":L", at), file = message.rfind(':', line - 1);
    if (line == std::string::npos || file == std::string::npos) return;
    unknown.line = number_from<int>(message.substr(line + 2, at - line - 2)).value_or(0);
    const std::string path = message.substr(file + 1, line - file - 1);
    if (path != name_of_sdf_text) unknown.file = path;
  }
  static constexpr const char* unknown_attribute_in = "]: XML Attribute[";

  /// What libsdformat says of a fault that it has named already: of every element around it, and of its graphs.
  bool echoes(const sdf::Error& error) {
    const std::string message = error.Message(), path = error.XmlPath().value_or("");
    if (message.rfind("Unable to read SDF string", 0) == 0 || message.rfind("Failed to load a", 0) == 0) return true;
    if (error.Code() == sdf::ErrorCode::FRAME_ATTACHED_TO_GRAPH_ERROR ||
        error.Code() == sdf::ErrorCode::POSE_RELATIVE_TO_GRAPH_ERROR)
      return true;
    if (message.rfind("FrameAttachedToGraph unable", 0) == 0) return true;
    if (message.rfind("Error reading element", 0) == 0) {
      if (path.empty() || std::any_of(paths_.begin(), paths_.end(),
                                      [&](const std::string& inner) { return inner.rfind(path, 0) == 0; }))
        return true;
    }
    if (!path.empty()) paths_.push_back(path);
    return false;
  }

  void take(const sdf::Error& error, const std::string& printed, Severity severity = Severity::error) {
    std::string tag, name;
    const std::string element = subject(error, tag, name);
    const bool circle = error.Code() == sdf::ErrorCode::POSE_RELATIVE_TO_CYCLE ||
                        error.Code() == sdf::ErrorCode::FRAME_ATTACHED_TO_CYCLE;
    const std::string key = circle ? "circle" : element == "file" ? error.Message() : element;
    if (!subjects_.insert(key).second) return;
    int line = out_.places.line_in(error.FilePath().value_or(""), error.LineNumber().value_or(0));
    if (line == 0) line = lines_.line(tag, name);
    if (line == 0) line = out_.places.line_of(tag, name);
    std::string message = error.Message();
    if (circle)
      message = "poses or frames stand relative to each other in a circle, one of them is " +
                between(message, "vertex [", "]");
    if (message.rfind("Error reading element <", 0) == 0)  // the reason is printed only
      for (const std::string& reason : messages(printed, "Error"))
        if (reason.find("Unable to set value") != std::string::npos) {
          message += ": " + reason.substr(reason.find("Unable to set value"));
          break;
        }
    if (line == 0 && error.FilePath() && *error.FilePath() != name_of_sdf_text)
      message += " (in " + *error.FilePath() + ")";
    say(severity, line, element, message);
  }

  void say(Severity severity, int line, const std::string& element, const std::string& message) {
    out_.findings.push_back({severity, name_, line, element, without_point(message)});
  }

  const std::string& name_;
  const XmlLines& lines_;
  SdfLoad& out_;
  std::vector<std::string> paths_;
  std::set<std::string> subjects_;
};

}  // namespace

void sort_sdf_errors(const sdf::Errors& errors, const std::string& printed, const std::string& name,
                     const XmlLines& lines, SdfLoad& out) {
  Sorter(name, lines, out).sort(errors, printed);
}

}  // namespace kinetree::inline inner
