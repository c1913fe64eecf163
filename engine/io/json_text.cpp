#include "engine/io/json_text.hpp"

#include <set>

#include "engine/io/ill_formed_json.hpp"
#include "engine/io/plain_json.hpp"
#include "engine/io/whole_text.hpp"

namespace kinetree::inline inner {
namespace {

using Json = nlohmann::json;

struct TooLarge {};

/// nlohmann-json keeps the last of two equal keys: this remembers that there were two.
class KeyWatch {
 public:
  explicit KeyWatch(const JsonLimits& most) : most_(most) {}

  bool operator()(int, Json::parse_event_t event, const Json& parsed) {
    const bool opens = event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start;
    if (opens && ++containers_ > most_.containers) throw TooLarge();
    if (event == Json::parse_event_t::object_start) keys_.emplace_back();
    if (event == Json::parse_event_t::object_end) keys_.pop_back();
    if (event == Json::parse_event_t::key && !keys_.back().insert(parsed.get<std::string>()).second &&
        twice.size() <= most_.twice)
      twice.push_back(parsed.get<std::string>());
    return true;
  }

  std::vector<std::string> twice;

 private:
  const JsonLimits& most_;
  std::vector<std::set<std::string>> keys_;
  std::size_t containers_ = 0;
};

}  // namespace

Json json_object(const std::string& text, const std::string& file, const std::string& with,
                 std::vector<Finding>& findings, const JsonLimits& limits) {
  const auto say = [&](const std::string& message) { findings.push_back({Severity::error, file, 0, "file", message}); };
  if (!reads_to_its_end(text, file, findings)) throw InputError(findings);
  KeyWatch watch(limits);
  try {
    Json root = parsed_json<Json>(
        text, [&](int depth, Json::parse_event_t event, Json& parsed) { return watch(depth, event, parsed); });
    const bool many = watch.twice.size() > limits.twice;
    if (many) watch.twice.pop_back();
    for (const std::string& key : watch.twice) say("the key \"" + key + "\" stands twice in one object; keep one");
    if (many)
      say("has more than " + std::to_string(limits.twice) + " keys that stand twice; correct these and read again");
    if (root.is_object()) return root;
    say("is " + shown(root) + "; give an object with " + with);
  } catch (const TooLarge&) {
    say("has more than " + std::to_string(limits.containers) +
        " lists and objects, which is the limit; give a smaller file");
  } catch (const Json::exception& e) {  // out_of_range too: a number beyond double
    findings.push_back(ill_formed_json(e, text, file));
  }
  throw InputError(findings);
}

std::string shown(const Json& value) {
  if (value.is_array()) return "a list of " + std::to_string(value.size());
  if (value.is_object()) return "an object";
  return value.dump();
}

}  // namespace kinetree::inline inner
