#include "bench/report/peers_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <set>
#include <sstream>
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
  /// A value and where it stands.
  struct At {
    const Json& value;
    std::string place;
  };

  void say(const std::string& place, const std::string& message) {
    findings_.push_back({Severity::error, file_, 0, place, message});
  }

  static std::string under(const At& at, const char* key) {
    return at.place == "file" ? key : fmt::format("{}.{}", at.place, key);
  }

  /// What stands under a key; null, and a finding, where it is not of the kind that belongs there.
  const Json* get(const At& at, const char* key, bool (*good)(const Json&), const char* wanted) {
    const auto found = at.value.find(key);
    if (found != at.value.end() && good(*found)) return &*found;
    say(under(at, key), fmt::format("is {} where {} belongs; give a file that kinetree_peers --json wrote",
                                    found == at.value.end() ? "missing" : shown(*found), wanted));
    return nullptr;
  }
  std::string text(const At& at, const char* key) {
    const Json* found = get(
        at, key, [](const Json& j) { return j.is_string(); }, "a text");
    return found ? found->get<std::string>() : std::string();
  }
  void count(const At& at, const char* key) {
    get(
        at, key, [](const Json& j) { return j.is_number_integer() && j > 0; }, "a whole number above 0");
  }
  double positive(const At& at, const char* key) {
    const Json* found = get(
        at, key, [](const Json& j) { return j.is_number() && j > 0; }, "a number above 0");
    return found ? found->get<double>() : 0;
  }
  void not_negative(const At& at, const char* key) {
    get(
        at, key, [](const Json& j) { return j.is_number() && j >= 0; }, "a number of at least 0");
  }
  void function(const At& at) {
    std::string names;
    for (const peers::FunctionWords& words : peers::function_words)
      names += fmt::format("{}{}", names.empty() ? "one of " : ", ", words.name);
    const auto known = [](const Json& j) {
      return std::any_of(peers::function_words.begin(), peers::function_words.end(),
                         [&](const peers::FunctionWords& words) { return j == words.name; });
    };
    get(at, "function", known, names.c_str());
  }
  const Json* object(const At& at, const char* key) {
    return get(
        at, key, [](const Json& j) { return j.is_object(); }, "an object");
  }
  /// The objects of a list.
  std::vector<At> objects(const At& at, const char* key) {
    std::vector<At> all;
    const Json* list = get(
        at, key, [](const Json& j) { return j.is_array(); }, "a list");
    for (std::size_t i = 0; list && i < list->size(); ++i) {
      At entry{(*list)[i], fmt::format("{}[{}]", under(at, key), i)};
      if (entry.value.is_object())
        all.push_back(std::move(entry));
      else
        say(entry.place, fmt::format("is {} where an object belongs", shown(entry.value)));
    }
    return all;
  }

  void read_root(const Json& root) {
    const At at{root, "file"};
    if (!root.is_object() || root.value("program", Json()) != "kinetree_peers")
      return say("file", fmt::format("is {} without \"program\": \"kinetree_peers\"; give what kinetree_peers --json "
                                     "wrote, not a sweep's results",
                                     shown(root)));
    if (root.value("format", Json()) != 2)
      return say("format", fmt::format("is {}, this program reads 2; run its own kinetree_peers --json again",
                                       shown(root.value("format", Json()))));
    if (const Json* context = object(at, "context"))
      for (const char* key : {"date", "commit", "processor"}) text({*context, "context"}, key);
    for (const char* key : {"states", "batch", "rounds"}) count(at, key);
    for (const char* key : {"state_distribution", "interval"}) text(at, key);
    for (const At& missing : objects(at, "missing"))
      for (const char* key : {"name", "package"}) text(missing, key);
    for (const At& entry : objects(at, "cases")) read_case(entry);
  }

  void read_case(const At& at) {
    function(at);
    for (const char* key : {"result", "model"}) text(at, key);
    reference_ = text(at, "reference");
    get(
        at, "floating", [](const Json& j) { return j.is_boolean(); }, "true or false");
    for (const char* key : {"bodies", "nv"}) count(at, key);
    const std::vector<At> results = objects(at, "results");
    std::set<std::string> names;
    for (const At& result : results)
      if (const std::string name = text(result, "name"); !names.insert(name).second)
        say(under(result, "name"), fmt::format("\"{}\" stands twice in one case; keep one", name));
    for (const At& result : results) read_result(result, names);
    const bool timed = std::any_of(results.begin(), results.end(), [&](const At& result) {
      return result.value.contains("ratios") && result.value.value("name", Json()) == reference_;
    });
    if (!timed)
      say(under(at, "results"),
          fmt::format("the reference \"{}\" is not timed; run kinetree_peers --json again", reference_));
  }

  void read_result(const At& at, const std::set<std::string>& names) {
    for (const char* key : {"version", "package", "path", "scalar"}) text(at, key);
    for (const char* key : {"threads", "states_per_call"}) count(at, key);
    not_negative(at, "tolerance");
    if (at.value.contains("refusal")) {
      text(at, "refusal");
      if (at.value.contains("difference")) not_negative(at, "difference");
      return;
    }
    not_negative(at, "difference");
    interval(at, {"median_ns", "low_ns", "high_ns"});
    const Json* ratios = object(at, "ratios");
    if (!ratios) return;
    const At to{*ratios, under(at, "ratios")};
    if (!ratios->contains(reference_))
      say(to.place, fmt::format("has none to the reference \"{}\"; run kinetree_peers --json again", reference_));
    for (const auto& [name, ratio] : ratios->items()) {
      const At entry{ratio, fmt::format("{}.{}", to.place, name)};
      if (!names.count(name)) say(entry.place, "is to nobody in this case's results");
      if (ratio.is_object())
        interval(entry, {"median", "low", "high"});
      else
        say(entry.place, fmt::format("is {} where an object belongs", shown(ratio)));
    }
  }

  /// A median and its interval, all above 0 and in order.
  void interval(const At& at, std::initializer_list<const char*> keys) {
    const char* const* key = keys.begin();
    const std::size_t before = findings_.size();
    const double median = positive(at, key[0]), low = positive(at, key[1]), high = positive(at, key[2]);
    if (findings_.size() == before && !(low <= median && median <= high))
      say(under(at, key[0]), fmt::format("is {}, outside its interval from {} to {}", median, low, high));
  }

  std::string file_;
  std::string reference_;  ///< of the case that is read
  std::vector<Finding> findings_;
};

}  // namespace

Json read_peers_text(const std::string& text, const std::string& name) { return PeersReader(name).read(text); }

Json read_peers(const std::filesystem::path& file) {
  return read_peers_text(file_text(file, {.element = "file", .advice = "give what kinetree_peers --json wrote"}),
                         file.string());
}

}  // namespace kinetree::bench
