#include "bench/report/peers_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "bench/peers/function.hpp"
#include "engine/io/ill_formed_json.hpp"
#include "engine/io/plain_json.hpp"
#include "engine/io/whole_text.hpp"
#include "engine/model/file_text.hpp"

namespace kinetree::bench {
namespace {

using Json = nlohmann::ordered_json;

/// A value for a message; nested ones are only named.
std::string shown(const Json& value) {
  if (value.is_array()) return fmt::format("a list of {}", value.size());
  if (value.is_object()) return "an object";
  return value.dump();
}

/// What belongs in a place of the file.
struct FormKind {
  std::string words;
  bool (*good)(const Json&);
};

/// The kinds that the form below names.
const std::map<std::string, FormKind>& kinds() {
  std::vector<std::string> names;  // clang 14 can't read views of libstdc++ 12
  for (const peers::FunctionWords& words : peers::function_words) names.emplace_back(words.name);
  static const std::map<std::string, FormKind> all{
      {"text", {"a text", [](const Json& j) { return j.is_string(); }}},
      {"count", {"a whole number above 0", [](const Json& j) { return j.is_number_integer() && j > 0; }}},
      {"positive", {"a number above 0", [](const Json& j) { return j.is_number() && j > 0; }}},
      {"not negative", {"a number of at least 0", [](const Json& j) { return j.is_number() && j >= 0; }}},
      {"boolean", {"true or false", [](const Json& j) { return j.is_boolean(); }}},
      {"object", {"an object", [](const Json& j) { return j.is_object(); }}},
      {"list", {"a list", [](const Json& j) { return j.is_array(); }}},
      {"function",
       {fmt::format("one of {}", fmt::join(names, ", ")),
        [](const Json& j) {
          return std::ranges::any_of(peers::function_words, [&](const auto& words) { return j == words.name; });
        }}}};
  return all;
}

/// What the report takes from the file. `*`: of any name; `?`: may be missing where there is a `refusal`.
constexpr const char* form = R"({
  "context": {"date": "text", "commit": "text", "processor": "text"},
  "states": "count", "batch": "count", "rounds": "count", "state_distribution": "text", "interval": "text",
  "missing": [{"name": "text", "package": "text"}],
  "cases": [{"function": "function", "result": "text", "reference": "text", "model": "text", "floating": "boolean",
    "bodies": "count", "nv": "count",
    "results": [{"name": "text", "version": "text", "package": "text", "path": "text", "scalar": "text",
      "threads": "count", "states_per_call": "count", "tolerance": "not negative", "difference?": "not negative",
      "median_ns?": "positive", "low_ns?": "positive", "high_ns?": "positive",
      "ratios?": {"*": {"median": "positive", "low": "positive", "high": "positive"}}}]}]})";

class PeersReader {
 public:
  explicit PeersReader(std::string file) : file_(std::move(file)) {}

  Json read(const std::string& text) {
    Json root;
    if (!reads_to_its_end(text, file_, findings_)) throw InputError(findings_);
    try {
      root = parsed_json<Json>(text);
    } catch (const Json::exception& error) {
      findings_.push_back(ill_formed_json(error, text, file_));
    }
    if (findings_.empty()) read_root(root);
    if (!findings_.empty()) throw InputError(findings_);
    return root;
  }

 private:
  void say(const std::string& place, const std::string& message) {
    findings_.push_back({Severity::error, file_, 0, place, message});
  }

  void read_root(const Json& root) {
    if (!root.is_object() || root.value("program", Json()) != "kinetree_peers")
      return say("file", fmt::format("is {} without \"program\": \"kinetree_peers\"; give what kinetree_peers --json "
                                     "wrote, not a sweep's results",
                                     shown(root)));
    if (root.value("format", Json()) != 2)
      return say("format", fmt::format("is {}, this program reads 2; run its own kinetree_peers --json again",
                                       shown(root.value("format", Json()))));
    check(&root, Json::parse(form), "");
    const bool has_form = findings_.empty();
    for (std::size_t k = 0; has_form && k < root["cases"].size(); ++k)
      check_case(root["cases"][k], fmt::format("cases[{}].results", k));
  }

  /// `value`: null where there is none.
  void check(const Json* value, const Json& wanted, const std::string& place) {
    const FormKind& kind = kinds().at(wanted.is_object()  ? "object"
                                      : wanted.is_array() ? "list"
                                                          : wanted.get<std::string>());
    if (value == nullptr || !kind.good(*value))
      return say(place, fmt::format("is {} where {} belongs; give a file that kinetree_peers --json wrote",
                                    value == nullptr ? "missing" : shown(*value), kind.words));
    for (std::size_t k = 0; wanted.is_array() && k < value->size(); ++k)
      check(&(*value)[k], wanted[0], fmt::format("{}[{}]", place, k));
    if (!wanted.is_object()) return;
    const auto under = [&](const std::string& key) { return place.empty() ? key : place + "." + key; };
    const bool refused = value->contains("refusal");
    if (refused) check(&(*value)["refusal"], "text", under("refusal"));
    for (const auto& [name, part] : wanted.items()) {
      const std::string key = name.substr(0, name.find('?'));
      const auto found = value->find(key);
      if (key == "*")
        for (const auto& [any, inside] : value->items()) check(&inside, part, under(any));
      else if (found != value->end() || key == name || !refused)
        check(found == value->end() ? nullptr : &*found, part, under(key));
    }
  }

  /// What the form does not say: names, intervals, the reference.
  void check_case(const Json& entry, const std::string& place) {
    const std::string reference = entry["reference"];
    std::set<std::string> names;
    bool timed = false;
    for (std::size_t k = 0; k < entry["results"].size(); ++k) {
      const Json& result = entry["results"][k];
      if (const std::string name = result["name"]; !names.insert(name).second)
        say(fmt::format("{}[{}].name", place, k), fmt::format("\"{}\" stands twice in one case; keep one", name));
      timed = timed || (result["name"] == reference && result.contains("ratios"));
    }
    if (!timed)
      say(place, fmt::format("the reference \"{}\" is not timed; run kinetree_peers --json again", reference));
    for (std::size_t k = 0; k < entry["results"].size(); ++k) {
      const Json& result = entry["results"][k];
      if (result.contains("refusal")) continue;
      const std::string here = fmt::format("{}[{}]", place, k), ratios = here + ".ratios";
      check_interval(result, "_ns", here);
      if (!result["ratios"].contains(reference))
        say(ratios, fmt::format("has none to the reference \"{}\"; run kinetree_peers --json again", reference));
      for (const auto& [name, ratio] : result["ratios"].items()) {
        if (!names.contains(name)) say(ratios + "." + name, "is to nobody in this case's results");
        check_interval(ratio, "", ratios + "." + name);
      }
    }
  }

  void check_interval(const Json& of, const std::string& unit, const std::string& place) {
    const double median = of["median" + unit], low = of["low" + unit], high = of["high" + unit];
    if (!(low <= median && median <= high))
      say(place + ".median" + unit, fmt::format("is {}, outside its interval from {} to {}", median, low, high));
  }

  std::string file_;
  std::vector<Finding> findings_;
};

}  // namespace

Json read_peers_text(const std::string& text, const std::string& name) { return PeersReader(name).read(text); }

Json read_peers(const std::filesystem::path& file) {
  return read_peers_text(file_text(file, {.element = "file", .advice = "give what kinetree_peers --json wrote"}),
                         file.string());
}

}  // namespace kinetree::bench
