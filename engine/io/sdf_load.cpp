#include "engine/io/sdf_load.hpp"

#include <console_bridge/console.h>

#include <algorithm>
#include <cctype>
#include <clocale>
#include <cstring>
#include <iterator>
#include <kinetree/finding.hpp>
#include <mutex>
#include <optional>
#include <set>
#include <sstream>

#include "engine/io/plain_locale.hpp"
#include "engine/io/sdf_essentials.hpp"
#include "engine/io/sdf_files.hpp"
#include "engine/io/sdf_includes.hpp"
#include "engine/io/sdf_numbers.hpp"
#include "engine/io/sdf_words.hpp"
#include "engine/model/slips.hpp"
#include "engine/scalar/number_from.hpp"

namespace kinetree::inline inner {
namespace {

const std::string in_text = "<data-string>";  // what libsdformat calls a text without a file

/// While it lives, what libsdformat would print is kept, and what urdfdom would print is dropped: libsdformat tries a
/// text that it can't read as URDF too.
class Quiet {
 public:
  Quiet() : stream_(sdf::Console::Instance()->GetMsgStream()), before_(stream_.GetStream()) {
    stream_.SetStream(&text_);
    console_bridge::noOutputHandler();
  }
  ~Quiet() {
    console_bridge::restorePreviousOutputHandler();
    stream_.SetStream(before_);
  }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;
  std::string said() const { return text_.str(); }

 private:
  sdf::Console::ConsoleStream& stream_;
  std::ostream* before_;
  std::ostringstream text_;
};

/// While it lives, libsdformat may set C's locale to "C" for the numbers of the whole program, as it does whenever it
/// reads one; then the locale is again what it was.
class KeptNumericLocale {
 public:
  KeptNumericLocale() : before_(std::setlocale(LC_NUMERIC, nullptr)) {}
  ~KeptNumericLocale() {
    if (before_ != std::setlocale(LC_NUMERIC, nullptr)) std::setlocale(LC_NUMERIC, before_.c_str());
  }
  KeptNumericLocale(const KeptNumericLocale&) = delete;
  KeptNumericLocale& operator=(const KeptNumericLocale&) = delete;

 private:
  const std::string before_;
};

/// A Quiet that one thread at a time may have: both libraries print to one place for the whole program, and libsdformat
/// sets its locale.
class Alone {
 public:
  std::string said() const { return quiet_.said(); }

 private:
  static std::mutex& mutex() {
    static std::mutex one_at_a_time;
    return one_at_a_time;
  }
  const std::lock_guard<std::mutex> lock_{mutex()};
  const KeptNumericLocale kept_;
  const PlainLocale plain_;
  const Quiet quiet_;
};

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

std::string trimmed(std::string text) {
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
    message[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(message[0])));
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
    if (out_.findings.empty() && echo) take(*echo, printed);  // of what, then, is never said
    if (has_error(out_.findings))                             // no model is made, and no check will follow
      for (const sdf::Error* error : inertias) take(*error, printed, Severity::warning);
    std::stable_sort(out_.findings.begin(), out_.findings.end(),
                     [](const Finding& a, const Finding& b) { return a.line < b.line; });
    if (!out_.findings.empty()) return;
    for (const std::string& message : messages(printed, "Error")) say(Severity::error, 0, "file", message);
    if (!out_.findings.empty()) return;
    for (const std::string& message : messages(printed, "Warning")) say(Severity::warning, 0, "file", message);
  }

 private:
  bool unknown_element(const sdf::Error& error) {
    const std::string tag = between(error.Message(), "XML Element[", "]");
    if (error.Code() != sdf::ErrorCode::ELEMENT_INCORRECT_TYPE || tag.empty()) return false;
    SdfLoad::Unknown& unknown = out_.unknown[tag];
    if (unknown.count++ == 0) {
      unknown.line = error.FilePath() == in_text ? error.LineNumber().value_or(0) : 0;
      unknown.meant = meant_in_sdf(tag, between(error.Message(), "child of element[", "]"));
    }
    return true;
  }

  /// What libsdformat says of a fault that it has named already: of every element around it, and of its graphs.
  bool echoes(const sdf::Error& error) {
    const std::string message = error.Message(), path = error.XmlPath().value_or("");
    if (message.rfind("Unable to read SDF string", 0) == 0) return true;
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
    const bool here = !error.FilePath() || *error.FilePath() == in_text;
    int line = here ? error.LineNumber().value_or(0) : 0;
    if (line == 0) line = lines_.line(tag, name);
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
    if (!here) message += " (in " + *error.FilePath() + ")";
    say(severity, line, element, message);
  }

