#include "engine/io/sdf_load.hpp"

#include <console_bridge/console.h>

#include <algorithm>
#include <clocale>
#include <iterator>
#include <kinetree/finding.hpp>
#include <mutex>
#include <optional>
#include <set>
#include <sstream>

#include "engine/io/plain_locale.hpp"
#include "engine/io/sdf_errors.hpp"
#include "engine/io/sdf_essentials.hpp"
#include "engine/io/sdf_files.hpp"
#include "engine/io/sdf_includes.hpp"
#include "engine/io/sdf_newer.hpp"
#include "engine/io/sdf_numbers.hpp"
#include "engine/io/sdf_older_files.hpp"
#include "engine/io/sdf_search.hpp"
#include "engine/io/sdf_text.hpp"
#include "engine/io/sdf_unknown.hpp"
#include "engine/io/sdf_words.hpp"
#include "engine/model/slips.hpp"
#include "engine/scalar/number_from.hpp"

namespace kinetree::inline inner {
namespace {

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

sdf::ParserConfig config_of(const std::string& name) {
  sdf::ParserConfig config;
  config.SetUnrecognizedElementsPolicy(sdf::EnforcementPolicy::ERR);
  const std::filesystem::path folder = std::filesystem::path(name).parent_path();
  config.SetFindCallback([folder](const std::string& uri) { return find_for_sdf(uri, folder).string(); });
  return config;
}

struct SdfDescription {
  SdfTags tags;
  SdfNumbers numbers;
};

/// Not to be asked for the first time while an Alone lives.
const SdfDescription& description_of_sdf() {
  static const SdfDescription description = [] {
    const Alone alone;
    SdfDescription d;
    d.numbers = sdf_numbers(d.tags);
    return d;
  }();
  return description;
}
const SdfNumbers& numbers_of_sdf() { return description_of_sdf().numbers; }

/// Adds the first of some findings, with the number of the others: a picture may have thousands.
void tell_first(std::vector<Finding> some, std::vector<Finding>& findings) {
  if (some.empty()) return;
  if (some.size() > 1) some.front().message += "; and " + std::to_string(some.size() - 1) + " more";
  findings.push_back(std::move(some.front()));
}

/// What libsdformat would read wrong in a file that is included, and not say. It makes SDFormat from URDF by streams,
/// which write and read by C++'s global locale.
void check_included(const tinyxml2::XMLElement& root, const SdfNumbers& numbers, const std::string& file,
                    std::vector<Finding>& findings) {
  if (std::string_view(root.Name()) != "robot") {
    check_sdf_words(root, file, findings);
    check_newer_sdf(root, file, findings);
    check_sdf_numbers(root, numbers, SdfParts::essential, file, findings);
    std::vector<Finding> cut;
    check_sdf_numbers(root, numbers, SdfParts::left_out, file, cut);
    return tell_first(std::move(cut), findings);
  }
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
  const std::string newest = newest_sdf;
  if (!number || *major != 1 || *minor > newest_sdf_minor)
    findings.push_back({Severity::error, file, root.GetLineNum(), "file",
                        number ? "is of SDFormat " + text + ", and versions up to " + newest +
                                     " are read; give version=\"" + newest + "\" if it uses nothing newer"
                               : "<sdf> has no version that is a number; give version=\"" + newest + "\""});
  else
    check_joints(root, file, findings), check_sdf_words(root, file, findings), check_newer_sdf(root, file, findings),
        check_sdf_numbers(root, numbers_of_sdf(), SdfParts::essential, file, findings);
}

bool sdf_files_are_sound(const tinyxml2::XMLDocument& document, const std::string& name, std::vector<Finding>& findings,
                         int most, SdfPlaces* places) {
  const SdfNumbers& numbers = numbers_of_sdf();  // made before, since an Alone lives from here on
  const Alone alone;
  const sdf::ParserConfig config = config_of(name);
  int named = 0;
  const auto includes_of = [&](const tinyxml2::XMLDocument& x, const std::string& file) {
    const tinyxml2::XMLElement& root = *x.RootElement();
    if (places) places->note(root, file);
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
SdfLoad load_once(const std::string& text, const std::string& name, const XmlLines& lines, const OlderSdfFiles& older,
                  const SdfPlaces& places) {
  SdfLoad out;
  out.places = places;
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
  sort_sdf_errors(errors, printed, name, lines, out);
  for (Finding& f : out.findings) f.message = older.with_originals(std::move(f.message));
  for (auto* all : {&out.unknown, &out.left_out})
    for (auto& [tag, seen] : *all) seen.file = older.with_originals(std::move(seen.file));
  return out;
}

}  // namespace

SdfLoad load_sdf(const std::string& text, const std::string& name, const XmlLines& lines) {
  SdfLoad loaded;
  if (!sdf_files_are_sound(lines.document(), name, loaded.findings, most_named_in_sdf, &loaded.places)) return loaded;
  const tinyxml2::XMLElement& root = *lines.document().RootElement();
  std::vector<Finding> told = std::move(loaded.findings), cut;  // warnings
  OlderSdfFiles older;
  SdfLoad included;
  try {
    const SdfTags& known = description_of_sdf().tags;
    const Alone alone;
    older.look(lines.document(), config_of(name), [&](const tinyxml2::XMLElement& of, const std::string& file) {
      note_unknown_in_file(of, known, file, included);
    });
  } catch (const std::filesystem::filesystem_error& e) {
    loaded.findings.push_back(
        {Severity::error, name, 0, "file",
         "includes files of a newer SDFormat, and copies that libsdformat reads can't be written: " +
             std::string(e.what()) + "; let TMPDIR name a folder that can be written"});
    return loaded;
  }
  SdfPlaces places = std::move(loaded.places);
  for (const auto& [copy, original] : older.originals()) places.note_copy(copy, original);
  const bool as_it_is = older.copies().empty() && !needs_older_sdf(root);
  loaded = load_once(as_it_is ? text : sdf_text(root, {}, older.copies()), name, lines, older, places);
  check_sdf_numbers(root, numbers_of_sdf(), SdfParts::left_out, name, cut);
  if (has_error(loaded.findings) || !cut.empty()) {  // again, without what is left out here anyway
    std::set<int> faulty;
    for (const Finding& f : cut) faulty.insert(f.line);
    std::vector<Finding> faults = std::move(cut);
    for (Finding& f : loaded.findings)
      if (f.severity == Severity::error && !faulty.count(f.line)) {
        f.severity = Severity::warning;
        f.message = "libsdformat warns: a part that is left out here has a fault: " + f.message;
        faults.push_back(std::move(f));
      }
    for (const Finding& f : faults) faulty.insert(f.line);
    // those parts alone that stand where a fault is, and if faults stay, all
    for (const std::set<int>& on : {faulty, std::set<int>()}) {
      std::map<std::string, SdfLoad::Unknown> left_out;
      const std::string rest = sdf_essentials(root, on, older.copies(), left_out);
      if (left_out.empty() && !on.empty()) continue;
      loaded = load_once(rest, name, lines, older, places);
      if (has_error(loaded.findings)) continue;
      loaded.left_out.merge(left_out);
      tell_first(std::move(faults), told);
      break;
    }
  }
  loaded.unknown.merge(included.unknown);
  loaded.left_out.merge(included.left_out);
  for (Finding& f : loaded.findings)
    f.message = f.severity == Severity::error
                    ? "libsdformat can't read it: " + f.message + "; correct it and read again"
                    : "libsdformat warns: " + f.message;
  loaded.findings.insert(loaded.findings.begin(), std::make_move_iterator(told.begin()),
                         std::make_move_iterator(told.end()));
  return loaded;
}

}  // namespace kinetree::inline inner