  void say(Severity severity, int line, const std::string& element, const std::string& message) {
    out_.findings.push_back({severity, name_, line, element, trimmed(message)});
  }

  const std::string& name_;
  const XmlLines& lines_;
  SdfLoad& out_;
  std::vector<std::string> paths_;
  std::set<std::string> subjects_;
};

/// A file or a folder of a model, beside the file that includes it; empty: none.
std::string find_beside(const std::filesystem::path& folder, std::string uri) {
  for (const char* scheme : {"model://", "file://"})
    if (uri.rfind(scheme, 0) == 0) uri.erase(0, std::char_traits<char>::length(scheme));
  std::error_code error;
  for (const std::filesystem::path& place : {folder / uri, folder / ".." / uri})
    if (std::filesystem::exists(place, error)) return place.string();
  return {};
}

sdf::ParserConfig config_of(const std::string& name) {
  sdf::ParserConfig config;
  config.SetUnrecognizedElementsPolicy(sdf::EnforcementPolicy::ERR);
  const std::filesystem::path folder = std::filesystem::path(name).parent_path();
  config.SetFindCallback([folder](const std::string& uri) { return find_beside(folder, uri); });
  return config;
}

/// Not to be asked for the first time while an Alone lives.
const SdfNumbers& numbers_of_sdf() {
  static const SdfNumbers numbers = [] {
    const Alone alone;
    return sdf_numbers();
  }();
  return numbers;
}

/// What libsdformat would read wrong in a file that is included, and not say. It makes SDFormat from URDF by streams,
/// which write and read by C++'s global locale.
void check_included(const tinyxml2::XMLElement& root, const SdfNumbers& numbers, const std::string& file,
                    std::vector<Finding>& findings) {
  if (std::string_view(root.Name()) != "robot") return check_sdf_numbers(root, numbers, SdfParts::all, file, findings);
  if (const std::string locale = foreign_numbers(); !locale.empty())
    findings.push_back({Severity::error, file, 0, "file",
                        "is a URDF, included by an SDFormat file, and libsdformat reads its numbers by C++'s global "
                        "locale: " +
                            locale +
                            "; call std::locale::global(std::locale::classic()) first, or include "
                            "SDFormat"});
}

/// Joint types and axes, which libsdformat refuses without saying where.
void check_joints(const tinyxml2::XMLElement& e, const std::string& file, std::vector<Finding>& findings) {
  static const std::set<std::string_view> types{"revolute", "continuous", "prismatic", "screw",    "universal",
                                                "ball",     "fixed",      "gearbox",   "revolute2"};
  const char *type = e.Attribute("type"), *name = e.Attribute("name");
  if (std::string_view(e.Name()) == "joint" && type && name) {
    const std::string_view word = type;
    const auto refuse = [&](int line, std::string message) {
      findings.push_back({Severity::error, file, line, "joint \"" + std::string(name) + "\"", std::move(message)});
    };
    if (!types.count(word))
      refuse(e.GetLineNum(),
             "unknown type \"" + std::string(word) + "\"" + if_meant(word, types) +
                 "; known are revolute, continuous, prismatic, screw, universal, revolute2, ball, fixed, gearbox");
    for (const char* axis : {"axis", "axis2"}) {
      const bool first = std::string_view(axis) == "axis",
                 two = word == "universal" || word == "revolute2" || word == "gearbox";
      const bool wanted = types.count(word) && (first ? word != "ball" && word != "fixed" : two);
      const auto* given = e.FirstChildElement(axis);
      if (wanted && !given)
        refuse(e.GetLineNum(), "has no <" + std::string(axis) + ">; a " + std::string(word) + " joint needs it");
      const auto* xyz = given ? given->FirstChildElement("xyz") : nullptr;
      const auto x = numbers_from(xyz && xyz->GetText() ? xyz->GetText() : "");
      if (x && x->size() == 3 && (*x)[0] == 0 && (*x)[1] == 0 && (*x)[2] == 0)
        refuse(xyz->GetLineNum(), "<" + std::string(axis) + "> has length 0; give a direction");
    }
  }
  for (const auto* c = e.FirstChildElement(); c; c = c->NextSiblingElement()) check_joints(*c, file, findings);
}

}  // namespace

void check_sdf(const tinyxml2::XMLElement& root, const std::string& file, std::vector<Finding>& findings) {
  const std::string text = root.Attribute("version") ? root.Attribute("version") : "";
  const std::size_t point = std::min(text.find('.'), text.size());
  const auto major = number_from<int>(text.substr(0, point)),
             minor = number_from<int>(text.substr(std::min(point + 1, text.size())));
  const bool number = major && minor;
  if (!number || *major != 1 || *minor > 9)
    findings.push_back({Severity::error, file, root.GetLineNum(), "file",
                        number ? "is of SDFormat " + text +
                                     ", and versions up to 1.9 are read; give version=\"1.9\" if it uses nothing newer"
                               : "<sdf> has no version that is a number; give version=\"1.9\""});
  else
    check_joints(root, file, findings), check_sdf_words(root, file, findings),
        check_sdf_numbers(root, numbers_of_sdf(), SdfParts::essential, file, findings);
}

bool sdf_files_are_sound(const tinyxml2::XMLDocument& document, const std::string& name, std::vector<Finding>& findings,
                         int most) {
  const SdfNumbers& numbers = numbers_of_sdf();  // made before, since an Alone lives from here on
  const Alone alone;
  const sdf::ParserConfig config = config_of(name);
  int named = 0;
  const auto includes_of = [&](const tinyxml2::XMLDocument& x, const std::string& file) {
    const tinyxml2::XMLElement& root = *x.RootElement();
    each_element(root, [&](const tinyxml2::XMLElement& e) { named += e.Attribute("name") != nullptr; });
    if (&x != &document) check_included(root, numbers, file, findings);
    return sdf_includes(x, config);
  };
  if (!check_includes(document, name, includes_of, findings)) return false;
  if (named > most)
    findings.push_back({Severity::error, name, 0, "file",
                        "has " + std::to_string(named) + " elements with a name, includes and all, and " +
                            std::to_string(most) + " is the limit; a YAML model or a URDF may have more"});
  return named <= most;
}

namespace {

/// One try; its findings are libsdformat's bare words.
SdfLoad load_once(const std::string& text, const std::string& name, const XmlLines& lines) {
  SdfLoad out;
  sdf::Errors errors;
  std::string printed;
  {
    const Alone alone;
    try {
      errors = out.root.LoadSdfString(text, config_of(name));
    } catch (const std::exception& e) {  // its assertions throw
      errors.emplace_back(sdf::ErrorCode::STRING_READ, e.what());
    }
    printed = alone.said();
  }
  Sorter(name, lines, out).sort(errors, printed);
  return out;
}

}  // namespace

SdfLoad load_sdf(const std::string& text, const std::string& name, const XmlLines& lines) {
  SdfLoad loaded;
  if (!sdf_files_are_sound(lines.document(), name, loaded.findings)) return loaded;
  const tinyxml2::XMLElement& root = *lines.document().RootElement();
  loaded = load_once(text, name, lines);
  std::vector<Finding> cut;
  check_sdf_numbers(root, numbers_of_sdf(), SdfParts::left_out, name, cut);
  std::optional<Finding> told;
  if (has_error(loaded.findings) || !cut.empty()) {  // again, without what is left out here anyway
    const auto is_error = [](const Finding& f) { return f.severity == Severity::error; };
    std::vector<Finding> faults;
    std::copy_if(loaded.findings.begin(), loaded.findings.end(), std::back_inserter(faults), is_error);
    const bool of_libsdformat = !faults.empty();
    faults.insert(faults.end(), cut.begin(), cut.end());
    std::map<std::string, SdfLoad::Unknown> left_out;
    loaded = load_once(sdf_essentials(root, left_out), name, lines);
    if (!has_error(loaded.findings)) {
      loaded.left_out = std::move(left_out);
      told = faults.front();
      told->severity = Severity::warning;
      told->message = (of_libsdformat ? "libsdformat warns: " : "") +
                      ("a part that is left out here has a fault: " + told->message) +
                      (faults.size() > 1 ? "; and " + std::to_string(faults.size() - 1) + " more" : "");
    }
  }
  for (Finding& f : loaded.findings)
    f.message = f.severity == Severity::error
                    ? "libsdformat can't read it: " + f.message + "; correct it and read again"
                    : "libsdformat warns: " + f.message;
  if (told) loaded.findings.insert(loaded.findings.begin(), std::move(*told));
  return loaded;
}

int line_of(const sdf::ElementPtr& element) {
  const bool here = element && (element->FilePath().empty() || element->FilePath() == in_text);
  return here ? element->LineNumber().value_or(0) : 0;
}

}  // namespace kinetree::inline inner
